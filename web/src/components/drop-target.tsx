import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

interface DropTargetProps {
  /** What dropping here does, shown while a file is held over the page. */
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Makes the whole page take files that are dropped on it. */
export function DropTarget({ label, onFiles }: DropTargetProps) {
  const isOver = useSignal(false);

  useEffect(() => {
    const stop = new AbortController();
    const listen = (type: "dragover" | "dragleave" | "drop", react: (event: DragEvent) => void) =>
      window.addEventListener(type, react, { signal: stop.signal });

    listen("dragover", (event) => {
      if (!holdsFile(event)) return;
      event.preventDefault();
      isOver.value = true;
    });
    listen("dragleave", (event) => {
      // Leaving one element for another has a related target; leaving the page has none.
      if (event.relatedTarget === null) isOver.value = false;
    });
    listen("drop", (event) => {
      isOver.value = false;
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    });
    return () => stop.abort();
  }, [isOver, onFiles]);

  return isOver.value ? <div class="drop-target">{label}</div> : null;
}

function holdsFile(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

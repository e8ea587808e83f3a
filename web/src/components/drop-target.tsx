import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

interface DropTargetProps {
  /** What dropping here does, shown while a file is held over the page. */
  readonly label: string;
  readonly onFile: (file: File) => void;
}

/** Makes the whole page take a file that is dropped on it. */
export function DropTarget({ label, onFile }: DropTargetProps) {
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
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    });
    return () => stop.abort();
  }, [isOver, onFile]);

  return isOver.value ? <div class="drop-target">{label}</div> : null;
}

function holdsFile(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

import { useSignal } from "@preact/signals";

interface CopyButtonProps {
  readonly label: string;
  /** Gives what is to be copied; throws an `Error` with a sentence where that cannot be. */
  readonly content: () => Promise<string>;
}

const SHOWN_MILLISECONDS = 4_000;

/** Copies to the clipboard, and says so. */
export function CopyButton({ label, content }: CopyButtonProps) {
  const outcome = useSignal<{ readonly text: string } | undefined>(undefined);
  const copy = async () => {
    const text = await content()
      .then((copied) => navigator.clipboard.writeText(copied))
      .then(
        () => "Copied",
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    const own = { text };
    outcome.value = own;
    setTimeout(() => {
      // Not that of a later copy, which has its own time.
      if (outcome.value === own) outcome.value = undefined;
    }, SHOWN_MILLISECONDS);
  };
  return (
    <span class="copy">
      <button type="button" class="button" onClick={copy}>
        {label}
      </button>
      <span class="copy-outcome" role="status">
        {outcome.value?.text}
      </span>
    </span>
  );
}

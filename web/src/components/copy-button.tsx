import { useOutcome } from "./use-outcome.ts";

interface CopyButtonProps {
  readonly label: string;
  /** Gives what is to be copied; throws an `Error` with a sentence where that cannot be. */
  readonly content: () => Promise<string>;
}

const SHOWN_MILLISECONDS = 4_000;

/** Copies to the clipboard, and says so. */
export function CopyButton({ label, content }: CopyButtonProps) {
  const [outcome, say] = useOutcome(SHOWN_MILLISECONDS);
  const copy = async () => {
    const sentence = await content()
      .then((text) => navigator.clipboard.writeText(text))
      .then(
        () => "Copied",
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
    say(sentence);
  };
  return (
    <span class="copy">
      <button type="button" class="button" onClick={copy}>
        {label}
      </button>
      <span class="copy-outcome" role="status">
        {outcome}
      </span>
    </span>
  );
}

import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../components/copy-button.tsx";
import { formatCount } from "../text/format.ts";
import { LONGEST } from "../text/sections.ts";
import { TextCounts } from "./counts.tsx";
import { linkAddress } from "./link.ts";
import { boxText, insertIntoBox, sectionIndex, sections, setBoxText, text } from "./text.ts";

export function TextBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const caret = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  return (
    <section class="panel text-panel" aria-labelledby="text-heading">
      <div class="panel-header">
        <h2 id="text-heading">
          <label for="text">Text</label>
        </h2>
        <CopyButton label="Copy link" content={linkAddress} />
      </div>
      <textarea
        id="text"
        ref={box}
        dir="auto"
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        value={boxText}
        onInput={(event) => setBoxText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData("text/plain") ?? "";
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          if (value.length + pasted.length <= LONGEST) return;
          event.preventDefault();
          // As a text area would have it.
          const lines = pasted.replaceAll("\r\n", "\n");
          caret.current = insertIntoBox(lines, selectionStart, selectionEnd);
        }}
      />
      <SectionSwitch />
      <TextCounts />
    </section>
  );
}

/** Goes from one section of a long text to another. */
function SectionSwitch() {
  const last = sections.value.length - 1;
  if (last === 0) return null;
  const index = sectionIndex.value;
  const { begin, end } = sections.value[index] ?? sections.value[0];
  const go = (to: number) => () => {
    sectionIndex.value = to;
  };
  return (
    <nav class="section-switch" aria-label="Sections of the text">
      <button type="button" class="button" disabled={index === 0} onClick={go(index - 1)}>
        ‹ <span class="visually-hidden">Previous section</span>
      </button>
      <p class="hint" role="status">
        Section {index + 1} of {last + 1}, for typing: {formatCount(begin)} to {formatCount(end)} of{" "}
        {formatCount(text.value.length)} UTF-16 units. The tokens are of the whole text.
      </p>
      <button type="button" class="button" disabled={index === last} onClick={go(index + 1)}>
        › <span class="visually-hidden">Next section</span>
      </button>
    </nav>
  );
}

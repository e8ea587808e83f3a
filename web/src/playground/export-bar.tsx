import { useSignal } from "@preact/signals";
import { CopyButton } from "../components/copy-button.tsx";
import type { ExportFormat } from "../worker/messages.ts";
import type { Column } from "./column.ts";
import { text } from "./text.ts";

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: "ids", label: "Ids" },
  { format: "json", label: "JSON" },
  { format: "csv", label: "CSV" },
];
const ENDINGS: Readonly<Record<ExportFormat, string>> = { ids: "txt", json: "json", csv: "csv" };

/** Takes the tokens out of the page. */
export function ExportBar({ column }: { readonly column: Column }) {
  const format = useSignal<ExportFormat>("ids");
  const name = column.model.source.name;
  const download = async () =>
    save(await column.export(text.value, format.value), `${name}.${ENDINGS[format.value]}`);
  return (
    <div class="export-bar">
      <select
        aria-label={`Format of the tokens of ${name}`}
        value={format}
        onChange={(event) => {
          const chosen = FORMATS[event.currentTarget.selectedIndex];
          if (chosen !== undefined) format.value = chosen.format;
        }}
      >
        {FORMATS.map(({ format: value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="button" class="button" onClick={download}>
        Download
      </button>
      <CopyButton
        label="Copy"
        content={async () => (await column.export(text.value, format.value)).text()}
      />
    </div>
  );
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}

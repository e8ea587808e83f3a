// The keyboard's way to give a file; the pointer may also drop one.

interface FileButtonProps {
  readonly label: string;
  readonly onFile: (file: File) => void;
}

export function FileButton({ label, onFile }: FileButtonProps) {
  return (
    <label class="button">
      <input
        type="file"
        class="visually-hidden"
        onChange={(event) => {
          const input = event.currentTarget;
          const file = input.files?.[0];
          if (file !== undefined) onFile(file);
          // The same file, mended meanwhile, shall count as another choice.
          input.value = "";
        }}
      />
      {label}
    </label>
  );
}

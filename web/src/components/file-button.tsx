// The keyboard's way to give files; the pointer may also drop them.

interface FileButtonProps {
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileButton({ label, onFiles }: FileButtonProps) {
  return (
    <label class="button">
      <input
        type="file"
        multiple
        class="visually-hidden"
        onChange={(event) => {
          const input = event.currentTarget;
          const files = [...(input.files ?? [])];
          if (files.length > 0) onFiles(files);
          // The same file, mended meanwhile, shall count as another choice.
          input.value = "";
        }}
      />
      {label}
    </label>
  );
}

import { isStored } from "./register.ts";

/** Whether the page will open without a network. */
export function OfflineNote() {
  return (
    <p role="status">
      {isStored.value
        ? "This page is stored in your browser: it works offline."
        : "This page needs the network until your browser has stored it."}
    </p>
  );
}

import type { ComponentChildren } from "preact";
import { OfflineNote } from "../offline/offline-note.tsx";

/** What every page ends with, after what it says itself. */
export function PageFooter({ children }: { readonly children: ComponentChildren }) {
  return (
    <footer class="page-footer">
      <OfflineNote />
      <p>{children}</p>
      <p>
        <a href="./licenses/LICENSE.txt">Apache License 2.0</a>;{" "}
        <a href="./licenses/NOTICE.txt">what of others is in it</a>
      </p>
    </footer>
  );
}

import { visibleRuns } from "../text/visible.ts";

/** Text whose white space and other invisible characters show. */
export function VisibleText({ text }: { readonly text: string }) {
  return (
    <bdi>
      {visibleRuns(text).map((run) =>
        run.isSign ? <span class="sign">{run.text}</span> : run.text,
      )}
    </bdi>
  );
}

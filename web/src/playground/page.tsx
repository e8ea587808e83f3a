import { DropTarget } from "../components/drop-target.tsx";
import { PageFooter } from "../components/page-footer.tsx";
import { SiteNav } from "../components/site-nav.tsx";
import { Columns } from "./columns.tsx";
import { DecodeBox } from "./decode-box.tsx";
import { HowPanel } from "./how/how-panel.tsx";
import { ModelPanel } from "./model-panel.tsx";
import { Problem } from "./problem.tsx";
import { columns, openFiles } from "./state.ts";
import { TextBox } from "./text-box.tsx";

export function PlaygroundPage() {
  return (
    <>
      <header class="page-header">
        <SiteNav current="Playground" />
        <h1>
          spmlite <span class="quiet">playground</span>
        </h1>
        <p>
          See how SentencePiece models cut a text into tokens. Everything is computed on this page;
          nothing leaves it.
        </p>
      </header>
      <main>
        <ModelPanel />
        <Problem />
        <div class="workbench" data-columns={Math.max(1, columns.value.length)}>
          <TextBox />
          <Columns />
          <DecodeBox />
          <HowPanel />
        </div>
      </main>
      <PageFooter>
        For the curious: the console has <code>spmlite.Tokenizer</code>, the same that works here.
      </PageFooter>
      <DropTarget label="Drop models or a text anywhere" onFiles={openFiles} />
    </>
  );
}

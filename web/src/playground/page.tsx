import { DropTarget } from "../components/drop-target.tsx";
import { SiteNav } from "../components/site-nav.tsx";
import { OfflineNote } from "../offline/offline-note.tsx";
import { DecodeBox } from "./decode-box.tsx";
import { ModelPanel } from "./model-panel.tsx";
import { Problem } from "./problem.tsx";
import { openFile } from "./state.ts";
import { TextBox } from "./text-box.tsx";
import { TokensPanel } from "./tokens-panel.tsx";

export function PlaygroundPage() {
  return (
    <>
      <header class="page-header">
        <SiteNav current="Playground" />
        <h1>
          spmlite <span class="quiet">playground</span>
        </h1>
        <p>
          See how a SentencePiece model cuts a text into tokens. Everything is computed on this
          page; nothing leaves it.
        </p>
      </header>
      <main>
        <ModelPanel />
        <Problem />
        <div class="workbench">
          <TextBox />
          <TokensPanel />
          <DecodeBox />
        </div>
      </main>
      <footer class="page-footer">
        <OfflineNote />
        <p>
          For the curious: the console has <code>spmlite.Tokenizer</code>, the same that works here.
        </p>
      </footer>
      <DropTarget label="Drop the model anywhere" onFile={openFile} />
    </>
  );
}

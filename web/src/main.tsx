import { render } from "preact";
import { Tokenizer } from "spmlite";
import { DEMO_MODELS } from "./engine/models.ts";
import { storeForOffline } from "./offline/register.ts";
import { PlaygroundPage } from "./playground/page.tsx";
import { chooseModel } from "./playground/state.ts";

declare global {
  interface Window {
    /** For the curious, in the console: `await spmlite.Tokenizer.load(file)`. */
    spmlite: { readonly Tokenizer: typeof Tokenizer };
  }
}

window.spmlite = { Tokenizer };

const app = document.getElementById("app");
if (app === null) throw new Error("index.html has no element #app");
render(<PlaygroundPage />, app);

chooseModel(DEMO_MODELS[0]);
if (import.meta.env.PROD) storeForOffline();

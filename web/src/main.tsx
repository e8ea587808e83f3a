import { render } from "preact";
import { DEMO_MODELS } from "./engine/models.ts";
import { storeForOffline } from "./offline/register.ts";
import { PlaygroundPage } from "./playground/page.tsx";
import { addColumn } from "./playground/state.ts";

declare global {
  interface Window {
    /** For the curious, in the console: `await spmlite.Tokenizer.load(file)`. */
    spmlite: typeof import("spmlite");
  }
}

const app = document.getElementById("app");
if (app === null) throw new Error("index.html has no element #app");
render(<PlaygroundPage />, app);

addColumn(DEMO_MODELS[0], []);
import("spmlite").then((spmlite) => {
  window.spmlite = spmlite;
});
if (import.meta.env.PROD) storeForOffline();

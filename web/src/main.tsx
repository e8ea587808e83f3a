import { render } from "preact";
import { DEMO_MODELS } from "./engine/models.ts";
import { storeForOffline } from "./offline/register.ts";
import { followLink } from "./playground/link.ts";
import { PlaygroundPage } from "./playground/page.tsx";
import { useOnly } from "./playground/state.ts";
import { measureText } from "./playground/text-size.ts";

declare global {
  interface Window {
    /** For the curious, in the console: `await spmlite.Tokenizer.load(file)`. */
    spmlite: typeof import("spmlite");
  }
}

const app = document.getElementById("app");
if (app === null) throw new Error("index.html has no element #app");

// Before the first rendering, which then shows what the link says at once.
if (!followLink(location.hash)) useOnly([DEMO_MODELS[0]]);
// In the place of what the build rendered, which knew of no link.
app.replaceChildren();
app.inert = false;
render(<PlaygroundPage />, app);
measureText();
addEventListener("hashchange", () => followLink(location.hash));

import("spmlite").then((spmlite) => {
  window.spmlite = spmlite;
});
if (import.meta.env.PROD) storeForOffline();

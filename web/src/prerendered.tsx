// The page before anything has happened in it, as HTML: the build puts it into index.html.

import { renderToString } from "preact-render-to-string";
import { DEMO_MODELS } from "./engine/models.ts";
import { PlaygroundPage } from "./playground/page.tsx";
import { loading } from "./playground/state.ts";

export function prerendered(): string {
  loading.value = [DEMO_MODELS[0]];
  return renderToString(<PlaygroundPage />);
}

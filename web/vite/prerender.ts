import { type Plugin, runnerImport } from "vite";

const PLACE = '<div id="app"></div>';

/**
 * Puts into a built page what `prerendered` of a module gives, so that there is something to see
 * before any script has run. It is inert: what is typed there would be lost when the page's script
 * puts the living page in its place.
 */
export function prerender(page: string, module: string): Plugin {
  return {
    name: "prerender",
    apply: "build",
    async transformIndexHtml(html, { path }) {
      if (path !== page) return html;
      if (!html.includes(PLACE)) this.error(`${page} has no ${PLACE}`);
      const imported = await runnerImport<{ prerendered: () => string }>(module);
      const rendered = imported.module.prerendered();
      return html.replace(PLACE, () => `<div id="app" inert>${rendered}</div>`);
    },
  };
}

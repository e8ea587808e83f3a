// A link that carries the text and the settings, in its fragment, which no browser sends.

import { batch } from "@preact/signals";
import { DEMO_MODELS } from "../engine/models.ts";
import { packText, unpackText } from "../text/packing.ts";
import { drawing } from "./drawing.ts";
import { limit } from "./limit.tsx";
import { columns, problem, sources, useOnly, type View, view } from "./state.ts";
import { setText, text } from "./text.ts";

/** Longer texts are packed. */
const LONGEST_PLAIN = 500;
/** More than that is cut off by programs that pass links on. */
const LONGEST_LINK = 30_000;

/** The page's address with all that it shows. Rejects where the text is too long for one. */
export async function linkAddress(): Promise<string> {
  const parameters = new URLSearchParams();
  if (text.value.length <= LONGEST_PLAIN) parameters.set("text", text.value);
  else parameters.set("packed", await packText(text.value));
  parameters.set("models", columns.value.map(({ key }) => key).join(","));
  parameters.set("view", view.value);
  parameters.set("limit", String(limit.value));
  for (const [name, { value }] of Object.entries(drawing)) parameters.set(name, String(value));
  const address = new URL(location.href);
  address.hash = parameters.toString();
  if (address.href.length > LONGEST_LINK) throw new Error("The text is too long for a link");
  history.replaceState(null, "", address);
  return address.href;
}

/** Shows what a link carries; what it does not carry stays. Gives false for no such link. */
export function followLink(fragment: string): boolean {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const [plain, packed] = [parameters.get("text"), parameters.get("packed")];
  batch(() => {
    problem.value = "";
    if (plain !== null) setText(plain);
    followView(parameters.get("view"));
    followNumber(limit, parameters.get("limit"));
    for (const [name, value] of Object.entries(drawing)) {
      followNumber(value, parameters.get(name));
    }
  });
  if (packed !== null) unpackText(packed).then(setText, tellOfDamage);
  const models = parameters.get("models");
  if (models !== null) followModels(models.split(","));
  return models !== null;
}

function followView(written: string | null): void {
  const views: readonly View[] = ["tokens", "ids", "bytes"];
  view.value = views.find((each) => each === written) ?? view.value;
}

function followNumber(into: { value: number }, written: string | null): void {
  const value = Number(written);
  if (written !== null && Number.isFinite(value) && value >= 0) into.value = value;
}

function followModels(keys: readonly string[]): void {
  const found = keys.map((key) => sources.value.find((source) => source.key === key));
  const known = found.filter((source) => source !== undefined);
  useOnly(known.length === 0 ? [DEMO_MODELS[0]] : known);
  const missing = keys.filter((key, i) => key !== "" && found[i] === undefined);
  if (missing.length === 0) return;
  const names = missing.map((key) => key.replace(/^file:/, "")).join(" and ");
  problem.value = `The link was made with ${names}, which it does not carry: open it to see the same.`;
}

function tellOfDamage(): void {
  problem.value = "The text in the link was damaged on its way: ask for the link again.";
}

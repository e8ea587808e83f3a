// A model that was chosen, and what it makes of the text.

import { batch, signal } from "@preact/signals";
import type { Encoding } from "../engine/encoding.ts";
import { Latest } from "../engine/latest.ts";
import type { LoadedModel } from "../engine/loaded-model.ts";
import { LONGEST, sectionsOf } from "../text/sections.ts";
import type { ExportFormat, RoundTrip } from "../worker/messages.ts";

let columnsSoFar = 0;

export class Column {
  /** Begins the ids of the elements that show it. */
  readonly elementId = `column-${++columnsSoFar}`;

  /** The text as it was encoded last: a long one lags behind the typing. */
  readonly encoding = signal<Encoding | undefined>(undefined);

  /** Whether that text comes back from its ids; nothing while that is not known yet. */
  readonly roundTrip = signal<RoundTrip | undefined>(undefined);

  /** The token that keyboard or click stays at. */
  readonly chosenIndex = signal(0);

  /** The token under the pointer, which goes before the chosen one. */
  readonly hoveredIndex = signal<number | undefined>(undefined);

  readonly #encodings = new Latest((text: string) => this.#encode(text));

  constructor(
    readonly model: LoadedModel,
    /** Called with a sentence on what went wrong. */
    readonly onProblem: (error: unknown) => void,
  ) {}

  get key(): string {
    return this.model.source.key;
  }

  encode(text: string): void {
    this.#encodings.give(text);
  }

  /** The tokens of the text as a file. */
  export(text: string, format: ExportFormat): Promise<Blob> {
    return this.model.engine.export(text, format);
  }

  // Of a long text that was pasted the first tokens are there at once.
  #isNewAndLong(text: string): boolean {
    const before = this.encoding.peek()?.text.length ?? 0;
    return Math.abs(text.length - before) > LONGEST && text.length > LONGEST;
  }

  async #show(text: string): Promise<void> {
    const encoded = await this.model.encode(text);
    batch(() => {
      const last = Math.max(0, encoded.ids.length - 1);
      this.encoding.value = { ...encoded, model: this.model, text };
      this.roundTrip.value = undefined;
      this.hoveredIndex.value = undefined;
      this.chosenIndex.value = Math.min(this.chosenIndex.peek(), last);
    });
  }

  async #encode(text: string): Promise<void> {
    try {
      if (this.#isNewAndLong(text)) await this.#show(text.slice(0, sectionsOf(text)[0].end));
      await this.#show(text);
      this.roundTrip.value = await this.model.engine.roundTrip();
    } catch (error) {
      this.encoding.value = undefined;
      this.onProblem(error);
    }
  }
}

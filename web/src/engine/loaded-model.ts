import { type Remote, wrap } from "comlink";
import { ChangeTeller } from "../text/change.ts";
import type { EncodedText, ModelFacts } from "../worker/messages.ts";
import type { ModelEngine } from "../worker/model-engine.ts";
import type { ModelSource } from "./models.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A model in a worker of its own. */
export class LoadedModel {
  readonly vocabulary = new Vocabulary();
  readonly #teller = new ChangeTeller();

  private constructor(
    readonly source: ModelSource,
    readonly facts: ModelFacts,
    /** Answers one question after another. */
    readonly engine: Remote<ModelEngine>,
    readonly worker: Worker,
  ) {}

  /** Throws an `Error` whose message is a sentence for the user. */
  static async load(source: ModelSource): Promise<LoadedModel> {
    const worker = new Worker(new URL("../worker/model-worker.ts", import.meta.url), {
      type: "module",
      name: source.name,
    });
    try {
      const engine = wrap<ModelEngine>(worker);
      const facts = await answerOf(worker, source.read().then(engine.open));
      return new LoadedModel(source, facts, engine, worker);
    } catch (error) {
      worker.terminate();
      throw error;
    }
  }

  async encode(text: string): Promise<EncodedText> {
    const encoded = await this.engine.encode(this.#teller.changeTo(text));
    this.vocabulary.learn(encoded.newPieces);
    return encoded;
  }

  free(): void {
    this.worker.terminate();
  }
}

/** The answer, or an error where the worker does not come to answer: it has not started. */
function answerOf<Answer>(worker: Worker, answer: Promise<Answer>): Promise<Answer> {
  const failed = new Promise<never>((_, reject) => {
    const message = "The page's worker did not start: reload the page";
    worker.addEventListener("error", () => reject(new Error(message)), { once: true });
  });
  return Promise.race([answer, failed]);
}

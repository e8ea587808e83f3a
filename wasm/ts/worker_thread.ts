// The script of a worker: answers questions, one after the other.

import { convertThrough } from "./converter.js";
import { messageOf, SpmliteError } from "./errors.js";
import { instantiate } from "./modules.js";
import type { NamedBytes } from "./source.js";
import type { StreamingDecoder } from "./streaming_decoder.js";
import { Tokenizer } from "./tokenizer.js";
import type {
  Answer,
  Call,
  Convert,
  DecoderCall,
  Failure,
  ModelFacts,
  Question,
} from "./worker_messages.js";

interface Port {
  postMessage(message: Answer): void;
}
interface NodePort extends Port {
  on(event: "message", listen: (question: Question) => void): void;
}
interface Scope extends Partial<Port> {
  addEventListener?(
    event: "message",
    listen: (event: { data: Question }) => void,
  ): void;
  process?: {
    getBuiltinModule?(name: "node:worker_threads"): { parentPort: NodePort };
  };
}

let tokenizer: Tokenizer | undefined;
const decoders = new Map<number, StreamingDecoder>();

async function answer(question: Question): Promise<unknown> {
  if (question.ask === "call") return call(question);
  if (question.ask === "decoder") return callDecoder(question);
  if (question.ask === "convert") return convert(question);
  const instance = await instantiate(question.module);
  tokenizer = Tokenizer.of(question.module, instance, question.model);
  return factsOf(tokenizer);
}

async function convert({ modules, model }: Convert): Promise<NamedBytes> {
  const instances = await Promise.all(modules.map(instantiate));
  const converted = convertThrough(instances, model);
  return { ...converted, bytes: converted.bytes.slice() };
}

function call({ method, arguments: given }: Call): unknown {
  const loaded = required(tokenizer);
  const bound = loaded[method] as (...given: unknown[]) => unknown;
  return bound.apply(loaded, given);
}

function callDecoder({ decoder: number, call }: DecoderCall): unknown {
  if (call === "begin") {
    decoders.set(number, required(tokenizer).streamingDecoder());
    return undefined;
  }
  const decoder = required(decoders.get(number));
  if (call === "finish") return decoder.finish();
  if (call !== "end") return decoder.add(call);
  decoders.delete(number);
  return decoder.free();
}

function required<Thing>(thing: Thing | undefined): Thing {
  if (thing !== undefined) return thing;
  const message = "a worker was asked before it had what it was asked of";
  throw new SpmliteError("INTERNAL", message);
}

function factsOf(loaded: Tokenizer): ModelFacts {
  const { vocabSize, modelType, unkId, bosId, eosId, padId } = loaded;
  return { vocabSize, modelType, unkId, bosId, eosId, padId };
}

function failureOf(error: unknown): Failure {
  const code = error instanceof SpmliteError ? error.code : "INTERNAL";
  return { code, message: messageOf(error) };
}

function listen(): void {
  const scope = globalThis as Scope;
  const reply = async (question: Question, port: Port) => {
    const told = await answer(question).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: failureOf(error) }),
    );
    port.postMessage(told);
  };
  if (scope.postMessage !== undefined && scope.addEventListener !== undefined) {
    const port = scope as Port;
    scope.addEventListener("message", ({ data }) => void reply(data, port));
    return;
  }
  const port = scope.process?.getBuiltinModule?.(
    "node:worker_threads",
  ).parentPort;
  port?.on("message", (question) => void reply(question, port));
}

listen();

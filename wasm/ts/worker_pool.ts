// Workers that share what there is to do: each takes the next question when it has
// answered its last one.

import "./web.js";
import { messageOf, SpmliteError } from "./errors.js";
import { type Answer, type Question, toError } from "./worker_messages.js";

/** What workers have in common, in pages and in Node. */
export interface WorkerLike {
  postMessage(message: Question): void;
  terminate(): void;
}
interface PageWorker extends WorkerLike {
  addEventListener(
    event: "message" | "error" | "messageerror",
    listen: (event: { data?: Answer; message?: string }) => void,
  ): void;
}
interface NodeWorker extends WorkerLike {
  on(event: "message", listen: (answer: Answer) => void): void;
  on(event: "error", listen: (error: Error) => void): void;
  ref(): void;
  unref(): void;
}

interface Task {
  readonly question: Question;
  /** The one that is asked; any that is free where there is none. */
  readonly worker: WorkerLike | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export class WorkerPool {
  readonly #workers: WorkerLike[];
  readonly #idle: WorkerLike[] = [];
  readonly #running = new Map<WorkerLike, Task>();
  #waiting: Task[] = [];
  #picked = -1;
  #whyGone: string | undefined;

  constructor(workers: readonly WorkerLike[]) {
    this.#workers = [...workers];
    for (const worker of workers) this.#listen(worker);
    this.#idle.push(...workers);
  }

  get size(): number {
    return this.#workers.length;
  }

  /** A worker to be asked for what it alone has: each in turn. */
  pick(): WorkerLike | undefined {
    this.#picked = (this.#picked + 1) % this.#workers.length;
    return this.#workers[this.#picked];
  }

  /**
   * Asks the next worker that is free, or `worker`. An abort takes the question back, or
   * drops the answer.
   */
  ask(
    question: Question,
    signal?: AbortSignal,
    worker?: WorkerLike,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#whyGone !== undefined)
        throw new SpmliteError("FREED", this.#whyGone);
      signal?.throwIfAborted();
      const task: Task = {
        question,
        worker,
        resolve: (value) => {
          signal?.removeEventListener("abort", abort);
          resolve(value);
        },
        reject: (reason) => {
          signal?.removeEventListener("abort", abort);
          reject(reason);
        },
      };
      const abort = () => {
        this.#waiting = this.#waiting.filter((one) => one !== task);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.push(task);
      this.#next();
    });
  }

  /** Asks every worker the same, before anything else is asked. */
  askEach(question: Question): Promise<unknown[]> {
    return Promise.all(
      this.#workers.map((worker) => this.ask(question, undefined, worker)),
    );
  }

  /** Ends the workers; what is asked now or later fails with this. */
  end(why: string): void {
    this.#whyGone ??= why;
    for (const worker of this.#workers) worker.terminate();
    const left = [...this.#running.values(), ...this.#waiting];
    this.#running.clear();
    this.#waiting = [];
    for (const task of left)
      task.reject(new SpmliteError("FREED", this.#whyGone));
  }

  #next(): void {
    while (this.#idle.length > 0) {
      const next = this.#waiting.findIndex((task) => this.#canBeAsked(task));
      const task = next < 0 ? undefined : this.#waiting.splice(next, 1)[0];
      if (task === undefined) return;
      this.#give(task, task.worker ?? this.#idle[0]);
    }
  }

  #canBeAsked({ worker }: Task): boolean {
    return worker === undefined || this.#idle.includes(worker);
  }

  #give(task: Task, worker: WorkerLike | undefined): void {
    if (worker === undefined) return;
    this.#idle.splice(this.#idle.indexOf(worker), 1);
    this.#running.set(worker, task);
    if (isOfNode(worker)) worker.ref();
    try {
      worker.postMessage(task.question);
    } catch (error) {
      // Such as an argument that cannot be sent to another thread.
      const failure = {
        code: "INVALID_ARGUMENT",
        message: messageOf(error),
      } as const;
      this.#answered(worker, { error: failure });
    }
  }

  #answered(worker: WorkerLike, answer: Answer): void {
    const task = this.#running.get(worker);
    this.#running.delete(worker);
    this.#idle.push(worker);
    if (isOfNode(worker)) worker.unref();
    if ("error" in answer) task?.reject(toError(answer.error));
    else task?.resolve(answer.value);
    this.#next();
  }

  #listen(worker: WorkerLike): void {
    const fail = (message = "its script cannot be loaded") =>
      this.end(`a worker ended: ${message}`);
    if (isOfNode(worker)) {
      worker.unref();
      worker.on("message", (answer) => this.#answered(worker, answer));
      worker.on("error", (error) => fail(error.message));
      return;
    }
    const page = worker as PageWorker;
    page.addEventListener("message", ({ data }) => {
      if (data !== undefined) this.#answered(worker, data);
    });
    page.addEventListener("error", ({ message }) => fail(message));
    page.addEventListener("messageerror", () => fail("an answer was lost"));
  }
}

function isOfNode(worker: WorkerLike): worker is NodeWorker {
  return !("addEventListener" in worker) && "on" in worker;
}

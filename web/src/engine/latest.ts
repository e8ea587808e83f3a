/**
 * Does one thing at a time, and of what it is given meanwhile only the last: so that what a slow
 * worker is asked never lags behind the typing by more than one answer.
 */
export class Latest<Input> {
  readonly #act: (input: Input) => Promise<void>;
  #waiting: { readonly input: Input } | undefined;
  #isActing = false;

  constructor(act: (input: Input) => Promise<void>) {
    this.#act = act;
  }

  async give(input: Input): Promise<void> {
    this.#waiting = { input };
    if (this.#isActing) return;
    this.#isActing = true;
    try {
      for (let next = this.#take(); next !== undefined; next = this.#take()) {
        await this.#act(next.input);
      }
    } finally {
      this.#isActing = false;
    }
  }

  #take(): { readonly input: Input } | undefined {
    const next = this.#waiting;
    this.#waiting = undefined;
    return next;
  }
}

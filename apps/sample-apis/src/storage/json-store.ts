/** What a step makes of the data, and what it answers. */
export interface Change<Data, Result> {
  readonly data: Data;
  readonly result: Result;
}

interface JsonStoreOptions<Data> {
  readonly data: Data;
  /** The first data, the same at every call. */
  readonly seed: () => Data;
  /** Keeps new data before a change of it is answered; a rejection undoes the change. */
  readonly keep: (data: Data) => Promise<void>;
}

/** Data in memory that something keeps: changes happen one after the other and are kept when answered. */
export class JsonStore<Data> {
  readonly #seed: () => Data;
  readonly #keep: (data: Data) => Promise<void>;
  #data: Data;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ data, seed, keep }: JsonStoreOptions<Data>) {
    this.#data = data;
    this.#seed = seed;
    this.#keep = keep;
  }

  get data(): Data {
    return this.#data;
  }

  /** Applies a step to the newest data; if the step throws or the write fails, nothing has changed. */
  change<Result>(step: (data: Data) => Change<Data, Result>): Promise<Result> {
    const turn = this.#last.then(async () => {
      const { data, result } = step(this.#data);
      await this.#keep(data);
      this.#data = data;
      return result;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Puts the first data back. */
  reset(): Promise<void> {
    return this.change(() => ({ data: this.#seed(), result: undefined }));
  }

  /** Resolves when every change begun so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

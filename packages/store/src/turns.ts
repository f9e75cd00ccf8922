/** Lets so many callers at a time have something, one by default, in the order in which they asked. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #left: number;

  constructor(atOnce = 1) {
    this.#left = atOnce;
  }

  /** Resolves when it is the caller's turn, which ends with `leave`. */
  async take(): Promise<void> {
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands over to whoever has waited longest. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#left += 1;
    else next();
  }
}

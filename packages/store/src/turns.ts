/** Lets so many callers at a time have something, one by default, in the order in which they asked. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #left: number;

  constructor(atOnce = 1) {
    this.#left = atOnce;
  }

  /** Resolves when it is the caller's turn, which ends with `leave`; who is urgent has the next one. */
  async take(isUrgent = false): Promise<void> {
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    await new Promise<void>((resolve) => {
      if (isUrgent) this.#waiting.unshift(resolve);
      else this.#waiting.push(resolve);
    });
  }

  /** Hands over to whoever has waited longest. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#left += 1;
    else next();
  }
}

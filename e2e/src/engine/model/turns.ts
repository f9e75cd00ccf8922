/**
 * Lets concurrent work go on one step at a time, in an order that is drawn: whoever wants to go on waits,
 * and while all wait, `picks` say whose turn it is.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #open = true;
  #arrived: () => void = () => undefined;

  /** Resolves when it is this one's turn; at once while nothing is played. */
  async pass(): Promise<void> {
    if (this.#open) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#arrived();
    });
  }

  /** Plays work to its end; who still waits then goes on freely. */
  async play<T>(work: () => Promise<T>, picks: readonly number[]): Promise<T> {
    this.#open = false;
    let over = false;
    const end = (): void => {
      over = true;
      this.#arrived();
    };
    const done = work();
    done.then(end, end);
    for (let at = 0; !over; at += 1) {
      if (this.#waiting.length === 0) await this.#arrival();
      // Whoever can go on without a turn does so first.
      await new Promise((resolve) => setImmediate(resolve));
      const index = (picks[at % picks.length] ?? 0) % Math.max(1, this.#waiting.length);
      this.#waiting.splice(index, 1)[0]?.();
    }
    this.#open = true;
    for (const goOn of this.#waiting.splice(0)) goOn();
    return done;
  }

  /** Resolves when somebody waits for a turn, or when all is over. */
  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrived = resolve;
    });
  }
}

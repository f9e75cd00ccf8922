/**
 * What became of a request at a host: it `passed`, was `refused` since too many are asked, or says `nothing` of that,
 * as one that was not sent or whose connection was lost.
 */
export type Passage = "passed" | "refused" | "nothing";

/** So many requests must pass before as many go at once as were refused before. */
const PROVEN = 100;

/**
 * How many requests may go to one host at once: at first the most; half of those that went when it refused one, once for
 * all that went together; then one more after as many as go at once have passed, and after a hundred where that would be
 * as many as it refused (RUN-214).
 */
export class HostWindow {
  readonly #most: number;
  #allowed: number;
  /** so many at once were refused, and have not been tried again; 0 for none */
  #refused = 0;
  #cuts = 0;
  #passedSince = 0;
  #active = 0;
  #passed = 0;

  constructor(most: number) {
    this.#most = most;
    this.#allowed = most;
  }

  get isFree(): boolean {
    return this.#active < this.#allowed;
  }

  get isActive(): boolean {
    return this.#active > 0;
  }

  /** Whether a new one would do as well. */
  get isAsNew(): boolean {
    return this.#active === 0 && this.#allowed === this.#most;
  }

  /** How many requests have passed. */
  get passed(): number {
    return this.#passed;
  }

  /** A request goes; gives what to leave with. */
  enter(): number {
    this.#active += 1;
    return this.#cuts;
  }

  leave(entered: number, passage: Passage): void {
    // Those that went together before a cut are no reason for another one.
    if (passage === "refused" && entered === this.#cuts) this.#cut();
    this.#active -= 1;
    if (passage === "passed") this.#pass();
  }

  #cut(): void {
    this.#refused = Math.min(this.#active, this.#allowed);
    this.#allowed = Math.max(1, Math.floor(this.#refused / 2));
    this.#passedSince = 0;
    this.#cuts += 1;
  }

  #pass(): void {
    this.#passed += 1;
    if (this.#allowed === this.#most) return;
    this.#passedSince += 1;
    const next = this.#allowed + 1;
    const isDoubtful = this.#refused > 0 && next >= this.#refused;
    if (this.#passedSince < (isDoubtful ? PROVEN : this.#allowed)) return;
    this.#allowed = next;
    this.#passedSince = 0;
    if (isDoubtful) this.#refused = 0;
  }
}

import type { RunContext } from "@plasm/runtime";

type ChainIds = NonNullable<RunContext["chains"]>;

const MOST_SESSIONS = 10_000;

/** What sessions of this process know of their endpoints' chains: each is asked once (MAP-053). */
export class SessionChains {
  readonly #bySession = new Map<string, ChainIds>();

  of(sessionId: string): ChainIds {
    const known = this.#bySession.get(sessionId);
    if (known !== undefined) return known;
    const oldest = this.#bySession.keys().next();
    if (this.#bySession.size >= MOST_SESSIONS && !oldest.done) {
      this.#bySession.delete(oldest.value);
    }
    const chains: ChainIds = new Map();
    this.#bySession.set(sessionId, chains);
    return chains;
  }
}

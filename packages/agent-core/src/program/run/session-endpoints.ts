import type { RunContext } from "@plasm/runtime";

type EndpointFacts = NonNullable<RunContext["endpoints"]>;

/** Of how many sessions endpoints are known, those that asked last. */
const MOST_SESSIONS = 10_000;

/**
 * What sessions of this process know of their endpoints, as of a node's chain: each is asked once (MAP-053). Most sessions
 * ask nothing, and nothing is kept of those.
 */
export class SessionEndpoints {
  readonly #bySession = new Map<string, Map<string, Promise<string>>>();
  readonly #most: number;

  constructor(most: number = MOST_SESSIONS) {
    this.#most = most;
  }

  /** How many sessions know any. */
  get size(): number {
    return this.#bySession.size;
  }

  /** Those of a session, which its runs share. */
  of(sessionId: string): EndpointFacts {
    const known = this.#bySession;
    return {
      get: (endpoint) => known.get(sessionId)?.get(endpoint),
      set: (endpoint, fact) => this.#set(sessionId, endpoint, fact),
      delete: (endpoint) => {
        const own = known.get(sessionId);
        own?.delete(endpoint);
        if (own?.size === 0) known.delete(sessionId);
      },
    };
  }

  #set(sessionId: string, endpoint: string, fact: Promise<string>): void {
    const own = this.#bySession.get(sessionId) ?? new Map<string, Promise<string>>();
    own.set(endpoint, fact);
    this.#bySession.delete(sessionId);
    const oldest = this.#bySession.keys().next();
    if (this.#bySession.size >= this.#most && !oldest.done) this.#bySession.delete(oldest.value);
    this.#bySession.set(sessionId, own);
  }
}

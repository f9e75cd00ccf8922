import type { Limits, Ports } from "@plasm/runtime";
import type { KeyedLock } from "../session/keyed-lock.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/** What a live run needs besides the session routines. */
export interface LiveDeps extends SessionDeps {
  readonly ports: Ports;
  readonly limits: Limits;
  /** serialises the continuations of one cursor (SESS-31) */
  readonly pages: KeyedLock;
  /** a problem that does not fail its call, for the log */
  readonly warn: (what: string, cause: unknown) => void;
}

import type { Caller } from "../identity/caller.ts";
import type { GraftProvider } from "../ports.ts";
import type { KeyedLock } from "../session/keyed-lock.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/** How a deployment has grafts (GRAFT-2, GRAFT-4). */
export interface GraftSettings {
  /** `default`: no provider is asked */
  readonly profile: string;
  readonly provider: GraftProvider | null;
  /** who a caller is, where a host looks that up; the caller's subject without it */
  readonly userOf?: (caller: Caller) => string | null | Promise<string | null>;
}

/** The profile of a deployment that sets none. */
export const DEFAULT_PROFILE = "default";

export const NO_GRAFT_PROVIDER: GraftSettings = Object.freeze({
  profile: DEFAULT_PROFILE,
  provider: null,
});

/** What routines of grafts work on. */
export interface GraftDeps extends SessionDeps {
  readonly grafts: GraftSettings;
  /** lets the calls of one owner that this process serves wait for one answer of the provider */
  readonly asking: KeyedLock;
  readonly warn: (what: string, cause: unknown) => void;
}

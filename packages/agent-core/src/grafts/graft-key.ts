import { sha256Hex } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import type { Caller } from "../identity/caller.ts";
import type { GraftProvider } from "../ports.ts";
import type { KeyedLock } from "../keyed-lock.ts";
import type { SessionDeps } from "../session/session-deps.ts";

/** Whose grafts: those of one subject in one session (GRAFT-1). */
export interface GraftRef {
  readonly scope: string;
  /** id of the set; those of its grafts begin with it, and a slash */
  readonly id: string;
  readonly userId: string;
}

/** `owner` is the logical session, else the execute session. */
export const graftPlace = (scope: string, owner: string, userId: string): GraftRef => ({
  scope,
  id: `${owner}/${sha256Hex(userId)}`,
  userId,
});

export const graftKey = ({ id }: GraftRef, graftId: string): string => `${id}/${graftId}`;

/**
 * The user of a call (GRAFT-4): where calls are delegated, whom it acts for; else the caller's subject. Null for
 * a caller who is nobody in particular. Throws what a host's own look-up throws.
 */
export async function graftUser(deps: GraftDeps, caller: Caller): Promise<string | null> {
  const { userOf } = deps.grafts;
  const user =
    userOf === undefined
      ? (deps.delegation(caller).principal ?? caller.subject)
      : await userOf(caller);
  return user === "" ? null : user;
}

/** Policy may leave no room for grafts (SURF-25). */
export const mayUseGrafts = async ({ policies }: GraftDeps, { scope }: Caller): Promise<boolean> =>
  (await policies.policyOf(scope)).grafts !== false;

/** Throws plasm-policy-denied. */
export async function refuseForbiddenGrafts(deps: GraftDeps, caller: Caller): Promise<void> {
  if (await mayUseGrafts(deps, caller)) return;
  throw fail(
    "plasm-policy-denied",
    "Policy allows no grafts here. Whoever runs this server decides on it.",
  );
}

/** The user that something is attached for; throws plasm-graft-no-identity (GRAFT-4). */
export async function requireGraftUser(deps: GraftDeps, caller: Caller): Promise<string> {
  const user = await graftUser(deps, caller).catch((thrown: unknown) => {
    deps.warn("the user of a call could not be determined", thrown);
    return null;
  });
  if (user !== null) return user;
  throw fail(
    "plasm-graft-no-identity",
    "Grafts are kept for a user, and this call has none. Send an API key as X-API-Key, or a token as Authorization: Bearer.",
  );
}

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

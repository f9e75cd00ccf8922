import type { SessionSecrets, SessionSecretsOf } from "./secrets.ts";
import type { Caller } from "../identity/caller.ts";
import { fail } from "../errors/problem.ts";
import type { AccountNames, LogicalSession } from "../records/sessions.ts";
import type { Catalog } from "@plasm/core";
import type { CatalogRegistry } from "../ports.ts";
import type { CredentialScope } from "@plasm/runtime";

/** Tells which accounts callers have (RUN-129). */
export interface AccountDirectory {
  /**
   * The account that calls use of a catalog: the one that the scope names, else the only one there is; null for none. One that is shared
   * with the caller no longer is named as such.
   */
  accountOf(catalog: Catalog, credentials: CredentialScope): string | null;
  /** What is asked where one of several accounts is to be named; null where it is clear which, or that none, is used. */
  accountQuestion(catalog: Catalog, credentials: CredentialScope): string | null;
  /** Which scopes a stored sign-in is known to lack for capabilities of a catalog; null where none (RUN-124). */
  missingScopes(
    catalog: Catalog,
    credentials: CredentialScope,
    capabilities: readonly string[],
  ): string | null;
  /** Why an account cannot be named, as callers are told; null for one that there is, and where people sign in to new ones. */
  accountFault(catalog: Catalog, account: string, credentials: CredentialScope): string | null;
}

/** What accounts of a session are found out with. */
export interface AccountDeps {
  readonly secretsOf: SessionSecretsOf;
  /** null where callers have no accounts but those that a session names */
  readonly accounts: AccountDirectory | null;
}

/** A session as its accounts are looked up. */
interface AccountSession {
  readonly view: { readonly exposure: { readonly catalogs: ReadonlyMap<string, Catalog> } };
  readonly logical: { readonly value: LogicalSession } | null;
  readonly owner: string;
  readonly principal: string;
  readonly accounts?: AccountNames | undefined;
}

/** What is kept under a name: that of a person or a catalog may be one that every object has. */
const own = <T>(kept: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  kept !== undefined && Object.hasOwn(kept, name) ? kept[name] : undefined;

/** The accounts that a principal has named in a session. */
export const namedIn = (logical: LogicalSession | null, principal: string): AccountNames =>
  own(logical?.accounts, principal) ?? {};

/**
 * What a principal has named, with what it names now. A session keeps the account that it has: what was planned in it is of that
 * one. Throws plasm-bad-request for another one.
 */
export function withNamed(
  logical: LogicalSession | null,
  principal: string,
  named: AccountNames,
): LogicalSession["accounts"] {
  const before = namedIn(logical, principal);
  for (const [entryId, account] of Object.entries(named)) {
    const standing = own(before, entryId) ?? account;
    if (standing !== account) {
      throw fail(
        "plasm-bad-request",
        `This session uses ${entryId} as ${standing}, and goes on so. Open one with another intent to use it as ${account}.`,
      );
    }
  }
  const all = { ...before, ...named };
  if (Object.keys(all).length === 0) return logical?.accounts;
  return { ...logical?.accounts, [principal]: all };
}

/** Refuses accounts where nothing could keep them: a session without intent has no record of its own. */
export function refuseUnbound(named: AccountNames): void {
  if (Object.keys(named).length === 0) return;
  throw fail("plasm-bad-request", 'A seed with "account" needs an "intent" beside the seeds.');
}

/**
 * Refuses labels of accounts that there are not: a session keeps what it was told, so that a mistyped one would be its own for good.
 * Throws plasm-bad-request.
 */
export function refuseUnknownAccounts(
  { secretsOf, accounts, registry }: AccountDeps & { readonly registry: CatalogRegistry },
  caller: Caller,
  named: AccountNames,
): void {
  if (accounts === null) return;
  const faults = Object.entries(named).flatMap(([entryId, account]) => {
    const catalog = registry.get(entryId)?.catalog;
    const { credentials } = secretsOf(caller, "", named);
    // Who stands for no user is refused for that (SURF-24), and told of nobody's accounts before.
    const isNobody = credentials.delegated === true && credentials.principal === undefined;
    return catalog === undefined || isNobody
      ? []
      : (accounts.accountFault(catalog, account, credentials) ?? []);
  });
  if (faults.length > 0) throw fail("plasm-bad-request", faults.join("\n"));
}

/** The secrets of a session, of whose accounts calls use those that it has; once these are found out, no others. */
export function secretsIn(
  { secretsOf }: Pick<AccountDeps, "secretsOf">,
  caller: Caller,
  { owner, accounts }: Pick<AccountSession, "owner" | "accounts">,
): SessionSecrets {
  const secrets = secretsOf(caller, owner, accounts);
  if (accounts === undefined) return secrets;
  const { credentials, ...others } = withAccounts(secrets, accounts);
  return { ...others, credentials: { ...credentials, accountsDecided: true } };
}

/** Secrets with accounts by name; what the host names itself comes first. */
export function withAccounts(secrets: SessionSecrets, named: AccountNames): SessionSecrets {
  if (Object.keys(named).length === 0) return secrets;
  const { credentials } = secrets;
  const accounts = new Map([...Object.entries(named), ...(credentials.accounts ?? [])]);
  return { ...secrets, credentials: { ...credentials, accounts } };
}

/** A session with the accounts that its calls use now: named ones, and the only ones (RUN-129). */
export function sessionAccounts<T extends AccountSession>(
  deps: AccountDeps,
  caller: Caller,
  at: T,
): T {
  const named = namedIn(at.logical?.value ?? null, at.principal);
  const { credentials } = withAccounts(deps.secretsOf(caller, at.owner), named);
  const used = [...at.view.exposure.catalogs].flatMap(([entryId, catalog]) => {
    // One that is shared no longer has another name from then on, so that what was planned with it is void (RUN-185).
    const account =
      deps.accounts?.accountOf(catalog, credentials) ?? credentials.accounts?.get(entryId) ?? null;
    return account === null ? [] : [[entryId, account] as const];
  });
  // That there are none is said as well: one that is added later is in no plan of now.
  return { ...at, accounts: Object.fromEntries(used) };
}

/** The accounts of some catalogs, in their order; undefined where there are none. */
export function accountsAmong(
  accounts: AccountNames | undefined,
  entryIds: readonly string[],
): AccountNames | undefined {
  const found = entryIds.flatMap((entryId) => {
    const account = own(accounts, entryId);
    return account === undefined ? [] : [[entryId, account] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Whether two say the same of all catalogs. */
export function areSameAccounts(one: AccountNames = {}, other: AccountNames = {}): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => one[name] === own(other, name))
  );
}

/** Which accounts are used, in one line; none of it where there are none, so that other texts keep their bytes. */
export const accountLines = (accounts: AccountNames | undefined): readonly string[] =>
  accounts === undefined || Object.keys(accounts).length === 0
    ? []
    : [
        `accounts: ${Object.entries(accounts)
          .map(([entryId, account]) => `${entryId} as ${account}`)
          .join(", ")}`,
      ];

/** What effects of a plan cannot do for want of scopes, in a line a catalog; none of it where nothing is known to be lacking (RUN-124). */
export function scopeLines(
  deps: AccountDeps,
  caller: Caller,
  at: AccountSession,
  effects: readonly { readonly catalog: string; readonly capability: string }[],
): readonly string[] {
  const { accounts } = deps;
  if (accounts === null || effects.length === 0) return [];
  const { credentials } = secretsIn(deps, caller, at);
  return [...new Set(effects.map(({ catalog }) => catalog))].flatMap((entryId) => {
    const catalog = at.view.exposure.catalogs.get(entryId);
    const names = effects.filter((one) => one.catalog === entryId);
    const lacking =
      catalog === undefined
        ? null
        : accounts.missingScopes(
            catalog,
            credentials,
            names.map(({ capability }) => capability),
          );
    return lacking === null ? [] : [`missing: ${lacking}`];
  });
}

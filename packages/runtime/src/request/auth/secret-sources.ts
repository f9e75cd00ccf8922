import type { Catalog } from "@plasm/core";
import type { SecretSource } from "@plasm/core/internal";
import type { CredentialScope, SecretProvider } from "../../ports.ts";
import { isEnvelope, readEnvelope } from "./envelope.ts";
import {
  accountKey,
  defaultHostedKey,
  isOfAnother,
  type SecretPart,
  severalAccounts,
  unreadableSecret,
  withAccount,
} from "./credential-help.ts";
import { isSendable } from "./credential.ts";
import { StoredSecretError } from "./secret-keys.ts";

/** A secret that was found, and where. */
export interface SecretLookup {
  readonly value: string;
  /** the hosted key it stands under, or null */
  readonly hostedKey: string | null;
}

/** What a look at every source gave: a secret, or the names of the sources that have none. */
export type SecretQuery =
  | { readonly found: SecretLookup }
  | { readonly found: null; readonly tried: readonly string[] };

/** Where one part of a catalog's credential may come from. */
type Place =
  | { readonly kind: "session" }
  | { readonly kind: "hosted"; readonly key: string; readonly own: boolean }
  | { readonly kind: "forbidden"; readonly key: string }
  /** the only account there is; several are a question (RUN-129) */
  | { readonly kind: "account" }
  | { readonly kind: "env"; readonly name: string };

/** One part of a catalog's credential. */
export interface PartSought {
  readonly entryId: string;
  readonly part: SecretPart;
  readonly declared: SecretSource;
  readonly scope: CredentialScope;
}

export interface Seeking extends Omit<PartSought, "entryId"> {
  readonly catalog: Catalog;
  readonly secrets: SecretProvider;
}

/**
 * The session's, then hosted, then the environment's; in delegated mode not that, which is the
 * deployment's own (RUN-120). Then the only account (RUN-129).
 */
function placesOf({ entryId, part, declared, scope }: PartSought): readonly Place[] {
  const isClient = part === "client_id" || part === "client_secret";
  const account = isClient ? undefined : scope.accounts?.get(entryId);
  const named: readonly Place[] =
    account === undefined
      ? []
      : [{ kind: "hosted", key: accountKey(entryId, account, part), own: true }];
  // Whoever names an account means no other credential. Its further keys may be the application's, which is the same for all.
  if (account !== undefined && part === "secret") return named;
  const own = defaultHostedKey(entryId, part);
  const keys = [...new Set([declared.hostedKv ?? own, own])];
  const hosted = keys.map((key): Place =>
    isOfAnother(key, entryId)
      ? { kind: "forbidden", key }
      : { kind: "hosted", key, own: key === own },
  );
  const session: readonly Place[] = isClient ? [] : [{ kind: "session" }];
  const delegated = scope.delegated === true || scope.principal !== undefined;
  const { env } = declared;
  const last: readonly Place[] = env === undefined || delegated ? [] : [{ kind: "env", name: env }];
  // Last, so that whoever adds an account changes nothing for calls that have a credential without it.
  const accounts: readonly Place[] = part === "secret" ? [{ kind: "account" }] : [];
  return [...named, ...session, ...hosted, ...last, ...accounts];
}

function nameOf(place: Place): string {
  switch (place.kind) {
    case "session":
      return "the session's credential";
    case "hosted":
      return place.own ? `plasm auth (${place.key})` : `hosted key ${place.key}`;
    case "forbidden":
      return `hosted key ${place.key} (not looked at: it is kept for another catalog)`;
    case "account":
      return "accounts";
    case "env":
      return `environment variable ${place.name}`;
  }
}

function fault(value: string, hosted: boolean): string | null {
  if (value === "") return "blank";
  if (hosted && isEnvelope(value)) return null;
  return isSendable(value) ? null : "no secret: it has line breaks or letters beyond Latin-1";
}

/**
 * What is wrong with a value that somebody wants to store for a catalog, or null; without an entry id only
 * what is wrong with any (RUN-121, RUN-123).
 */
export function credentialFault(value: string, entryId: string | null): string | null {
  const text = value.trim();
  const why = fault(text, true);
  if (why !== null || !isEnvelope(text) || entryId === null) return why;
  const reading = readEnvelope(text, entryId);
  return reading.ok ? null : `no envelope of ${entryId}: ${reading.why}`;
}

/**
 * Looks for a secret; it is trimmed, and a blank one is none (RUN-120, RUN-121). A stored one that cannot be decrypted
 * is never passed over for another: that may be somebody else's (RUN-125). Of several accounts none is guessed (RUN-129).
 * Throws RunFailure.
 */
export async function seekSecret(seeking: Seeking): Promise<SecretQuery> {
  const { catalog, part, declared, scope, secrets } = seeking;
  const { entryId } = catalog;
  const read = async (place: Place): Promise<string | undefined> => {
    switch (place.kind) {
      case "session":
        return scope.session?.get(part === "secret" ? entryId : `${entryId}:${part}`);
      case "hosted":
        try {
          return await secrets.hosted(place.key, scope);
        } catch (thrown) {
          if (thrown instanceof StoredSecretError) throw unreadableSecret(entryId, thrown);
          throw thrown;
        }
      case "forbidden":
      case "account":
        return undefined;
      case "env":
        return secrets.env(place.name);
    }
  };
  const tried: string[] = [];
  let stands = false;
  for (const found of placesOf({ entryId, part, declared, scope })) {
    // An account is no remedy for a credential that is there and of no use.
    if (found.kind === "account" && stands) continue;
    const place = found.kind === "account" ? onlyAccount(seeking) : found;
    // Most have none, and are not told of what they do not use.
    if (place === null) continue;
    const refusal =
      place.kind === "env" ? (secrets.refusesEnv?.(place.name, entryId) ?? null) : null;
    if (refusal !== null) {
      tried.push(`${nameOf(place)} (${refusal})`);
      continue;
    }
    const value = (await read(place))?.trim();
    const hosted = place.kind === "hosted";
    const why = value === undefined ? null : fault(value, hosted);
    if (value !== undefined && why === null) {
      return { found: { value, hostedKey: hosted ? place.key : null } };
    }
    stands ||= value !== undefined && value !== "";
    tried.push(why === null ? nameOf(place) : `${nameOf(place)} (${why})`);
  }
  return { found: null, tried };
}

/**
 * Where the only account of a scope is stored; null without one, and where it was decided that none is used. Throws
 * RunFailure for several.
 */
function onlyAccount({ catalog, scope, secrets }: Seeking): Place | null {
  const { entryId } = catalog;
  const labels = (): readonly string[] => {
    try {
      return secrets.accounts?.(entryId, scope) ?? [];
    } catch (thrown) {
      if (thrown instanceof StoredSecretError) throw unreadableSecret(entryId, thrown);
      throw thrown;
    }
  };
  const [label, ...more] = labels();
  if (label === undefined) return null;
  if (more.length > 0) throw severalAccounts(catalog, [label, ...more]);
  // What somebody has added since was in no plan.
  if (scope.accountsDecided === true) return null;
  return { kind: "hosted", key: accountKey(entryId, label), own: true };
}

/** Look-ups that wait for nothing. */
export interface SecretsAtHand {
  /** undefined as well where the catalog may not read it */
  env(name: string, entryId: string): string | undefined;
  /** throws StoredSecretError for what cannot be read */
  hosted(key: string): string | undefined;
  /** labels of accounts, as {@link SecretProvider.accounts} gives them; without it there are none */
  accounts?(entryId: string): readonly string[];
  now(): number;
}

/** What a look at a stored credential gives where there is one that cannot be read. */
const UNREADABLE = Symbol("unreadable");

/** Looks at what is stored. Throws what is no fault of a stored credential. */
function look<T>(at: () => T): T | typeof UNREADABLE {
  try {
    return at();
  } catch (thrown) {
    if (thrown instanceof StoredSecretError) return UNREADABLE;
    throw thrown;
  }
}

/** Whether a value is a credential that can be used, now or after a refresh. */
function isUsable(value: string, entryId: string, hosted: boolean, now: number): boolean {
  if (fault(value, hosted) !== null) return false;
  if (!hosted || !isEnvelope(value)) return true;
  const reading = readEnvelope(value, entryId);
  if (!reading.ok || reading.ended) return false;
  const { refresh, expiresAt } = reading.token;
  return refresh !== null || expiresAt === null || expiresAt > now;
}

/** Whether a catalog has a part of its credential; a token that has ended and cannot be refreshed is none. */
const partIsPresent =
  ({ entryId }: Catalog, scope: CredentialScope, secrets: SecretsAtHand) =>
  (part: SecretPart, declared: SecretSource): boolean => {
    for (const place of placesOf({ entryId, part, declared, scope })) {
      if (place.kind === "session" || place.kind === "forbidden") continue;
      const labels = place.kind === "account" ? look(() => secrets.accounts?.(entryId) ?? []) : [];
      // A run stops there, too.
      if (labels === UNREADABLE) return false;
      const [label, ...more] = labels;
      // Which of several is meant is asked, and nobody signs in to find out.
      if (more.length > 0) return true;
      if (place.kind === "account" && (label === undefined || scope.accountsDecided === true))
        continue;
      const value =
        place.kind === "env"
          ? secrets.env(place.name, entryId)
          : look(() =>
              secrets.hosted(
                place.kind === "hosted" ? place.key : accountKey(entryId, label ?? ""),
              ),
            );
      if (value === UNREADABLE) return false;
      if (isUsable(value?.trim() ?? "", entryId, place.kind !== "env", secrets.now())) return true;
    }
    return false;
  };

/** Which account of a catalog calls use: the one that is used; or those of which one must be named, since there are several. */
export interface AccountChoice {
  /** null where none is used, or it is not clear which */
  readonly used: string | null;
  readonly open: readonly string[];
}

const NO_ACCOUNT: AccountChoice = { used: null, open: [] };

/** Which account of a catalog a scope uses (RUN-129). Nothing is sent to find out. */
export function accountChoice(
  { entryId, cgs: { auth } }: Catalog,
  scope: CredentialScope,
  secrets: SecretsAtHand,
): AccountChoice {
  if (auth.scheme === "none" || auth.scheme === "oauth2_client_credentials") return NO_ACCOUNT;
  const named = scope.accounts?.get(entryId);
  if (named !== undefined) return { used: named, open: [] };
  if (scope.session?.has(entryId) === true) return NO_ACCOUNT;
  // What stands before accounts is used in their place, and reported where it cannot be: nobody else's instead.
  const isBefore = (place: Place): boolean => {
    const value =
      place.kind === "hosted"
        ? look(() => secrets.hosted(place.key))
        : place.kind === "env"
          ? secrets.env(place.name, entryId)
          : undefined;
    return value === UNREADABLE || (value?.trim() ?? "") !== "";
  };
  if (placesOf({ entryId, part: "secret", declared: auth, scope }).some(isBefore))
    return NO_ACCOUNT;
  const labels = look(() => secrets.accounts?.(entryId) ?? []);
  if (labels === UNREADABLE) return NO_ACCOUNT;
  const [only = null, ...more] = labels;
  if (more.length > 0) return { used: null, open: labels };
  return scope.accountsDecided === true ? NO_ACCOUNT : { used: only, open: [] };
}

const isOptional = ({ cgs: { auth } }: Catalog): boolean =>
  auth.scheme === "none" || ("optionalEnv" in auth && auth.optionalEnv);

/** Whether a catalog has its credential, further keys aside, be it optional or not. */
function hasOwn({ cgs: { auth } }: Catalog, has: ReturnType<typeof partIsPresent>): boolean {
  if (auth.scheme === "none") return false;
  return auth.scheme === "oauth2_client_credentials"
    ? has("client_id", auth.clientId) && has("client_secret", auth.clientSecret)
    : has("secret", auth);
}

/** Whether a catalog has what a sign-in gives, or needs none: its credential but for further keys (RUN-128). */
export const ownCredentialIsPresent = (
  catalog: Catalog,
  scope: CredentialScope,
  secrets: SecretsAtHand,
): boolean => isOptional(catalog) || hasOwn(catalog, partIsPresent(catalog, scope, secrets));

/** Whether a catalog has a credential, or needs none (RUN-183). Nothing is sent to find out. */
export function credentialIsPresent(
  catalog: Catalog,
  scope: CredentialScope,
  secrets: SecretsAtHand,
): boolean {
  const { auth } = catalog.cgs;
  const has = partIsPresent(catalog, scope, secrets);
  if (auth.scheme === "none" || !hasOwn(catalog, has)) return isOptional(catalog);
  const { used } = accountChoice(catalog, scope, secrets);
  const whole = used === null ? scope : withAccount(scope, catalog, used);
  return auth.also.every((key) => partIsPresent(catalog, whole, secrets)(key.name, key));
}

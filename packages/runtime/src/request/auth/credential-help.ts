import type { Catalog } from "@plasm/core";
import type { FurtherKey, SecretSource } from "@plasm/core/internal";
import type { CredentialScope, SecretProvider } from "../../ports.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { SecretAuth } from "./credential.ts";
import type { StoredSecretError } from "./secret-keys.ts";

/** One way to give a secret that a catalog names: its environment variable or its hosted key. */
function declaredWay(entryId: string, { env, hostedKv }: SecretSource): readonly string[] {
  const byEnv =
    env === undefined ? [] : [`set ${env} in its environment or env file and restart it`];
  if (hostedKv === undefined || isOfAnother(hostedKv, entryId)) return byEnv;
  return [...byEnv, `store the hosted key ${hostedKv}`];
}

/**
 * What gives a catalog its credential, as an instruction to whoever runs the server: every way there is
 * (RUN-120). Empty where none is needed.
 */
export function credentialHelp({ entryId, cgs: { auth } }: Catalog): string {
  if (auth.scheme === "none") return "";
  return [ownHelp(entryId, auth), ...auth.also.map((key) => keyHelp(entryId, key))].join("; and ");
}

const setKey = (entryId: string, { name }: FurtherKey): string =>
  `plasm auth set ${entryId} --key ${name}`;

const keyHelp = (entryId: string, key: FurtherKey): string =>
  [`on the server run ${setKey(entryId, key)}`, ...declaredWay(entryId, key)].join(", or ");

function ownHelp(entryId: string, auth: SecretAuth): string {
  const set = `plasm auth set ${entryId}`;
  switch (auth.scheme) {
    case "oauth2_client_credentials": {
      const ways = [auth.clientId, auth.clientSecret].map((part) => declaredWay(entryId, part));
      const stored = `on the server run ${set} --client-id ID`;
      return ways.some((way) => way.length === 0)
        ? stored
        : `${stored}, or ${ways.flat().join(" and ")}`;
    }
    default:
      return [`on the server run ${set}`, ...declaredWay(entryId, auth)].join(", or ") + form(auth);
  }
}

/** What a secret looks like that is sent as the whole header, whose scheme the catalog does not know. */
const form = (auth: SecretAuth): string =>
  auth.scheme === "api_key_header" &&
  auth.header.toLowerCase() === "authorization" &&
  auth.prefix === ""
    ? " (the whole header, such as Bearer and the token)"
    : "";

/** A name in a line that somebody pastes into a shell. */
const shellWord = (text: string): string =>
  /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The failure of a catalog without a usable credential, or without one further key of it; names every source tried
 * (RUN-120, RUN-150). `labels` are the accounts that there are instead of the one that was named.
 */
export function authMissing(
  catalog: Catalog,
  scope: CredentialScope,
  tried: readonly string[],
  key: FurtherKey | null = null,
  labels: readonly string[] = [],
): RunFailure {
  const { entryId } = catalog;
  const own = scope.delegated === true || scope.principal !== undefined;
  const whose = own ? " of the calling user" : "";
  const account = scope.accounts?.get(entryId);
  const part = `${account === undefined ? "" : ` --account ${account}`}${key === null ? "" : ` --key ${key.name}`}`;
  const fix =
    account !== undefined && isSharedLabel(account)
      ? "ask whoever shares it, or name an account of your own in another intent"
      : own
        ? `store one for this user: on the server run plasm auth set ${entryId}${part} --principal ${scope.principal === undefined ? "USER" : shellWord(scope.principal)} --tenant ${shellWord(scope.tenant)}`
        : account !== undefined
          ? // No variable and no other key stands in for an account that was named.
            `on the server run plasm auth set ${entryId}${part}${key === null ? "" : `, or for all accounts: ${keyHelp(entryId, key)}`}`
          : key === null
            ? credentialHelp(catalog)
            : keyHelp(entryId, key);
  const what = key === null ? "credential" : `${key.name}`;
  const others = labels.length === 0 ? "" : ` Its accounts are ${labels.join(", ")}.`;
  const instead = labels.length === 0 ? "" : "name one of these in another intent, or ";
  return new RunFailure(
    failure(
      "auth_missing",
      `There is no ${what}${whose} for ${entryId}: tried ${tried.join(", ")}.${others}`,
      `${instead}${fix}; then run this again`,
    ),
  );
}

/** A sign-in that has taken the place of the one that a run began with: whose account it is, is not known (RUN-129). */
export const signedInAnew = (entryId: string): RunFailure =>
  new RunFailure(
    failure(
      "auth_missing",
      `Somebody has signed in to ${entryId} anew since this run began, perhaps as another account: nothing more is sent for it.`,
      "look at what it has done, then plan and run the rest again",
    ),
  );

/** Whose a stored credential is: of all tenants where none is named, of a whole tenant where nobody is. */
type Holder = NonNullable<ReturnType<NonNullable<SecretProvider["holder"]>>>;

/** What gives another token in place of one that is refused: commands that store it where that one is. */
export function renewalHelp(
  entryId: string,
  hostedKey: string,
  { tenant, principal }: Holder,
): string {
  const account = accountOfKey(hostedKey, entryId);
  const isOwn = account !== null || hostedKey === defaultHostedKey(entryId);
  const words = [
    isOwn ? entryId : shellWord(hostedKey),
    ...(account === null ? [] : [`--account ${account}`]),
    ...(principal === null ? [] : [`--principal ${shellWord(principal)}`]),
    ...(tenant === null ? [] : [`--tenant ${shellWord(tenant)}`]),
  ].join(" ");
  const set = `sign in again and store the new token with plasm auth set ${words}`;
  // A sign-in is kept under the catalog's own key, behind the one that the catalog names.
  return isOwn
    ? `${set}, or with plasm auth login ${words} --catalogs DIRECTORY where the catalog says how`
    : set;
}

/** A credential that is stored, and cannot be read or kept (RUN-125). Names no file: callers are no operators (ERR-009). */
export const unreadableSecret = (entryId: string, { brief }: StoredSecretError): RunFailure =>
  new RunFailure(
    failure(
      "auth_missing",
      `The stored credential of ${entryId} cannot be used: ${brief}.`,
      "on the server run plasm auth list, which says what to do; then run this again",
    ),
  );

/** Delegated mode without anybody to act for (RUN-120). */
export const principalMissing = ({ entryId }: Catalog): RunFailure =>
  new RunFailure(
    failure(
      "auth_missing",
      `Calls of ${entryId} use the credentials of the calling user, and this caller is no user.`,
      "sign in, or give the principal to act for",
    ),
  );

/** A part of a credential that is stored under a key of its own: `secret`, `client_id`, `client_secret`, or the name of a further key. */
export type SecretPart = string;

const PART = /^[a-z][a-z0-9_]*$/;

/** What the keys of all catalogs begin with. */
const OF_CATALOGS = "plasm:outbound:v1:catalog:";

/** The hosted key that stands for a catalog unless it names one: where `plasm auth set` stores. */
export function defaultHostedKey(entryId: string, part: SecretPart = "secret"): string {
  const key = `${OF_CATALOGS}${entryId}`;
  return part === "secret" ? key : `${key}:${part}`;
}

/** What labels of a tenant's shared accounts begin with, so that none is ever taken for a person's own (RUN-184). */
const SHARED = "shared/";
/** An account that is shared no longer, as sessions call it that have named it: nothing is ever stored under that. */
const ENDED = "unshared/";
const ACCOUNT = /^(?:shared\/)?[a-z0-9][a-z0-9._-]{0,31}$/;

/** Whether a text may be the label of an account (RUN-129). */
export const isAccountLabel = (text: string): boolean => ACCOUNT.test(text);

/** Whether a label is of a tenant's shared account, be it shared with the one who asks or not (RUN-184). */
export const isSharedLabel = (label: string): boolean =>
  label.startsWith(SHARED) || label.startsWith(ENDED);

/** The label under which an account is shared. */
export const sharedLabel = (label: string): string =>
  label.startsWith(SHARED) ? label : `${SHARED}${label}`;

/** How an account is called that was shared with somebody, and is no longer. */
export const endedLabel = (label: string): string => label.replace(SHARED, ENDED);

/** The hosted key under which the account of another one is shared, further keys of it as well. */
export const sharedKey = (key: string): string =>
  key.startsWith(OF_CATALOGS) && !isSharedKey(key) ? key.replace("@", `@${SHARED}`) : key;

/** Whether a hosted key is of a tenant's shared account, or of a further key of it. */
export const isSharedKey = (key: string): boolean =>
  key.startsWith(OF_CATALOGS) && key.includes(`@${SHARED}`);

/** The hosted key of one account of a catalog, or of a further key of it (RUN-129). No id of a catalog has an @ in it. */
export const accountKey = (entryId: string, account: string, part: SecretPart = "secret"): string =>
  `${OF_CATALOGS}${entryId}@${account}${part === "secret" ? "" : `:${part}`}`;

/** The label of the account that a hosted key is of; null for any other key, and for another catalog's. */
export function accountOfKey(key: string, entryId: string): string | null {
  const start = `${OF_CATALOGS}${entryId}@`;
  const label = key.startsWith(start) ? key.slice(start.length) : "";
  return isAccountLabel(label) ? label : null;
}

/** A scope that uses an account of a catalog, as if it were named. */
export const withAccount = (
  scope: CredentialScope,
  { entryId }: Pick<Catalog, "entryId">,
  account: string,
): CredentialScope => ({
  ...scope,
  accounts: new Map([...(scope.accounts ?? []), [entryId, account]]),
});

/** Several accounts, none of which was named (RUN-129). */
export const severalAccounts = (catalog: Catalog, labels: readonly string[]): RunFailure =>
  new RunFailure(
    failure(
      "auth_missing",
      severalAccountsText(catalog.entryId, labels),
      chooseAccountText(catalog, labels),
    ),
  );

/** Which accounts there are, as a question. */
export const severalAccountsText = (entryId: string, labels: readonly string[]): string =>
  `${entryId} has the accounts ${labels.join(", ")}, and none of them is the default: which one is meant?`;

/** How one of several becomes the one that is used, on whatever surface: with names of this catalog, to be sent as they are. */
export function chooseAccountText(
  { entryId, cgs: { entities } }: Catalog,
  labels: readonly string[],
): string {
  const [entity = ""] = entities.keys();
  const [account = ""] = labels;
  const seed = JSON.stringify({ api: entryId, entity, account });
  return `ask the user; open the context again with the same intent and the account in a seed, as in ${seed} (in a shell ${entryId}@${account}:${entity}); then send the program again`;
}

/**
 * Whether a key is kept for another catalog: what is stored for one never serves another that names its
 * key (RUN-120). Blanks and letters count as a store that is lenient about them would take them.
 */
export function isOfAnother(key: string, entryId: string): boolean {
  if (!key.trim().toLowerCase().startsWith(OF_CATALOGS)) return false;
  const own = defaultHostedKey(entryId);
  return key !== own && !(key.startsWith(`${own}:`) && PART.test(key.slice(own.length + 1)));
}

import type { Caller } from "@plasm/agent-core";
import { type Authenticator, type SignInLink } from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import {
  type AccountChoice,
  accountKey,
  chooseAccountText,
  type CredentialFiles,
  type CredentialOwner,
  type CredentialScope,
  defaultHostedKey,
  lackingScopes,
  type LackingScopes,
  isSharedLabel,
  offersSignIn,
  severalAccountsText,
  type SignInSetting,
  StoredSecretError,
} from "@plasm/runtime";
import { scopesFor } from "@plasm/runtime/internal";
import { newSecret, type Waiting } from "./connect-waiting.ts";

/** Where the pages are on which people sign in, behind the server's origin. */
export const CONNECT_PATH = "/v1/connect";

/** How long a person has to open a link, and then to consent (RUN-128). */
export const LIFETIME_MS = 10 * 60_000;
/** A link, and whom it was made for. */
export interface Invitation {
  readonly catalog: Catalog;
  /** the label of the account that is connected; null for the default (RUN-129) */
  readonly account: string | null;
  /** what is asked for instead of what the catalog names: what a sign-in lacks, or effects need, as well (RUN-124) */
  readonly scopes: readonly string[] | undefined;
  readonly owner: CredentialOwner;
  readonly tenant: string;
  readonly subject: string;
  readonly until: number;
  /** the page of ours that the person comes back to; null for one who was sent by an agent */
  readonly back: string | null;
  tries: number;
}

/** Who has signed in, and to what. */
interface SignedIn {
  readonly tenant: string;
  readonly subject: string;
  readonly entryId: string;
  readonly account: string | null;
}

/** What links are made and opened with. */
export interface ConnectOptions {
  readonly auth: Authenticator;
  readonly files: CredentialFiles;
  /** whether calls have what they need already */
  readonly has: (catalog: Catalog, scope: CredentialScope) => boolean;
  /** which account calls use (RUN-129) */
  readonly accounts: (catalog: Catalog, scope: CredentialScope) => AccountChoice;
  /** whether a provider has ended what they have, which it is asked where its token has ended */
  readonly isOver: (catalog: Catalog, scope: CredentialScope) => Promise<boolean>;
  /** whether answers come from a recording, which needs no credential */
  readonly replays: boolean;
  readonly setting: (catalog: Catalog) => SignInSetting;
  /** is told who has signed in, before they are: an audit log that cannot be written keeps nobody's token */
  readonly signedIn: (who: SignedIn) => Promise<void>;
  readonly now: () => number;
}

/** What is connected, as people are told: never a catalog alone where one of its accounts is meant. */
export const connectedName = ({
  catalog,
  account,
}: Pick<Invitation, "catalog" | "account">): string =>
  account === null ? catalog.entryId : `${catalog.entryId} account ${account}`;

/** Whether two links are one person's to one API: labels of accounts are the caller's own, and there is no end of them. */
export const isSame = (a: Invitation, b: Invitation): boolean =>
  a.tenant === b.tenant && a.subject === b.subject && a.catalog.entryId === b.catalog.entryId;

/** A name in a line that somebody pastes into a shell. */
const shellWord = (text: string): string =>
  /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The page that people come back to who have signed in from it. */
const CONSOLE_PAGE = "/console/connections";

/** A person's own sign-in, which nobody but they have asked for; null where tokens that calls use are not theirs to bring. */
export function ownInvitation(
  { auth, now }: ConnectOptions,
  caller: Caller,
  credentials: CredentialScope,
  { catalog, account }: Pick<Invitation, "catalog" | "account">,
): Invitation | null {
  const { entryId } = catalog;
  const key = account === null ? defaultHostedKey(entryId) : accountKey(entryId, account);
  const person = ownerFor(key, caller, credentials, auth.mode);
  if (person === null) return null;
  const until = now() + LIFETIME_MS;
  return { ...person, catalog, account, scopes: undefined, until, back: CONSOLE_PAGE, tries: 0 };
}

/** Whose the tokens are to be; null where nobody but an operator may say so. */
function ownerFor(
  key: string,
  caller: Caller,
  { tenant, delegated = false, principal }: CredentialScope,
  mode: Authenticator["mode"],
): Pick<Invitation, "owner" | "tenant" | "subject"> | null {
  if (delegated || principal !== undefined) {
    if (principal === undefined) return null;
    return { owner: { key, tenant, principal }, tenant, subject: principal };
  }
  // Where callers share credentials, one of them does not decide for all; alone on a machine there is nobody else.
  if (mode !== "off" || caller.subject === null) return null;
  return { owner: { key, tenant: null, principal: null }, tenant, subject: caller.subject };
}

/**
 * For whom an operator signs in, as words of the command: for whomever the ended sign-in is that stands there, else for the
 * caller's tenant alone, where callers prove theirs. Never for more callers than have asked.
 */
function ownerWords(
  holder: CredentialOwner | null,
  { tenant, principal }: CredentialScope,
  mode: Authenticator["mode"],
): string {
  if (principal !== undefined)
    return ` --tenant ${shellWord(tenant)} --principal ${shellWord(principal)}`;
  const whose = holder === null ? (mode === "off" ? null : tenant) : holder.tenant;
  return whose === null ? "" : ` --tenant ${shellWord(whose)}`;
}

const signIn = (text: string, link: SignInLink | null) =>
  ({ kind: "sign-in", text, link }) as const;

/** Whether what is stored cannot be read. What others have stored is no matter here. */
function isUnreadable(files: CredentialFiles, key: string, scope: CredentialScope): boolean {
  try {
    files.find(key, scope);
    return false;
  } catch (thrown) {
    if (thrown instanceof StoredSecretError) return true;
    throw thrown;
  }
}

/** Whether nothing can be kept for a caller now: the run itself says so. */
function isUnusable(files: CredentialFiles, key: string, scope: CredentialScope): boolean {
  try {
    files.prepare();
  } catch (thrown) {
    if (thrown instanceof StoredSecretError) return true;
    throw thrown;
  }
  return isUnreadable(files, key, scope);
}

/** See {@link Connect.accountQuestion}. */
export const accountQuestion = (catalog: Catalog, { open }: AccountChoice): string | null =>
  open.length === 0
    ? null
    : `${severalAccountsText(catalog.entryId, open)} To go on, ${chooseAccountText(catalog, open)}.`;

/** Whether calls like these can lead to a link, by which people sign in to accounts that there are not yet. */
const mayGiveLink = (
  origin: string | null,
  { delegated = false, principal }: CredentialScope,
  mode: Authenticator["mode"],
): boolean => origin !== null && (principal !== undefined || (!delegated && mode === "off"));

/** Whether an account is a tenant's shared one, and the caller may not use it: it may be none at all, which nobody is told (RUN-184). */
export const isSharedWithOthers = (
  { files }: Pick<ConnectOptions, "files">,
  { entryId }: Catalog,
  account: string,
  credentials: CredentialScope,
): boolean => isSharedLabel(account) && !files.accounts(entryId, credentials).includes(account);

/** What a caller is told who names an account that is not shared with them, or no longer. */
function notSharedText({ entryId }: Catalog, account: string, labels: readonly string[]): string {
  const others =
    labels.length === 0
      ? `Its accounts are nobody's that you may use: leave "account" out`
      : `Name one of ${labels.join(", ")}`;
  return `${entryId} has no account ${account} that is shared with you. ${others}, in another intent, or ask whoever shares it.`;
}

/** See {@link Connect.accountFault}: what cannot be read is there, and the run says so. */
export function accountFault(
  { files, replays, setting, auth }: ConnectOptions,
  origin: string | null,
  catalog: Catalog,
  account: string,
  credentials: CredentialScope,
): string | null {
  const { entryId } = catalog;
  if (replays) return null;
  if (isSharedWithOthers({ files }, catalog, account, credentials))
    return notSharedText(catalog, account, files.accounts(entryId, credentials));
  const signsIn = offersSignIn(catalog, setting(catalog).env);
  if (signsIn && mayGiveLink(origin, credentials, auth.mode)) return null;
  const labels = files.accounts(entryId, credentials);
  const key = accountKey(entryId, account);
  if (labels.includes(account) || isUnreadable(files, key, credentials)) return null;
  const words = `--account ${account}${ownerWords(null, credentials, auth.mode)}`;
  const [other, command] = signsIn
    ? ["sign in to it", `plasm auth login ${entryId} --catalogs DIRECTORY ${words}`]
    : ["have it stored", `plasm auth set ${entryId} ${words}`];
  return labels.length === 0
    ? `${entryId} has no accounts here: leave "account" out, or ${signsIn ? "sign in to one" : "have one stored"}: on the server run ${command}.`
    : `${entryId} has no account ${account} here: name one of ${labels.join(", ")}, or ${other}: on the server run ${command}.`;
}

/** Whose calls of a catalog are to be made, and which of its capabilities change something. */
interface CallsAsked {
  readonly catalog: Catalog;
  readonly caller: Caller;
  readonly credentials: CredentialScope;
  readonly effects: readonly string[];
}

/** What the sign-in that calls use is known to lack; null where nothing is, and where they use something else (RUN-124). */
export function lackingIn(
  { files, accounts, replays }: ConnectOptions,
  catalog: Catalog,
  credentials: CredentialScope,
  capabilities: readonly string[],
): LackingScopes | null {
  const { entryId, cgs } = catalog;
  if (replays || credentials.session?.has(entryId) === true || cgs.oauth === undefined) return null;
  const { used } = accounts(catalog, credentials);
  // What a catalog names itself stands before a sign-in.
  if (used === null && "hostedKv" in cgs.auth && cgs.auth.hostedKv !== undefined) return null;
  const key = used === null ? defaultHostedKey(entryId) : accountKey(entryId, used);
  if (isUnreadable(files, key, credentials)) return null;
  return lackingScopes(catalog, capabilities, files.find(key, credentials) ?? "");
}

/** Where links are kept and lead to. */
interface InvitePlace {
  readonly links: Waiting<Invitation>;
  /** null where nobody reaches the pages */
  readonly origin: string | null;
  /** whether a text names the command beside the link */
  readonly namesCommand: boolean;
}

/** What `plasm auth login` is told for a sign-in, for whomever it is. */
function loginWords(
  {
    entryId,
    account,
    scopes,
  }: {
    readonly entryId: string;
    readonly account: string | null;
    readonly scopes: readonly string[] | undefined;
  },
  holder: CredentialOwner | null,
  credentials: CredentialScope,
  mode: Authenticator["mode"],
): string {
  const label = account === null ? "" : ` --account ${account}`;
  const whose =
    account !== null && isSharedLabel(account)
      ? ` --tenant ${shellWord(credentials.tenant)}`
      : ownerWords(holder, credentials, mode);
  const asked = (scopes ?? []).map((scope) => ` --scope ${shellWord(scope)}`).join("");
  return `${entryId} --catalogs DIRECTORY${label}${whose}${asked}`;
}

/** See {@link SignInInvitations.invite}; without an origin nobody is given a link. */
export async function invite(
  options: ConnectOptions,
  { links, origin, namesCommand }: InvitePlace,
  { catalog, caller, credentials, effects }: CallsAsked,
) {
  const { auth, files, has, isOver, accounts, setting, now } = options;
  const { entryId } = catalog;
  if (credentials.session?.has(entryId) === true) return null;
  const { used, open: several } = accounts(catalog, credentials);
  const question = accountQuestion(catalog, { used, open: several });
  if (question !== null) return { kind: "choose" as const, text: question, link: null };
  const isShared = used !== null && isSharedLabel(used);
  if (isShared && !options.replays && isSharedWithOthers(options, catalog, used, credentials)) {
    const text = notSharedText(catalog, used, files.accounts(entryId, credentials));
    return { kind: "choose" as const, text, link: null };
  }
  if (!offersSignIn(catalog, setting(catalog).env)) return null;
  const key = used === null ? defaultHostedKey(entryId) : accountKey(entryId, used);
  const isSignedIn = has(catalog, credentials) && !(await isOver(catalog, credentials));
  const lacking = isSignedIn ? lackingIn(options, catalog, credentials, effects) : null;
  if ((isSignedIn && lacking === null) || isUnusable(files, key, credentials)) return null;
  const name = connectedName({ catalog, account: used });
  // A label may be mistyped: what it is not is said with it.
  const labels = used === null ? [] : files.accounts(entryId, credentials);
  const others =
    used === null || labels.length === 0 || labels.includes(used)
      ? ""
      : `; its accounts are ${labels.join(", ")}`;
  const what = lacking === null ? `${name} is not connected${others}` : `${name}: ${lacking.text}`;
  const scopes = lacking?.ask ?? scopesFor(catalog, effects);
  // Nobody signs in for the others whom it is shared with: who shares it, or an operator, does.
  const person = isShared ? null : ownerFor(key, caller, credentials, auth.mode);
  const holder = files.holder(key, credentials);
  const words = loginWords({ entryId, account: used, scopes }, holder, credentials, auth.mode);
  const command = `plasm auth login ${words}`;
  if (person === null || origin === null)
    return signIn(`${what}: on the server run ${command}`, null);
  const link = newSecret();
  const invitation = {
    ...person,
    catalog,
    account: used,
    scopes,
    until: now() + LIFETIME_MS,
    back: null,
    tries: 0,
  };
  links.add(link, invitation, (other) => isSame(other, invitation));
  const url = `${origin}${CONNECT_PATH}/${link}`;
  // A host whose user cannot open addresses of this machine leads nobody there: then a command does.
  const orCommand = namesCommand ? ` (or, in a terminal, run ${command})` : "";
  const text = `${what}. Have the user open this link within ten minutes and sign in: ${url}${orCommand}`;
  return signIn(text, {
    url,
    message: `${what}. Open this page and sign in to it, within ten minutes.`,
  });
}

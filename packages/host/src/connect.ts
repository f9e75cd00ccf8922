import { createHash, randomBytes } from "node:crypto";
import type { Caller } from "@plasm/agent-core";
import {
  type Authenticator,
  type SignInInvitations,
  tenantOfScope,
  userOf,
} from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import {
  type AccountChoice,
  accountKey,
  beginSignIn,
  chooseAccountText,
  type CredentialFiles,
  type CredentialOwner,
  type CredentialScope,
  defaultHostedKey,
  finishSignIn,
  offersSignIn,
  type PendingSignIn,
  severalAccountsText,
  SignInError,
  type SignInSetting,
  StoredSecretError,
} from "@plasm/runtime";
import { againForm, beginPage, page, redirectTo } from "./connect-pages.ts";

/** Where the pages are on which people sign in, behind the server's origin. */
const CONNECT_PATH = "/v1/connect";
const CALLBACK_PATH = `${CONNECT_PATH}/callback`;

/** How long a person has to open a link, and then to consent (RUN-128). */
const LIFETIME_MS = 10 * 60_000;
/** Links of one person to one API at a time: the oldest goes first. */
const MOST_OF_PERSON = 10;
const MOST = 10_000;
/** Wrong keys after which a link is good for nobody. */
const MOST_TRIES = 5;
/** Whether people come by https: only there a cookie can be this host's alone. */
const isSecure = (origin: string): boolean => origin.startsWith("https:");

/** Of each sign-in its own: several may be under way in one browser. No other host can set one of that prefix (RFC 6265bis). */
const cookieName = (state: string, origin: string): string =>
  `${isSecure(origin) ? "__Host-" : ""}plasm_connect_${hashOf(state).slice(0, 16)}`;

function cookieOf(state: string, origin: string, value: string): string {
  // The prefix demands the whole host as path.
  const where = isSecure(origin) ? "Path=/; Secure" : `Path=${CONNECT_PATH}`;
  return `${cookieName(state, origin)}=${value}; HttpOnly; SameSite=Lax; Max-Age=${LIFETIME_MS / 1000}; ${where}`;
}

/** A link, and whom it was made for. */
interface Invitation {
  readonly catalog: Catalog;
  /** the label of the account that is connected; null for the default (RUN-129) */
  readonly account: string | null;
  readonly owner: CredentialOwner;
  readonly tenant: string;
  readonly subject: string;
  readonly until: number;
  tries: number;
}

/** A sign-in that a person has begun, in one browser. */
interface Begun {
  readonly invitation: Invitation;
  /** the secret of the link, which lives again if the provider fails */
  readonly link: string;
  readonly pending: PendingSignIn;
  /** hash of what that browser holds */
  readonly browser: string;
  readonly until: number;
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
  readonly setting: (catalog: Catalog) => SignInSetting;
  readonly now: () => number;
}

/** Links that people sign in by, and the pages behind them (RUN-128). */
export interface Connect extends SignInInvitations {
  /** Says where people reach the pages: before this nobody is given a link. */
  serveAt(origin: string): void;
  /** Answers a request for one of the pages. */
  fetch(request: Request): Promise<Response>;
}

/** What is connected, as people are told: never a catalog alone where one of its accounts is meant. */
const nameOf = ({ catalog, account }: Pick<Invitation, "catalog" | "account">): string =>
  account === null ? catalog.entryId : `${catalog.entryId} account ${account}`;

/** Whether two links are one person's to one account of an API. */
const isSame = (a: Invitation, b: Invitation): boolean =>
  a.tenant === b.tenant && a.subject === b.subject && a.owner.key === b.owner.key;

/** A name in a line that somebody pastes into a shell. */
const shellWord = (text: string): string =>
  /^[\w.@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const newSecret = (): string => randomBytes(32).toString("base64url");

/** What waits for a person, by a hash of the secret that opens it; in memory only, so that no copy of a store opens one. */
class Waiting<T extends { readonly until: number }> {
  readonly #entries = new Map<string, T>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(secret: string, entry: T, isSame: (other: T) => boolean): void {
    for (const [key, { until }] of this.#entries)
      if (until <= this.#now()) this.#entries.delete(key);
    const own = [...this.#entries].filter(([, other]) => isSame(other)).map(([key]) => key);
    const [oldest] = this.#entries.keys();
    if (own.length >= MOST_OF_PERSON) this.#entries.delete(own[0] ?? "");
    else if (this.#entries.size >= MOST) this.#entries.delete(oldest ?? "");
    this.#entries.set(hashOf(secret), entry);
  }

  get(secret: string): T | null {
    const found = this.#entries.get(hashOf(secret)) ?? null;
    return found !== null && found.until > this.#now() ? found : null;
  }

  /** Ends it; true for the first who does. */
  end(secret: string): boolean {
    return this.#entries.delete(hashOf(secret));
  }
}

const GONE =
  "This link is used up, or older than ten minutes. Nothing was connected: run the program again for another link.";
const OF_ANOTHER = "This link was made for another person. Nothing was connected.";

function cookieIn(request: Request, name: string): string {
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

/** Whoever sends a request: by its headers, or by the key that a person has put into the form. */
async function openerOf(auth: Authenticator, request: Request): Promise<Caller | null> {
  const form = request.method === "POST" ? await request.formData().catch(() => null) : null;
  const key = form?.get("key");
  const given = typeof key === "string" && key.trim() !== "" ? `Bearer ${key.trim()}` : null;
  const headers =
    given === null
      ? request.headers
      : { get: (name: string) => (name.toLowerCase() === "authorization" ? given : null) };
  try {
    return (await auth.agentOf(headers)).caller;
  } catch {
    return null;
  }
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

const signIn = (text: string) => ({ kind: "sign-in", text }) as const;

/** The pages behind links: what a person sees, presses and comes back to. */
function pagesOf(
  { auth, files, setting, now }: ConnectOptions,
  links: Waiting<Invitation>,
  begun: Waiting<Begun>,
) {
  const isHis = ({ tenant, subject }: Invitation, opener: Caller): boolean =>
    tenantOfScope(opener.scope) === tenant &&
    // A service is nobody's user, whatever it is called.
    (userOf(opener) ?? (auth.mode === "off" ? opener.subject : null)) === subject;

  const begin = async (link: string, invitation: Invitation, at: string): Promise<Response> => {
    const { catalog, account } = invitation;
    files.prepare();
    const { url, pending } = await beginSignIn(setting(catalog), `${at}${CALLBACK_PATH}`, {
      choosesAccount: account !== null,
    });
    // Only now, so that a provider that is down costs no link.
    if (!links.end(link)) return page(410, GONE);
    const browser = newSecret();
    const until = now() + LIFETIME_MS;
    const entry = { invitation, link, pending, browser: hashOf(browser), until };
    begun.add(pending.state, entry, ({ invitation: other }) => isSame(other, invitation));
    return redirectTo(url, cookieOf(pending.state, at, browser));
  };

  const open = async (link: string, request: Request, at: string): Promise<Response> => {
    const invitation = links.get(link);
    if (invitation === null) return page(410, GONE);
    const { subject } = invitation;
    // A page that is only looked at begins nothing: programs follow links before people do.
    if (request.method !== "POST")
      return beginPage(nameOf(invitation), subject, auth.mode !== "off");
    const opener = await openerOf(auth, request);
    if (opener !== null && isHis(invitation, opener)) return begin(link, invitation, at);
    invitation.tries += 1;
    if (invitation.tries >= MOST_TRIES) links.end(link);
    return opener === null
      ? page(401, "This key is not known here. Nothing was connected: go back and try again.")
      : page(403, OF_ANOTHER);
  };

  const finish = async (request: Request, at: string): Promise<Response> => {
    const answer = new URL(request.url).searchParams;
    const state = answer.get("state") ?? "";
    const found = begun.get(state);
    if (found === null) return page(410, GONE);
    const { invitation, link, pending, browser } = found;
    // What another browser brings may be somebody else's consent.
    if (hashOf(cookieIn(request, cookieName(state, at))) !== browser) return page(403, OF_ANOTHER);
    if (!begun.end(state)) return page(410, GONE);
    const { catalog, owner, subject } = invitation;
    let envelope: string;
    try {
      envelope = await finishSignIn(setting(catalog), pending, answer);
    } catch (thrown) {
      if (!(thrown instanceof SignInError) || !thrown.isOutage) throw thrown;
      // The code may be spent, so that it is no use: the link is, as long as it would have lived.
      if (invitation.until <= now()) throw thrown;
      links.add(link, invitation, (other) => isSame(other, invitation));
      return page(502, thrown.message, againForm(`${CONNECT_PATH}/${link}`));
    }
    await files.set(owner, envelope, "set", subject);
    return page(
      200,
      `You are signed in to ${nameOf(invitation)}. Go back to your agent: the same plan runs now. This page can be closed.`,
    );
  };
  return { open, finish };
}

/** Makes the links of a host; {@link Connect.serveAt} turns them on. */
export function createConnect(options: ConnectOptions): Connect {
  const { auth, files, has, isOver, accounts, setting, now } = options;
  const links = new Waiting<Invitation>(now);
  const begun = new Waiting<Begun>(now);
  const { open, finish } = pagesOf(options, links, begun);
  let origin: string | null = null;

  /** Whether nothing can be kept for a caller now: the run itself says so. What others have stored is no matter here. */
  const isUnusable = (key: string, scope: CredentialScope): boolean => {
    try {
      files.prepare();
      files.find(key, scope);
      return false;
    } catch (thrown) {
      if (thrown instanceof StoredSecretError) return true;
      throw thrown;
    }
  };

  return Object.freeze({
    lastsMs: 2 * LIFETIME_MS,
    accountOf: (catalog: Catalog, credentials: CredentialScope) =>
      accounts(catalog, credentials).used,
    serveAt: (at: string) => void (origin = at),
    async invite(catalog: Catalog, caller: Caller, credentials: CredentialScope) {
      const { entryId } = catalog;
      if (credentials.session?.has(entryId) === true) return null;
      const { used, open: several } = accounts(catalog, credentials);
      if (several.length > 0) {
        const how = chooseAccountText(catalog, several);
        return {
          kind: "choose" as const,
          text: `${severalAccountsText(entryId, several)} To go on, ${how}.`,
        };
      }
      if (!offersSignIn(catalog, setting(catalog).env)) return null;
      const key = used === null ? defaultHostedKey(entryId) : accountKey(entryId, used);
      const isSignedIn = has(catalog, credentials) && !(await isOver(catalog, credentials));
      if (isSignedIn || isUnusable(key, credentials)) return null;
      const name = nameOf({ catalog, account: used });
      const person = ownerFor(key, caller, credentials, auth.mode);
      if (person === null || origin === null) {
        const account = used === null ? "" : ` --account ${used}`;
        const whose = ownerWords(files.holder(key, credentials), credentials, auth.mode);
        const command = `plasm auth login ${entryId} --catalogs DIRECTORY${account}${whose}`;
        return signIn(`${name} is not connected: on the server run ${command}`);
      }
      const link = newSecret();
      const invitation = {
        ...person,
        catalog,
        account: used,
        until: now() + LIFETIME_MS,
        tries: 0,
      };
      links.add(link, invitation, (other) => isSame(other, invitation));
      return signIn(
        `${name} is not connected. Have the user open this link within ten minutes and sign in: ${origin}${CONNECT_PATH}/${link}`,
      );
    },
    async fetch(request: Request) {
      const { pathname } = new URL(request.url);
      const link = pathname.slice(CONNECT_PATH.length + 1);
      if (origin === null || !/^[A-Za-z0-9_-]{1,64}$/.test(link))
        return page(404, "There is nothing here.");
      if (!["GET", "POST"].includes(request.method))
        return page(405, "Open this page in a browser.");
      try {
        if (pathname !== CALLBACK_PATH) return await open(link, request, origin);
        return request.method === "GET"
          ? await finish(request, origin)
          : page(405, "This page is not sent to.");
      } catch (thrown) {
        if (thrown instanceof SignInError) return page(502, thrown.message);
        if (thrown instanceof StoredSecretError) {
          return page(
            503,
            "The server cannot keep tokens now; its operator finds out why with plasm auth list. Nothing was connected.",
          );
        }
        throw thrown;
      }
    },
  });
}

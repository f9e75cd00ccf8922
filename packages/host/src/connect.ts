import type { Caller } from "@plasm/agent-core";
import {
  type Authenticator,
  type SignInInvitations,
  tenantOfScope,
  userOf,
} from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import {
  type CredentialScope,
  type PendingSignIn,
  SignInError,
  StoredSecretError,
  beginSignIn,
  endedLabel,
  finishSignIn,
} from "@plasm/runtime";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CONNECT_PATH,
  type ConnectOptions,
  type Invitation,
  LIFETIME_MS,
  accountFault,
  accountQuestion,
  connectedName,
  invite,
  isSame,
  isSharedWithOthers,
  lackingIn,
  ownInvitation,
} from "./connect-invite.ts";
import { againForm, beginPage, page, redirectTo } from "./connect-pages.ts";
import { Waiting, hashOf, newSecret } from "./connect-waiting.ts";
import { cookieIn } from "./http.ts";

/** Where people come back to from their provider. */
const CALLBACK_PATH = `${CONNECT_PATH}/callback`;
/** Where this deployment describes itself as a client of authorization servers. */
const DOCUMENT_PATH = `${CONNECT_PATH}/client.json`;

/** Names that lead nowhere from outside. */
const INNER = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;
const HOUR_S = 3_600;

/** Whether servers elsewhere can read what stands at an origin: it is https, by a name that is not of an inner network. */
function isPublic(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  // Whatever way an address was written, a URL has it as four numbers, or in brackets.
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === "https:" && !isAddress && hostname.includes(".") && !INNER.test(hostname);
}

/** The id of this deployment for servers that read such documents, and where people come back to by it; null without a public address. */
const clientDocumentAt = (
  origin: string,
): { readonly url: string; readonly redirectUri: string } | null =>
  isPublic(origin)
    ? { url: `${origin}${DOCUMENT_PATH}`, redirectUri: `${origin}${CALLBACK_PATH}` }
    : null;

/** The document itself (draft-ietf-oauth-client-id-metadata-document); null where it could not be read from elsewhere. */
function clientDocument(origin: string): Response | null {
  const document = clientDocumentAt(origin);
  if (document === null) return null;
  const { url, redirectUri } = document;
  return Response.json(
    {
      client_id: url,
      client_name: "Plasm",
      client_uri: origin,
      application_type: "web",
      redirect_uris: [redirectUri],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    { headers: { "cache-control": `max-age=${HOUR_S}`, "x-content-type-options": "nosniff" } },
  );
}

/** How often somebody who waits for a sign-in looks. */
const LOOK_MS = 100;
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

/** Whether somebody has signed in by a link, can still do so, or cannot any more. */
export type LinkState = "signed_in" | "open" | "over";

/** Links that people sign in by, and the pages behind them (RUN-128). */
export interface Connect extends SignInInvitations {
  /**
   * Says where people reach the pages: before this nobody is given a link. `namesCommand` for pages of this machine alone, which its user's
   * browser may not reach: texts name the command, too.
   */
  serveAt(origin: string, namesCommand?: boolean): void;
  /** Answers a request for one of the pages. */
  fetch(request: Request): Promise<Response>;
  /**
   * Begins a sign-in that a person has asked for on a page of ours, in the browser that gets the cookie: where it leads to. Null where
   * tokens that the person's calls use are not theirs to bring, or nobody reaches the pages. Throws SignInError, StoredSecretError.
   */
  begin(
    caller: Caller,
    credentials: CredentialScope,
    what: { readonly catalog: Catalog; readonly account: string | null },
  ): Promise<{ readonly url: string; readonly cookie: string } | null>;
  /** Waits until nobody can sign in by a link any more: somebody has, or it is over; `open` where that has not come about in time. */
  settled(
    url: string,
    wait: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<LinkState>;
}

const GONE =
  "This link is used up, or older than ten minutes. Nothing was connected: run the program again for another link.";
const OF_ANOTHER = "This link was made for another person. Nothing was connected.";

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

const backPage = (text: string, back: string): Response =>
  page(502, text, againForm(back, "Back to your connections"));

const connectedPage = (invitation: Invitation): Response =>
  invitation.back === null
    ? page(
        200,
        `You are signed in to ${connectedName(invitation)}. Go back to your agent: the same plan runs now. This page can be closed.`,
      )
    : redirectTo(invitation.back, null);

/** Whether a person is the one whom a link was made for. */
const isFor =
  (auth: Authenticator) =>
  ({ tenant, subject }: Invitation, opener: Caller): boolean =>
    tenantOfScope(opener.scope) === tenant &&
    // A service is nobody's user, whatever it is called.
    (userOf(opener) ?? (auth.mode === "off" ? opener.subject : null)) === subject;

/** The pages behind links: what a person sees, presses and comes back to. */
function pagesOf(
  { auth, files, setting, signedIn, now }: ConnectOptions,
  links: Waiting<Invitation>,
  begun: Waiting<Begun>,
) {
  /** links whose sign-in is being asked for and kept */
  const finishing = new Set<string>();
  const used = new Waiting<{ readonly until: number }>(now);
  const isHis = isFor(auth);

  const lead = async (
    link: string,
    invitation: Invitation,
    at: string,
  ): Promise<{ readonly url: string; readonly cookie: string } | null> => {
    const { catalog, account, scopes } = invitation;
    files.prepare();
    const asked = { ...setting(catalog), clientDocument: clientDocumentAt(at) };
    const { url, pending } = await beginSignIn(asked, `${at}${CALLBACK_PATH}`, {
      choosesAccount: account !== null,
      scopes,
    });
    // Only now, so that a provider that is down costs no link.
    if (!links.end(link)) return null;
    const browser = newSecret();
    const until = now() + LIFETIME_MS;
    const entry = { invitation, link, pending, browser: hashOf(browser), until };
    begun.add(pending.state, entry, ({ invitation: other }) => isSame(other, invitation));
    return { url, cookie: cookieOf(pending.state, at, browser) };
  };
  const begin = async (link: string, invitation: Invitation, at: string): Promise<Response> => {
    const led = await lead(link, invitation, at);
    return led === null ? page(410, GONE) : redirectTo(led.url, led.cookie);
  };

  const open = async (link: string, request: Request, at: string): Promise<Response> => {
    const invitation = links.get(link);
    if (invitation === null) return page(410, GONE);
    const { subject } = invitation;
    // A page that is only looked at begins nothing: programs follow links before people do.
    if (request.method !== "POST")
      return beginPage(connectedName(invitation), subject, auth.mode !== "off");
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
    const { link, browser } = found;
    // What another browser brings may be somebody else's consent.
    if (hashOf(cookieIn(request, cookieName(state, at))) !== browser) return page(403, OF_ANOTHER);
    if (!begun.end(state)) return page(410, GONE);
    finishing.add(link);
    try {
      return await keep(found, answer);
    } finally {
      finishing.delete(link);
    }
  };

  const keep = async (
    { invitation, link, pending }: Begun,
    answer: URLSearchParams,
  ): Promise<Response> => {
    const { catalog, owner, subject, tenant, account } = invitation;
    let envelope: string;
    try {
      envelope = await finishSignIn(setting(catalog), pending, answer);
    } catch (thrown) {
      if (!(thrown instanceof SignInError)) throw thrown;
      // Whoever came from a page of ours begins there again.
      if (invitation.back !== null) return backPage(thrown.message, invitation.back);
      if (!thrown.isOutage) throw thrown;
      // The code may be spent, so that it is no use: the link is, as long as it would have lived.
      if (invitation.until <= now()) throw thrown;
      links.add(link, invitation, (other) => isSame(other, invitation));
      return page(502, thrown.message, againForm(`${CONNECT_PATH}/${link}`));
    }
    await signedIn({ tenant, subject, entryId: catalog.entryId, account });
    await files.set(owner, envelope, "set", subject);
    used.add(link, { until: now() + LIFETIME_MS }, () => false);
    return connectedPage(invitation);
  };
  const stateOf = (link: string): LinkState => {
    if (used.get(link) !== null) return "signed_in";
    const mayCome =
      links.get(link) !== null || finishing.has(link) || begun.some((one) => one.link === link);
    return mayCome ? "open" : "over";
  };
  return { open, finish, lead, stateOf };
}

/** Makes the links of a host; {@link Connect.serveAt} turns them on. */
export function createConnect(options: ConnectOptions): Connect {
  const { accounts, now } = options;
  const links = new Waiting<Invitation>(now);
  const begun = new Waiting<Begun>(now);
  const { open, finish, lead, stateOf } = pagesOf(options, links, begun);
  let origin: string | null = null;
  let named = false;

  return Object.freeze({
    lastsMs: 2 * LIFETIME_MS,
    accountOf: (catalog: Catalog, credentials: CredentialScope) => {
      const { used } = accounts(catalog, credentials);
      return used !== null && isSharedWithOthers(options, catalog, used, credentials)
        ? endedLabel(used)
        : used;
    },
    accountQuestion: (catalog: Catalog, credentials: CredentialScope) =>
      accountQuestion(catalog, accounts(catalog, credentials)),
    missingScopes: (
      catalog: Catalog,
      credentials: CredentialScope,
      capabilities: readonly string[],
    ) => lackingIn(options, catalog, credentials, capabilities)?.text ?? null,
    accountFault: (catalog: Catalog, account: string, credentials: CredentialScope) =>
      accountFault(options, origin, catalog, account, credentials),
    serveAt(at: string, namesCommand = false) {
      origin = at;
      named = namesCommand;
    },
    begin: async (
      caller: Caller,
      credentials: CredentialScope,
      what: Pick<Invitation, "catalog" | "account">,
    ) => {
      const invitation = ownInvitation(options, caller, credentials, what);
      if (origin === null || invitation === null) return null;
      const link = newSecret();
      links.add(link, invitation, (other) => isSame(other, invitation));
      return lead(link, invitation, origin);
    },
    invite: (
      catalog: Catalog,
      caller: Caller,
      credentials: CredentialScope,
      effects: readonly string[],
    ) =>
      invite(
        options,
        { links, origin, namesCommand: named },
        { catalog, caller, credentials, effects },
      ),
    async settled(
      url: string,
      { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
    ) {
      const start = `${origin ?? ""}${CONNECT_PATH}/`;
      const link = url.startsWith(start) ? url.slice(start.length) : "";
      // By the machine's own time: nothing is decided by it but how long somebody waits.
      const latest = performance.now() + ms;
      while (stateOf(link) === "open" && !signal.aborted && performance.now() < latest)
        await sleep(LOOK_MS);
      return stateOf(link);
    },
    async fetch(request: Request) {
      const { pathname } = new URL(request.url);
      if (pathname === DOCUMENT_PATH && origin !== null && request.method === "GET") {
        const document = clientDocument(origin);
        if (document !== null) return document;
      }
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

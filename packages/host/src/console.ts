import { Failure, type KeyRole, LOCAL, type Store } from "@plasm/agent-core";
import { type Authenticator, fail, problem, tenantForm } from "@plasm/agent-core/internal";
import type { HostKeys } from "./auth.ts";
import { consoleFiles, secured } from "./console-files.ts";
import { hashOf, newSecret, Waiting } from "./connect-waiting.ts";
import { type ConsoleProviders, PROVIDERS_PATH } from "./console-providers.ts";
import { type KeptCredential, type KeptSession, KeptSessions } from "./console-sessions.ts";
import { cookieIn, problemResponse } from "./http.ts";
import { VERSION } from "./version.ts";

const SESSION_PATH = "/v1/console/session";
/** What a credential is refused with that is not good any more. */
const REFUSALS: ReadonlySet<string> = new Set([
  "plasm-unauthenticated",
  "plasm-policy-denied",
  "plasm-insufficient-scope",
]);
/** Carries what only the page of this very origin knows: no form and no link of another page can send it. */
const HEADER = "x-plasm-console";
const LIFETIME_MS = 12 * 3_600_000;
/** Whoever is nobody any more at the provider is nobody here after this time. */
const PERSON_MS = 3_600_000;

type Holder = NonNullable<Awaited<ReturnType<HostKeys["recordOf"]>>>;

/** The credential of one role, and whom it stands for. */
interface Credential {
  readonly text: string;
  readonly subject: string;
}

/** A browser that somebody has signed in with, and its credentials as this process knows them. */
interface Session extends KeptSession {
  readonly id: string;
  readonly texts: ReadonlyMap<KeyRole, Credential>;
}

/** Whoever signs in, and for how long that is good. */
interface Proven extends Pick<KeptSession, "tenant" | "credentials"> {
  readonly lastsMs: number;
  /** cookies that have served and end now */
  readonly ended?: readonly string[];
}

/** What the console is made of. */
export interface ConsoleOptions {
  /** where sign-ins are kept */
  readonly store: Store;
  readonly auth: Authenticator;
  readonly keys: HostKeys;
  /** where people sign in who bring no key */
  readonly providers: ConsoleProviders;
  /** somebody has signed in at a provider */
  readonly signedIn: (tenant: string, subject: string, issuer: string) => Promise<void>;
  /** where its files are; without it there is no page */
  readonly directory: string | undefined;
  /** where people meet the server, if that is set */
  readonly origin: string | undefined;
  readonly now: () => number;
}

/** The console: its files, who is signed in, and the calls of its pages (SURF-31). */
export interface Console {
  /** Answers a request for a file of the console, or for its sign-in. */
  fetch(request: Request): Promise<Response>;
  /**
   * A request as whoever is signed in sends it: with the credential that its route takes. The very same request where no page of
   * the console sends it, or where it brings a credential of its own. Throws plasm-unauthenticated for a page of the console on
   * which nobody is signed in: its call is never one of a caller without proof.
   */
  authorize(request: Request): Promise<Request>;
  /** The text of a new link that signs in once whoever opens it, as operator of a server that asks nobody who calls; null elsewhere. */
  link(url: string): string | null;
  /** Called when such a link has been used. */
  onLinkUsed(listener: () => void): void;
  /** The keys of the deployment, and those of the console's own sessions. */
  readonly keys: HostKeys;
}

const isBelow = (path: string, ...roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** What an agent has run with its own rights from then on, and no operator in its place (SAV-17). */
const isAgents = (method: string, path: string): boolean =>
  method === "POST" && /^\/v1\/schedules(?:\/[^/]+\/resume)?$/.test(path);

/** Which role's credential a route takes, the best first: of what an operator sees all of the tenant, an agent sees its own. */
function rolesFor(method: string, path: string): readonly KeyRole[] {
  if (path.startsWith("/v1/admin/")) return ["admin"];
  if (isBelow(path, "/v1/approvals", "/v1/audit")) return ["operator"];
  return isBelow(path, "/v1/operations", "/v1/schedules") && !isAgents(method, path)
    ? ["operator", "agent"]
    : ["agent", "operator", "admin"];
}

const isProviders = (path: string): boolean => isBelow(path, PROVIDERS_PATH);

/** Models speak MCP, and no session of a browser does. */
const takesSessions = (path: string): boolean =>
  (path.startsWith("/v1/") && path !== SESSION_PATH && !isProviders(path)) ||
  path === "/execute" ||
  path.startsWith("/execute/");

const asBearer = (text: string) => ({
  get: (name: string) => (name.toLowerCase() === "authorization" ? `Bearer ${text}` : null),
});

/** Keys that stand for whoever holds the terminal of a server that asks nobody who calls. They never leave this process. */
function localKeys(keys: HostKeys) {
  const own = new Map<string, Holder>();
  const credentials = new Map<KeyRole, Credential>();
  for (const role of ["operator", "admin"] as const) {
    const text = `console_${newSecret()}`;
    const subject = "console";
    own.set(text, { tenant: LOCAL.scope, subject, role });
    credentials.set(role, { text, subject });
  }
  const ring: HostKeys = {
    ...keys,
    recordOf: async (text) => own.get(text) ?? keys.recordOf(text),
  };
  return { ring, credentials: credentials as ReadonlyMap<KeyRole, Credential> };
}

/** The page that sends a request is one of this very address, port included. */
function isOwnPage(request: Request, origin: string | undefined): boolean {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const from = headers.get("origin");
  if (from === null) return request.method === "GET" || request.method === "HEAD";
  const host = headers.get("host") ?? new URL(request.url).host;
  return from === origin || (URL.canParse(from) && new URL(from).host === host);
}

/** Returns who a credential of a sign-in stands for. Throws plasm-unauthenticated. */
async function whoseIs(
  { auth, keys }: ConsoleOptions,
  request: Request,
): Promise<{ readonly tenant: string; readonly roles: readonly KeyRole[] } & Credential> {
  const given =
    request.headers.get("x-api-key") ??
    /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (given === undefined) throw fail("plasm-unauthenticated", "Send a key as X-API-Key.");
  const record = await keys.recordOf(given);
  if (record !== null) {
    const { tenant, role, roles = [], subject } = record;
    const all = roles.length === 0 ? [role] : roles;
    return { tenant: tenantForm(tenant), roles: all, subject, text: given };
  }
  if (auth.mode === "off" || auth.issuers.length === 0)
    throw fail("plasm-unauthenticated", "This key is not known here.");
  const { caller } = await auth.agentOf(asBearer(given));
  return { tenant: caller.scope, roles: ["agent"], subject: caller.subject ?? "", text: given };
}

/** The sessions of a console: how they begin, are known again and end. */
class ConsoleSessions {
  readonly #options: ConsoleOptions;
  readonly #local: ReadonlyMap<KeyRole, Credential>;
  readonly #sessions: KeptSessions;
  readonly #links: Waiting<{ readonly until: number }>;
  readonly listeners: (() => void)[] = [];

  constructor(options: ConsoleOptions, local: ReadonlyMap<KeyRole, Credential>) {
    this.#options = options;
    this.#local = local;
    this.#sessions = new KeptSessions(options.store);
    this.#links = new Waiting(options.now);
  }

  newLink(): string {
    const secret = newSecret();
    this.#links.add(secret, { until: Number.POSITIVE_INFINITY }, () => true);
    return secret;
  }

  /** Each port of a host has a cookie of its own, though browsers send all of them to each. */
  #cookieName(request: Request): string {
    if (this.#isSecure()) return "__Host-plasm_console";
    const host = request.headers.get("host") ?? new URL(request.url).host;
    // Replicas behind one address have one cookie, whatever each is asked as.
    const { port } = new URL(this.#options.origin ?? `http://${host}`);
    return `plasm_console_${port || "80"}`;
  }

  #isSecure(): boolean {
    return this.#options.origin?.startsWith("https:") === true;
  }

  #cookie(request: Request, value: string, seconds: number): string {
    const secure = this.#isSecure() ? "; Secure" : "";
    return `${this.#cookieName(request)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`;
  }

  /** The session of a request that its own page sends; null for any other. */
  async of(request: Request): Promise<Session | null> {
    const token = request.headers.get(HEADER);
    const cookie = cookieIn(request, this.#cookieName(request));
    if (token === null || cookie === "" || !isOwnPage(request, this.#options.origin)) return null;
    const session = await this.#sessions.find(cookie, token);
    if (session === null) return null;
    const texts = new Map<KeyRole, Credential>();
    for (const [role, one] of session.credentials) {
      const text = this.#textOf(role, one, session.until);
      if (text !== null) texts.set(role, { text, subject: one.subject });
    }
    return texts.size === 0 ? null : { ...session, texts };
  }

  /** A kept credential as this process takes it; null where the server, as it is set now, would not have given it. */
  #textOf(role: KeyRole, one: KeptCredential, until: number): string | null {
    const { auth, providers } = this.#options;
    switch (one.kind) {
      case "key":
        return one.text;
      case "terminal":
        return auth.mode === "off" ? (this.#local.get(role)?.text ?? null) : null;
      case "person": {
        const { issuer, caller } = one.person;
        if (providers.reading(issuer) !== one.reading) return null;
        const { now } = this.#options;
        const left = until - this.#sessions.now();
        return providers.issue({ caller, roles: [role] }, now() + left, one.text);
      }
    }
  }

  /** Signs in whoever brings the secret of a link, or a key, under an id that no browser has had before. */
  async begin(request: Request): Promise<Response> {
    if (!isOwnPage(request, this.#options.origin) || request.headers.get(HEADER) === null)
      return problemResponse(problem("plasm-policy-denied", "Sign in on the page of this server."));
    const { tenant, credentials, lastsMs, ended = [] } = await this.#proven(request);
    const before = await this.of(request);
    const kept = before?.tenant === tenant ? await this.#goodOf(before) : [];
    const until = before?.until ?? Infinity;
    if (before !== null) await this.#sessions.end(before.id);
    const token = newSecret();
    const session: KeptSession = {
      tenant,
      credentials: new Map([...kept, ...credentials]),
      page: hashOf(token),
      // What is kept of before lasts no longer for it.
      until: Math.min(this.#sessions.now() + lastsMs, kept.length === 0 ? Infinity : until),
    };
    const cookie = await this.#sessions.add(session);
    const shown = answer({ ...this.#shown(session), page_token: token });
    const cookies = [this.#cookie(request, cookie, lastsMs / 1000), ...ended];
    for (const cookie of cookies) shown.headers.append("set-cookie", cookie);
    return shown;
  }

  async #proven(request: Request): Promise<Proven> {
    const body: unknown = await request.json().catch(() => null);
    const given = (name: string): unknown =>
      typeof body === "object" && body !== null ? new Map(Object.entries(body)).get(name) : null;
    const [link, provider] = [given("link"), given("provider")];
    if (typeof provider === "string") return this.#person(request, provider);
    if (typeof link === "string") {
      if (!this.#links.end(link))
        throw fail(
          "plasm-unauthenticated",
          "This link has been used, or is of an earlier start. The terminal of plasm serve has a new one.",
        );
      for (const listener of this.listeners) listener();
      const terminal = [...this.#local].map(
        ([role, { subject }]) => [role, { kind: "terminal", subject }] as const,
      );
      return { tenant: LOCAL.scope, credentials: new Map(terminal), lastsMs: LIFETIME_MS };
    }
    const { tenant, roles, text, subject } = await whoseIs(this.#options, request);
    return {
      tenant,
      credentials: new Map(roles.map((role) => [role, { kind: "key", text, subject }])),
      lastsMs: LIFETIME_MS,
    };
  }

  /** Whoever has come back from a provider: with a credential of each role, so that each route judges one. */
  async #person(request: Request, state: string): Promise<Proven> {
    const { providers, now, signedIn } = this.#options;
    const { cookie, ...person } = await providers.take(request, state, this.#options.store);
    const { caller, roles, issuer } = person;
    const subject = caller.subject ?? "";
    await signedIn(caller.scope, subject, issuer);
    const reading = providers.reading(issuer) ?? "";
    const credentials = roles.map((role) => {
      const text = providers.issue({ caller, roles: [role] }, now() + PERSON_MS);
      return [role, { kind: "person", text, subject, person, reading }] as const;
    });
    return {
      tenant: caller.scope,
      credentials: new Map(credentials),
      lastsMs: PERSON_MS,
      ended: [cookie],
    };
  }

  /** Who is signed in; a key that has been removed meanwhile ends it. */
  async show(request: Request): Promise<Response> {
    const session = await this.of(request);
    if (session === null) throw fail("plasm-unauthenticated", "Nobody is signed in.");
    const known = await Promise.all([...session.texts.values()].map((one) => this.#isKnown(one)));
    if (known.includes(false)) {
      await this.#sessions.end(session.id);
      throw fail("plasm-unauthenticated", "The key of this sign-in is not good any more.");
    }
    return answer(this.#shown(session));
  }

  /** The credentials of a session that are still good. */
  async #goodOf({
    credentials,
    texts,
  }: Session): Promise<readonly (readonly [KeyRole, KeptCredential])[]> {
    const all = [...texts];
    const known = await Promise.all(all.map(([, one]) => this.#isKnown(one)));
    const good = new Set(all.filter((_, index) => known[index]).map(([role]) => role));
    return [...credentials].filter(([role]) => good.has(role));
  }

  /** Whether a credential is good; whoever cannot say so now has not said that it is not. */
  async #isKnown({ text }: Credential): Promise<boolean> {
    const { keys, auth } = this.#options;
    if ([...this.#local.values()].some((one) => one.text === text)) return true;
    try {
      if ((await keys.recordOf(text)) !== null) return true;
      await auth.agentOf(asBearer(text));
      return auth.mode !== "off";
    } catch (thrown) {
      if (thrown instanceof Failure && REFUSALS.has(thrown.problem.code)) return false;
      throw thrown;
    }
  }

  async end(request: Request): Promise<Response> {
    const session = await this.of(request);
    if (session === null) throw fail("plasm-unauthenticated", "Nobody is signed in.");
    await this.#sessions.end(session.id);
    this.#options.providers.end([...session.texts.values()].map(({ text }) => text));
    return answer({ signed_out: true }, { "set-cookie": this.#cookie(request, "", 0) });
  }

  #shown({ tenant, credentials, until }: Omit<KeptSession, "page">): object {
    const { mode } = this.#options.auth;
    const roles = new Map<KeyRole, string>(
      [...credentials].map(([role, { subject }]) => [role, subject]),
    );
    // Where nobody proves anything, everybody may call as the agent that all are.
    if (mode === "off") roles.set("agent", LOCAL.subject ?? "");
    return {
      tenant,
      roles: Object.fromEntries(roles),
      auth: mode,
      version: VERSION,
      expires_at: new Date(until).toISOString(),
    };
  }
}

const answer = (value: object, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(value), {
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });

/** A request with a credential in place of the cookie. */
function withCredential(request: Request, { text }: Credential): Request {
  const headers = new Headers(request.headers);
  headers.delete("cookie");
  headers.set("authorization", `Bearer ${text}`);
  const { method, signal, body } = request;
  return new Request(request.url, {
    method,
    headers,
    signal,
    ...(body === null ? {} : { body, duplex: "half" }),
  });
}

/** Makes the console of a host. */
export function createConsole(options: ConsoleOptions): Console {
  const { ring, credentials } = localKeys(options.keys);
  const sessions = new ConsoleSessions(options, credentials);
  const files = consoleFiles(options.directory);
  const signIn = async (request: Request): Promise<Response> => {
    switch (request.method) {
      case "GET":
        return sessions.show(request);
      case "POST":
        return sessions.begin(request);
      case "DELETE":
        return sessions.end(request);
      default:
        return problemResponse(problem("plasm-method-not-allowed", "Use GET, POST or DELETE."), {
          allow: "GET, POST, DELETE",
        });
    }
  };
  return {
    keys: ring,
    link: (url) =>
      options.auth.mode === "off" && options.directory !== undefined
        ? `${url}/console/#sign-in=${sessions.newLink()}`
        : null,
    onLinkUsed: (listener) => void sessions.listeners.push(listener),
    async authorize(request) {
      const { headers } = request;
      const { pathname } = new URL(request.url);
      if (headers.get(HEADER) === null || !takesSessions(pathname)) return request;
      if (headers.get("x-api-key") !== null || headers.get("authorization") !== null)
        return request;
      const found = await sessions.of(request);
      if (found === null) throw fail("plasm-unauthenticated", "Nobody is signed in.");
      // Where nobody proves anything, what agents keep is that of the one agent that all are.
      if (options.auth.mode === "off" && isBelow(pathname, "/v1/programs")) return request;
      const role = rolesFor(request.method, pathname).find((one) => found.texts.has(one));
      const credential = role === undefined ? undefined : found.texts.get(role);
      return credential === undefined ? request : withCredential(request, credential);
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === SESSION_PATH) return secured(await signIn(request));
      if (pathname === PROVIDERS_PATH)
        return secured(answer({ providers: options.providers.list }));
      if (isProviders(pathname)) return options.providers.fetch(request, options.store);
      return files(request);
    },
  };
}

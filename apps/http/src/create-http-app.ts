import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Caller, type Engine, LOCAL, type Problem } from "@plasm/agent-core";
import {
  type Authenticator,
  fail,
  type ProvenIdentity,
  nextTurn,
  noAuthentication,
  NOBODY,
  problem,
  refuseUnknown,
  tenantForm,
} from "@plasm/agent-core/internal";
import { visible } from "@plasm/core/internal";
import {
  type Accounts,
  type CallLog,
  type CallNote,
  type Connect,
  type Console,
  foreignHost,
  logCall,
  LOOPBACK_HOSTS,
  MCP_PATH,
  METADATA_PATHS,
  noteProblem,
  notingCaller,
  problemResponse,
  protectedResource,
  SERVER_CARDS,
  stepUpHeaders,
  withinTrace,
} from "@plasm/host";
import { type Context, Hono } from "hono";
import { ROUTES } from "./routes/all-routes.ts";
import {
  type Administrators,
  credentialOf,
  NO_ACCOUNTS,
  NO_ADMINISTRATORS,
  NO_OPERATORS,
  type Operators,
  type Route,
  sentCredential,
} from "./routes/route.ts";
import { health, openapi, ready } from "./routes/about.ts";
import type { Guesses } from "./server/guesses.ts";

/** What answers at /mcp. */
export interface MountedMcp {
  readonly fetch: (request: Request, requestId?: string) => Promise<Response>;
  close(): Promise<void>;
}

/** What the HTTP surface serves, and to whom. */
export interface HttpAppOptions {
  readonly engine: Engine;
  /** who decides on plans that wait; without them nobody does (OPS-36) */
  readonly operators?: Operators | undefined;
  /** answers at /mcp */
  readonly mcp: MountedMcp;
  /** who changes policies; without them nobody does (SURF-16) */
  readonly administrators?: Administrators | undefined;
  /** who calls, where nobody has to prove it */
  readonly caller?: Caller;
  /** answers under /v1/connect: pages on which people sign in to APIs (RUN-128) */
  readonly connect?: Pick<Connect, "fetch"> | undefined;
  /** what callers are connected to; nothing without it (RUN-186) */
  readonly accounts?: Accounts | undefined;
  /** answers under /console, and knows who is signed in there (SURF-31) */
  readonly console?: Pick<Console, "fetch" | "authorize"> | undefined;
  /** how callers prove who they are; not at all without it (SURF-23) */
  readonly auth?: Authenticator | undefined;
  /** where clients meet this server, if not at the address they send requests to */
  readonly origin?: string | undefined;
  readonly log?: CallLog | undefined;
  /** slows down who guesses keys and paths; nobody without it */
  readonly guesses?: Guesses | undefined;
  /** hostnames that may stand in Host and Origin; loopback's by default */
  readonly hosts?: readonly string[];
}

/** SURF-16's table, and its document. */
const SERVED: readonly Route[] = Object.freeze([...ROUTES, openapi(ROUTES)]);

/** Echoed only if it is safe in a header and a log line. */
const REQUEST_ID = /^[\w.:=-]{1,128}$/;

const requestIds = new WeakMap<Request, string>();

/** The id of a request: the one that was sent, or one of its own, and the same whenever it is asked for. */
function requestIdOf(request: Request): string {
  const known = requestIds.get(request);
  if (known !== undefined) return known;
  const given = request.headers.get("x-request-id");
  const id = given !== null && REQUEST_ID.test(given) ? given : randomUUID();
  requestIds.set(request, id);
  return id;
}

/** The query as a map; a name given twice says two things at once. */
function queryOf(url: string, { path, method, query = [] }: Route): ReadonlyMap<string, string> {
  const { searchParams } = new URL(url);
  const names = [...searchParams.keys()];
  refuseUnknown(names, { of: `The query of ${method} ${path}`, told: query });
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw fail("plasm-bad-request", `${twice} stands twice in the query.`);
  return new Map(searchParams);
}

interface Serving {
  readonly engine: Engine;
  readonly operators: Operators;
  readonly administrators: Administrators;
  readonly accounts: Accounts;
  readonly auth: Authenticator;
  readonly origin: string | undefined;
  readonly log: CallLog | undefined;
}

/** Who sends a request whose route does not ask. */
const UNASKED: ProvenIdentity = Object.freeze({ caller: NOBODY, method: "none", role: "agent" });

/** An operator as a caller that only reads (SURF-29); null for the credential of anybody else. */
async function overseer({ keys }: Operators, request: Request): Promise<ProvenIdentity | null> {
  const credential = credentialOf(request);
  // What is no good is refused as an agent's would be.
  const record = credential === null ? null : await keys.recordOf(credential).catch(() => null);
  if (record === null || !(record.roles ?? [record.role]).includes("operator")) return null;
  const { tenant, subject } = record;
  const caller = { scope: tenantForm(tenant), subject, connection: null, oversees: true } as const;
  return { caller, method: record.roles === undefined ? "api_key" : "jwt", role: "operator" };
}

async function identityFor(
  { access = "agent" }: Route,
  { auth, operators }: Serving,
  request: Request,
): Promise<ProvenIdentity> {
  const { headers } = request;
  switch (access) {
    case "public":
    case "own":
      return UNASKED;
    case "known":
      return auth.identify(headers);
    case "overseen":
      return (await overseer(operators, request)) ?? auth.agentOf(headers);
    case "agent":
      return auth.agentOf(headers);
  }
}

/**
 * Notes in the audit log of a tenant that one of its keys, or tokens, was refused what its role does not let it. What a call of the engine
 * refuses is noted there.
 */
async function noteRefusal(
  { engine, auth }: Serving,
  route: Route,
  request: Request,
  refused: Problem,
): Promise<void> {
  const holder = refused.status === 403 ? await auth.holderOf(request.headers) : null;
  if (holder === null) return;
  await engine.noteRefusal(askedOf(route), { ...holder, requestId: requestIdOf(request) }, refused);
}

async function answer(
  route: Route,
  serving: Serving,
  identity: ProvenIdentity,
  c: Context,
  note: CallNote,
) {
  const { log: _, origin: __, ...given } = serving;
  const { engine } = given;
  const { raw: request } = c.req;
  try {
    const query = queryOf(request.url, route);
    const params = c.req.param();
    const requestId = requestIdOf(request);
    note.requestId = requestId;
    const caller = notingCaller(identity.caller, note);
    const asked = { request, requestId, params, query };
    return await route.handle({ ...given, identity, caller, note, ...asked });
  } catch (thrown) {
    const problem = engine.problemOf(thrown);
    noteProblem(note, problem, askedOf(route));
    if (route.access === "own") await noteRefusal(serving, route, request, problem);
    return problemResponse(problem, stepUpHeaders(request, problem, serving.auth, serving.origin));
  }
}

const askedOf = ({ method, path }: Route): string => `${method} ${path}`;

/** Answers a request that gets no further. Whoever is refused leaves a record, nobody else does. */
const turnAway = (
  log: CallLog | undefined,
  problem: Problem,
  asked: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  logCall(log, null, null, async (note) => {
    noteProblem(note, problem, asked);
    return problemResponse(problem, headers);
  });

function addRoute(app: Hono, route: Route, serving: Serving): void {
  const { engine, log } = serving;
  app.on(route.method, route.path, async (c) => {
    let identity: ProvenIdentity;
    try {
      identity = await identityFor(route, serving, c.req.raw);
    } catch (thrown) {
      const problem = engine.problemOf(thrown);
      const headers = stepUpHeaders(c.req.raw, problem, serving.auth, serving.origin);
      await noteRefusal(serving, route, c.req.raw, problem);
      return turnAway(log, problem, askedOf(route), headers);
    }
    const { raw } = c.req;
    if (identity.method !== "none") proved.add(raw);
    const response = await logCall(log, identity.caller, route.name ?? null, (note) =>
      answer(route, serving, identity, c, note),
    );
    // Its handler has looked who it is.
    if (route.access === "own" && response.ok) proved.add(raw);
    return response;
  });
}

/** A known path answers other methods with what it takes. */
function addMethodNotAllowed(app: Hono): void {
  for (const path of new Set(SERVED.map((route) => route.path))) {
    const routes = SERVED.filter((route) => route.path === path);
    const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const allow = methods.join(", ");
    app.all(path, (c) => {
      const text = `${c.req.method} is not for this route. Use ${allow}.`;
      return problemResponse(problem("plasm-method-not-allowed", text), { allow });
    });
  }
}

/** The same request, as who is no page sends it. */
function withoutOrigin({ url, headers }: Request): Request {
  const others = [...headers].filter(([name]) => name !== "origin");
  return new Request(url, { headers: others });
}

async function setRequestId(c: Context, next: () => Promise<void>): Promise<void> {
  const id = requestIdOf(c.req.raw);
  await next();
  c.res.headers.set("x-request-id", id);
}

/** The other end of a request's connection; null for one that came over none. */
function addressOf({ env }: Context): string | null {
  const { incoming } = (env ?? {}) as { readonly incoming?: IncomingMessage };
  return incoming?.socket.remoteAddress ?? null;
}

/**
 * Requests whose credential was looked at, and was good. The answer of a route that looks at none, or of no route at all, says nothing of it:
 * a guess that it passed with would be let through ever after.
 */
const proved = new WeakSet<Request>();

/** Lets nobody guess keys or paths quickly, on any route and over MCP alike. */
function holdGuesses(
  app: Hono,
  guesses: Guesses,
  { log, auth: { mode } }: Pick<Serving, "log" | "auth">,
): void {
  app.use(async (c, next) => {
    const { path, method, raw } = c.req;
    // Where nobody has to prove who they are, only the routes of operators and administrators look at keys.
    const asked = mode !== "off" || path.startsWith("/v1/") || path === "/metrics";
    const credential = asked ? sentCredential(raw) : null;
    const attempt = { address: addressOf(c), credential, path };
    const refused = guesses.refuse(attempt);
    if (refused !== null) return turnAway(log, refused, `${method} by one who guesses`);
    await next();
    const { status } = c.res;
    const isLookedAt = status === 401 || proved.has(raw);
    guesses.note(isLookedAt ? attempt : { ...attempt, credential: null }, status);
    return undefined;
  });
}

/**
 * The HTTP surface: SURF-16's routes and MCP at /mcp. Every error of any route is
 * `application/problem+json` (SURF-18); Host and Origin are checked on all (SURF-16).
 */
export function createHttpApp(options: HttpAppOptions): Hono {
  const { engine, mcp, log, caller = LOCAL, hosts = LOOPBACK_HOSTS } = options;
  const { operators = NO_OPERATORS, administrators = NO_ADMINISTRATORS } = options;
  const { accounts = NO_ACCOUNTS } = options;
  const auth = options.auth ?? noAuthentication(caller);
  const app = new Hono();
  app.use(setRequestId);
  const { console: page } = options;
  if (page !== undefined) {
    app.use(async (c, next) => {
      c.req.raw = await page.authorize(c.req.raw);
      await next();
    });
  }
  // However many calls arrive at once, the loop has its turn before each; health and readiness are not among those who wait.
  app.use(async (c, next) => {
    if (c.req.path !== health.path && c.req.path !== ready.path) await nextTurn();
    return next();
  });
  app.use((c, next) => withinTrace((field) => c.req.header(field), next));
  app.use(async (c, next) => {
    const open = options.origin !== undefined && SERVER_CARDS.has(c.req.path);
    const refused = foreignHost(open ? withoutOrigin(c.req.raw) : c.req.raw, hosts);
    if (refused !== null) return turnAway(log, refused, `${c.req.method} by a foreign name`);
    return next();
  });
  if (options.guesses !== undefined) holdGuesses(app, options.guesses, { log, auth });
  app.all(MCP_PATH, async (c) => {
    const response = await mcp.fetch(c.req.raw, requestIdOf(c.req.raw));
    if (response.status !== 401) proved.add(c.req.raw);
    return response;
  });
  const { connect } = options;
  if (connect !== undefined) app.all("/v1/connect/:link", (c) => connect.fetch(c.req.raw));
  if (page !== undefined) {
    for (const path of ["/console", "/console/*", "/v1/console/*"])
      app.all(path, (c) => page.fetch(c.req.raw));
  }
  const { origin } = options;
  const serving = { engine, operators, administrators, accounts, auth, origin, log };
  for (const path of METADATA_PATHS) {
    app.get(path, (c) => protectedResource(c.req.raw, auth, options.origin));
  }
  for (const [path, document] of SERVER_CARDS) {
    app.get(path, (c) => document(c.req.raw, auth, options.origin));
  }
  for (const route of SERVED) addRoute(app, route, serving);
  addMethodNotAllowed(app);
  app.notFound((c) => {
    const text = `No route ${c.req.method} ${visible(c.req.path)}.`;
    return problemResponse(problem("plasm-unknown-route", text));
  });
  app.onError((thrown) => problemResponse(engine.problemOf(thrown)));
  return app;
}

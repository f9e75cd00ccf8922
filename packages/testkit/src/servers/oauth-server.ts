import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { errors } from "oidc-provider";

/** A request that the API of the server got. */
export interface ApiCall {
  readonly path: string;
  /** of the token; null without a good one */
  readonly person: string | null;
}

/** What the person does who is asked. */
export interface Person {
  readonly name: string;
  readonly refuses?: boolean;
  /** scopes that they do not consent to */
  readonly withholds?: readonly string[];
}

/** An authorization server (oidc-provider, refresh tokens work once) and an API behind it, on one port of this machine. */
export interface OAuthServer {
  readonly url: string;
  readonly calls: ApiCall[];
  /** paths that the authorization server was asked for, with method */
  readonly asked: string[];
  /** every code and token that it gave */
  readonly issued: readonly string[];
  /** Goes where a person is sent, consents or refuses, and returns where that leads in the end. */
  visit(url: string, person: Person): Promise<URL>;
  /** Types the code of a device. */
  enterCode(url: string, person: Person): Promise<void>;
  /** Ends all access tokens that were given so far. */
  endAccessTokens(): void;
  /** Answers all with 503 until it is set to false. */
  down: boolean;
  /** What requests for tokens are refused with; null where they are answered. */
  refuses: { readonly status: number; readonly error: string } | null;
  close(): Promise<void>;
}

/** The client that is registered there, public, whose redirect address is this machine's. */
export const OAUTH_CLIENT = "plasm-app";

const CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * A server whose callers this provider knows, beside the API behind it: what it gives for that is a JWT of that audience (RFC 8707, RFC
 * 9068).
 */
export interface ProtectedServer {
  /** what its tokens name as `aud`, and clients ask for as `resource` */
  readonly audience: string;
  readonly scopes: readonly string[];
}

/** How it is set up, where a test needs more than an API of its own. */
export interface OAuthServerOptions {
  /** addresses besides this machine's that the registered client may use */
  readonly redirectUris?: readonly string[];
  /** servers whose callers it knows; what it asks may change later */
  readonly resources?: readonly ProtectedServer[];
  /** reads documents of clients, whose ids are their addresses, by this */
  readonly readClient?: (url: string) => Promise<Response>;
  /** an application with a secret at which people sign in with an identity token */
  readonly webClient?: { readonly id: string; readonly secret: string; readonly back: string };
  /** claims of a person in tokens for these, and in what it tells such an application */
  readonly claimsOf?: (name: string) => Readonly<Record<string, string | readonly string[]>>;
}

function providerAt(
  issuer: string,
  {
    redirectUris = [],
    resources,
    readClient,
    webClient,
    claimsOf = () => ({}),
  }: OAuthServerOptions,
): Provider {
  const found = (audience: string): ProtectedServer => {
    const resource = resources?.find((one) => one.audience === audience);
    if (resource === undefined) throw new errors.InvalidTarget("there is no such server");
    return resource;
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OAUTH_CLIENT,
        token_endpoint_auth_method: "none",
        application_type: "native",
        grant_types: ["authorization_code", "refresh_token", CODE_GRANT],
        response_types: ["code"],
        redirect_uris: [
          "http://127.0.0.1/callback",
          "http://127.0.0.1/v1/connect/callback",
          ...redirectUris,
        ],
      },
      ...(webClient === undefined
        ? []
        : [
            {
              client_id: webClient.id,
              client_secret: webClient.secret,
              application_type: "native" as const,
              grant_types: ["authorization_code"],
              response_types: ["code" as const],
              redirect_uris: [webClient.back],
            },
          ]),
    ],
    claims: { openid: ["sub", "tid", "roles"] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: readClient !== undefined, ack: "draft-02" },
      resourceIndicators: {
        enabled: resources !== undefined,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => ({
          audience: resource,
          scope: found(resource).scopes.join(" "),
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    extraTokenClaims: (_context, token) =>
      "accountId" in token && typeof token.accountId === "string"
        ? claimsOf(token.accountId)
        : undefined,
    ...(readClient === undefined
      ? {}
      : {
          fetch: (url: string | URL | Request) =>
            readClient(url instanceof Request ? url.url : url.toString()),
        }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    scopes: ["openid", "offline_access", "boats.read", "boats.write"],
    pkce: { required: () => true },
    issueRefreshToken: () => Promise.resolve(true),
    expiresWithSession: () => Promise.resolve(false),
    rotateRefreshToken: true,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => Promise.resolve({ sub: id, ...claimsOf(id) }),
    }),
    cookies: { keys: ["of-the-test"] },
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      DeviceCode: 60,
      Grant: 3_600,
      Interaction: 60,
      RefreshToken: 3_600,
      Session: 60,
    },
  });
  return provider;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (found) => `&#${found.codePointAt(0) ?? 0};`);

/** What a person at a browser is asked: who they are, and whether a client may do what it asks for. */
function askPerson(
  { prompt, params }: Awaited<ReturnType<Provider["interactionDetails"]>>,
  response: ServerResponse,
): void {
  const scope: unknown = params["scope"];
  const asked = typeof scope === "string" ? scope : "nothing";
  const form =
    prompt.name === "login"
      ? `<label>Name <input name="name" required></label><button>Sign in</button>`
      : `<p>${escaped(String(params["client_id"]))} asks for: ${escaped(asked)}</p><button name="says" value="yes">Allow</button><button name="says" value="no">Refuse</button>`;
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><title>Harbour</title><form method="post">${form}</form>`);
}

/** Whoever a request is of: as a test says in a header, else as a person has put it into the form; null where they are still to be asked. */
async function personIn(request: IncomingMessage): Promise<Person | null> {
  const told = request.headers["x-person"];
  if (typeof told === "string") return JSON.parse(told) as Person;
  if (request.method !== "POST") return null;
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return { name: form.get("name") ?? "", refuses: form.get("says") === "no" };
}

/** Consents to what is asked, as the person whom the query of the test names. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  const { prompt, params, session } = details;
  const person = await personIn(request);
  if (person === null) return askPerson(details, response);
  const { name, refuses } = person;
  if (refuses === true) {
    const refusal = { error: "access_denied", error_description: "the person said no" };
    return provider.interactionFinished(request, response, refusal);
  }
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: name } });
  }
  const grant = new provider.Grant({
    accountId: session?.accountId ?? name,
    clientId: String(params["client_id"]),
  });
  const scope: unknown = params["scope"];
  const asked = typeof scope === "string" ? scope : "";
  grant.addOIDCScope(asked);
  // Consent is to what the person ticks: a scope that they withhold is not granted.
  const { withholds = [] } = person;
  for (const resource of [params["resource"]].flat())
    if (typeof resource === "string")
      grant.addResourceScope(
        resource,
        asked
          .split(" ")
          .filter((one) => !withholds.includes(one))
          .join(" "),
      );
  const grantId = await grant.save();
  return provider.interactionFinished(request, response, { consent: { grantId } });
}

/** A browser of one visit: cookies of one origin, redirects followed as long as they stay there. */
function browser(origin: string, person: Person) {
  const cookies = new Map<string, string>();
  return async (url: string, form?: URLSearchParams): Promise<{ url: URL; text: string }> => {
    let next = new URL(url);
    let body: URLSearchParams | undefined = form;
    for (let hop = 0; hop < 20; hop++) {
      const answer = await fetch(next, {
        redirect: "manual",
        ...(body === undefined ? {} : { method: "POST", body }),
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          "x-person": JSON.stringify(person),
        },
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === "") cookies.delete(name);
        else cookies.set(name, value);
      }
      const to = answer.headers.get("location");
      const text = await answer.text();
      if (to === null) return { url: next, text };
      next = new URL(to, next);
      body = undefined;
      if (next.origin !== origin) return { url: next, text };
    }
    throw new Error("the sign-in goes round in circles");
  };
}

/** One boat by its id, named for the person whose token came with the request; else a list. */
function dataFor(path: string, { accountId }: { readonly accountId?: string | undefined }): object {
  const [, id] = /^\/boats\/([^/?]+)/.exec(path) ?? [];
  return id === undefined
    ? { items: [{ id: "c1", size: 3 }] }
    : { id, name: accountId, owner: "ann", length: 3 };
}

/** Starts it. */
export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = providerAt(url, options);
  const answer = provider.callback();
  const calls: ApiCall[] = [];
  const asked: string[] = [];
  const issued = new Set<string>();
  const keep = ({ jti }: { readonly jti: string }): void => void issued.add(jti);
  provider.on("access_token.saved", keep);
  provider.on("refresh_token.saved", keep);
  provider.on("authorization_code.saved", keep);
  const ended = new Set<string>();
  const seen = new Set<string>();

  const api = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const known = ended.has(token) ? undefined : await provider.AccessToken.find(token);
    if (known !== undefined) seen.add(token);
    calls.push({ path: request.url ?? "", person: known?.accountId ?? null });
    response.writeHead(known === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(known === undefined ? {} : dataFor(request.url ?? "", known)));
  };
  const oauthServer: OAuthServer = {
    url,
    calls,
    asked,
    get issued() {
      return [...issued];
    },
    visit: async (to, person) => (await browser(url, person)(to)).url,
    async enterCode(to, person) {
      const go = browser(url, person);
      let page = await go(to);
      for (let step = 0; step < 4 && page.text.includes("xsrf"); step++) {
        const value = (name: string): string =>
          new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page.text)?.[1] ?? "";
        const form = new URLSearchParams({
          xsrf: value("xsrf"),
          user_code: value("user_code"),
          confirm: "yes",
        });
        page = await go(new URL("/device", url).href, form);
      }
    },
    endAccessTokens() {
      for (const token of seen) ended.add(token);
    },
    down: false,
    refuses: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  handle = (request, response) => {
    const path = request.url ?? "";
    const fail = (thrown: unknown): void => {
      response.writeHead(500);
      response.end(String(thrown));
    };
    if (oauthServer.down) {
      response.writeHead(503);
      response.end();
    } else if (oauthServer.refuses !== null && path.startsWith("/token")) {
      const { status, error } = oauthServer.refuses;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error }));
    } else if (path.startsWith("/interaction/")) interact(provider, request, response).catch(fail);
    else if (/^\/(?:auth|token|device|reg|session|jwks|me|\.well-known)/.test(path)) {
      asked.push(`${request.method ?? ""} ${path.replace(/\?.*/, "")}`);
      void answer(request, response);
    } else api(request, response).catch(fail);
  };
  return oauthServer;
}

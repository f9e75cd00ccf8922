import { createHash, randomBytes } from "node:crypto";
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import {
  OAUTH_CLIENT,
  type OAuthServer,
  type Person,
  startOAuthServer,
} from "@plasm/testkit/servers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../servers/free-port.ts";
import { jsonOf, openIdentityWorld, type IdentityWorld } from "./identity-world.ts";

const BACK = "http://127.0.0.1/callback";
/** What people of the company are there, as its provider says it. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  ann: ["staff"],
  lea: ["staff", "approvers"],
  rex: ["guests"],
};

let [world, oauth, mcp, desk]: [IdentityWorld, OAuthServer, string, string] = [] as never;

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  [mcp, desk] = [`${origin}/mcp`, `${origin}/desk`];
  oauth = await startOAuthServer({
    resources: [
      { audience: mcp, scopes: ["plasm", "plasm.effects"] },
      { audience: desk, scopes: ["plasm"] },
      { audience: "https://other.example", scopes: ["plasm"] },
    ],
    claimsOf: (name) => ({ tid: "acme", roles: ROLES[name] ?? [] }),
  });
  world = await openIdentityWorld({
    port,
    env: {
      PLASM_TRANSPORT_ORIGIN: origin,
      PLASM_JWT_ISSUER: oauth.url,
      PLASM_JWT_JWKS_URL: `${oauth.url}/jwks`,
      PLASM_JWT_OPERATOR_ROLES: "approvers",
      PLASM_JWT_AGENT_ROLES: "staff",
      PLASM_JWT_OPERATOR_AUDIENCE: desk,
      PLASM_JWT_SCOPE: "plasm",
      PLASM_JWT_EFFECT_SCOPE: "plasm.effects",
    },
  });
}, 60_000);
afterAll(async () => {
  await world.close();
  await oauth.close();
});

/** A client's part of signing in: it sends its user where it is told to. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = BACK;
  readonly clientMetadata = {
    redirect_uris: [BACK],
    token_endpoint_auth_method: "none",
  };
  /** where its user was sent to, each time */
  readonly sent: URL[] = [];
  #kept: Readonly<Record<string, unknown>> = {};

  #keep(name: string, value: unknown): void {
    this.#kept = { ...this.#kept, [name]: value };
  }
  clientInformation() {
    return { client_id: OAUTH_CLIENT };
  }
  tokens(): never {
    return this.#kept["tokens"] as never;
  }
  saveTokens(tokens: unknown): void {
    this.#keep("tokens", tokens);
  }
  redirectToAuthorization(url: URL): void {
    this.sent.push(url);
  }
  saveCodeVerifier(verifier: string): void {
    this.#keep("verifier", verifier);
  }
  saveDiscoveryState(state: unknown): void {
    this.#keep("discovery", state);
  }
  discoveryState(): never {
    return this.#kept["discovery"] as never;
  }
  codeVerifier(): string {
    return String(this.#kept["verifier"]);
  }
}

/** An MCP client whose user consents whenever they are asked to. */
class Agent {
  readonly memory = new Memory();
  readonly #person: Person;
  readonly #mode: "legacy" | { pin: string };
  #open: { client: Client; transport: StreamableHTTPClientTransport } | null = null;

  constructor(person: Person, mode: "legacy" | { pin: string }) {
    this.#person = person;
    this.#mode = mode;
  }

  /** Calls a tool; signs its user in where it has to, and goes on. */
  async call(name: string, args: object, patience = 2): Promise<string> {
    try {
      const client = await this.#connected();
      return JSON.stringify(await client.callTool({ name, arguments: { ...args } }));
    } catch (thrown) {
      if (!(thrown instanceof UnauthorizedError) || patience === 0) throw thrown;
      const back = await oauth.visit(String(this.memory.sent.at(-1)), this.#person);
      await this.#transport?.finishAuth(back.searchParams);
      return this.call(name, args, patience - 1);
    }
  }

  #transport: StreamableHTTPClientTransport | null = null;

  async #connected(): Promise<Client> {
    if (this.#open !== null) return this.#open.client;
    const client = new Client(
      { name: "e2e", version: "1" },
      { versionNegotiation: { mode: this.#mode } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(mcp), {
      authProvider: this.memory,
    });
    this.#transport = transport;
    await client.connect(transport);
    this.#open = { client, transport };
    return client;
  }

  async close(): Promise<void> {
    await this.#open?.client.close();
  }
}

const SEEDS = [{ api: "quay", entity: "Boat" }];
const refIn = (opened: string): string => /logical_session_ref (s\d+)/.exec(opened)?.[1] ?? "";

describe.each(["legacy", { pin: "2026-07-28" }] as const)("a real client, %j", (mode) => {
  test("signs its user in by what a 401 says, and asks for more when an effect needs it (SURF-23)", async () => {
    const agent = new Agent({ name: "ann" }, mode);
    const opened = await agent.call("plasm_context", {
      intent: `tidy ${JSON.stringify(mode)}`,
      seeds: SEEDS,
    });
    const first = agent.memory.sent[0]?.searchParams;
    expect([first?.get("resource"), first?.get("scope")?.split(" ")]).toEqual([
      mcp,
      expect.arrayContaining(["plasm"]),
    ]);
    expect(first?.get("scope")).not.toContain("effects");
    const ref = refIn(opened);
    const read = await agent.call("plasm_run", {
      logical_session_ref: ref,
      program: "Boat.limit(1)",
    });
    expect(read).not.toContain('isError":true');
    const change = {
      logical_session_ref: ref,
      program: 'Boat("b1").update(note="x")',
      force: true,
    };
    expect(await agent.call("plasm_run", change)).toContain("done");
    expect(agent.memory.sent).toHaveLength(2);
    const second = agent.memory.sent[1]?.searchParams.get("scope")?.split(" ");
    expect(second).toEqual(expect.arrayContaining(["plasm", "plasm.effects"]));
    await agent.close();
  });

  test("whose user does not consent to effects changes nothing", async () => {
    const before = world.apis.requests.length;
    const agent = new Agent({ name: "ann", withholds: ["plasm.effects"] }, mode);
    const opened = await agent.call("plasm_context", {
      intent: `look ${JSON.stringify(mode)}`,
      seeds: SEEDS,
    });
    const change = { program: 'Boat("b1").update(note="y")', force: true };
    await expect(
      agent.call("plasm_run", { logical_session_ref: refIn(opened), ...change }),
    ).rejects.toThrow();
    expect(world.apis.requests.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
    await agent.close();
  });
});

/** A token of a person for a server, of the client that is registered there. */
async function tokenFor(name: string, resource: string, scope = "plasm"): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const url = new URL("/auth", oauth.url);
  const asked = {
    client_id: OAUTH_CLIENT,
    redirect_uri: BACK,
    response_type: "code",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope,
    resource,
  };
  url.search = new URLSearchParams(asked).toString();
  const back = await oauth.visit(url.href, { name });
  const answer = await fetch(new URL("/token", oauth.url), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: OAUTH_CLIENT,
      redirect_uri: BACK,
      code: back.searchParams.get("code") ?? "",
      code_verifier: verifier,
      resource,
    }),
  });
  const told = (await answer.json()) as { readonly access_token?: string };
  if (told.access_token === undefined) throw new Error(JSON.stringify(told));
  return told.access_token;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

test("what clients are told, and what is refused at the door (RFC 9728, RFC 8707)", async () => {
  const metadata = await world.call({}, "GET", "/.well-known/oauth-protected-resource/mcp");
  expect(jsonOf(metadata)).toMatchObject({
    resource: mcp,
    authorization_servers: [oauth.url],
    scopes_supported: ["plasm", "plasm.effects"],
  });
  const none = await world.call({}, "POST", "/mcp", LIST);
  expect([none.status, none.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining('scope="plasm", resource_metadata="'),
  ]);
  const statusOf = async (token: string) => {
    const { status, headers } = await world.call(bearer(token), "POST", "/mcp", LIST);
    return [status, /error="(\w+)"/.exec(headers.get("www-authenticate") ?? "")?.[1] ?? null];
  };
  expect(await statusOf(await tokenFor("ann", mcp))).toEqual([200, null]);
  // It was made for another server, which may have passed it on.
  expect(await statusOf(await tokenFor("ann", "https://other.example"))).toEqual([
    401,
    "invalid_token",
  ]);
  expect(await statusOf(await tokenFor("ann", mcp, "openid"))).toEqual([403, "insufficient_scope"]);
  expect(await statusOf(await tokenFor("rex", mcp))).toEqual([403, null]);
  expect(await statusOf(await tokenFor("lea", desk))).toEqual([403, null]);
});

test("over HTTP an effect without its scope is 403 with what to ask for", async () => {
  const token = bearer(await tokenFor("ann", mcp));
  const opened = await world.call(token, "POST", "/execute", { intent: "by HTTP", seeds: SEEDS });
  const path = opened.headers.get("location") ?? "";
  const change = { program: 'Boat("b1").update(note="z")', force: true };
  const { status, headers, text } = await world.call(token, "POST", path, change);
  expect([status, headers.get("www-authenticate")]).toEqual([
    403,
    expect.stringContaining('error="insufficient_scope", scope="plasm plasm.effects"'),
  ]);
  expect(text).toContain("plasm-insufficient-scope");
  const key = await world.key({ tenant: "keys", scopes: ["read"] });
  const other = await world.call(key, "POST", "/execute", { intent: "by key", seeds: SEEDS });
  const refused = await world.call(key, "POST", other.headers.get("location") ?? "", change);
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([403, null]);
});

test("of several calls in one message only the one that lacks a scope is refused", async () => {
  const token = bearer(await tokenFor("ann", mcp));
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: args },
  });
  const context = await world.call(
    token,
    "POST",
    "/mcp",
    call(1, "plasm_context", { intent: "a batch", seeds: SEEDS }),
  );
  const slot = /logical_session_ref (s\d+)/.exec(context.text)?.[1] ?? "";
  const change = { logical_session_ref: slot, program: 'Boat("b1").update(note="z")', force: true };
  const read = { logical_session_ref: slot, program: "Boat.limit(1)" };
  const both = await world.call(token, "POST", "/mcp", [
    call(2, "plasm_run", change),
    call(3, "plasm_run", read),
  ]);
  expect(both.status).toBe(200);
  expect(both.text).toContain("lacks the scope plasm.effects");
  expect(both.text).toContain("b1");
  const alone = await world.call(token, "POST", "/mcp", call(4, "plasm_run", change));
  expect(alone.status).toBe(403);
});

test("operators come from the company's provider; the token that an agent holds decides nothing", async () => {
  const tenant = `${oauth.url}|tenant|acme`;
  await world.setPolicy(tenant, { apis: { quay: { approval: { operator: "all" } } } });
  try {
    const change = { program: 'Boat("b2").update(note="approved")' };
    const ask = async (name: string): Promise<string> => {
      const token = bearer(await tokenFor(name, mcp, "plasm plasm.effects"));
      const opened = await world.call(token, "POST", "/execute", {
        intent: `of ${name}`,
        seeds: SEEDS,
      });
      const told = await world.call(token, "POST", opened.headers.get("location") ?? "", change);
      expect(told.status).toBe(409);
      return /approvals approve ([\w-]+)/.exec(told.text)?.[1] ?? "";
    };
    const uuid = await ask("ann");
    const decide = async (token: string, of = uuid) =>
      (await world.call(bearer(token), "POST", `/v1/approvals/${of}/approve`)).status;
    // Lea is an operator, but this is what her agent has.
    expect(await decide(await tokenFor("lea", mcp, "plasm plasm.effects"))).toBe(403);
    expect(await decide(await tokenFor("ann", desk))).toBe(403);
    expect(await decide(await tokenFor("lea", "https://other.example"))).toBe(401);
    // Nobody decides on plans of their own.
    expect(await decide(await tokenFor("lea", desk), await ask("lea"))).toBe(403);
    expect(await decide(await tokenFor("lea", desk))).toBe(200);
  } finally {
    await world.setPolicy(tenant, {});
  }
});

test("operators sign in to the console by the same provider; agents' tokens decide nothing there either", async () => {
  const { console: page } = world.host;
  const own = { origin: world.url, host: new URL(world.url).host, "sec-fetch-site": "same-origin" };
  /** The status of what waits, as whoever has signed in to the console with a token. */
  const seen = async (token: string): Promise<number> => {
    const begun = await page.fetch(
      new Request(`${world.url}/v1/console/session`, {
        method: "POST",
        headers: { ...own, "x-plasm-console": "sign-in", ...bearer(token) },
      }),
    );
    const { page_token: sent } = (await begun.json()) as { readonly page_token: string };
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const asked = new Request(`${world.url}/v1/approvals`, {
      headers: { ...own, cookie, "x-plasm-console": sent },
    });
    const { headers } = await page.authorize(asked);
    const credential = headers.get("x-api-key") ?? "";
    const carried = headers.get("authorization") ?? `Bearer ${credential}`;
    return (await world.call({ authorization: carried }, "GET", "/v1/approvals")).status;
  };
  expect(await seen(await tokenFor("lea", desk))).toBe(200);
  expect(await seen(await tokenFor("lea", mcp, "plasm plasm.effects"))).not.toBe(200);
});

import { createAuthenticator, fail, type KeyRing } from "@plasm/agent-core/internal";
import type { CallRecord } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { describe, expect, it } from "vitest";
import { NO_OPERATORS } from "./routes/route.ts";
import { createHttpApp } from "./create-http-app.ts";
import { ROUTES } from "./routes/all-routes.ts";
import { engineWith } from "./testing/engine-with.ts";

/** Stands in whatever is sent as a credential, in paths and in queries. */
const SECRET = "s3cr3t-0f-s0mebody";

/** Keys are known by the name of their role. */
const keys: Pick<KeyRing, "recordOf"> = {
  recordOf: async (key: string) => {
    if (key !== "agent" && key !== "operator") return null;
    return { id: "1", hash: "", tenant: "acme", subject: "ann", role: key, createdAt: 0 };
  },
};

function appOf() {
  const noted: string[] = [];
  const engine = engineWith({
    grafts: async () => {
      throw fail("plasm-policy-denied", "Policy allows no grafts here.");
    },
    describe: async () => ({ prompt: "p" }),
    noteRefusal: async (call, { scope, subject, requestId }, { code }) =>
      void noted.push(`${scope} ${subject} ${requestId} ${code} ${call}`),
  });
  const records: CallRecord[] = [];
  const log = (record: CallRecord): void => void records.push(record);
  const auth = createAuthenticator({ mode: "required", keys });
  const never = async () => false;
  const connections = { issue: async () => "c", isOf: never, clientOf: async () => ({}) };
  const mcp = createMcpHandler({ engine, connections, auth, log });
  const app = createHttpApp({
    engine,
    auth,
    mcp,
    log,
    operators: { ...NO_OPERATORS, keys, approvals: absent() },
  });
  const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const sent = method === "GET" ? {} : { body: "{}" };
    const all = method === "GET" ? headers : { "content-type": "application/json", ...headers };
    const url = `http://127.0.0.1${path}`;
    return app.fetch(new Request(url, { method, headers: all, ...sent }));
  };
  return { records, noted, said: () => JSON.stringify(records), send };
}

function absent(): never {
  return { list: async () => [], decide: async () => ({}) } as never;
}

const BAD: readonly Record<string, string>[] = [
  {},
  { "x-api-key": SECRET },
  { authorization: `Bearer ${SECRET}` },
  { authorization: `Basic ${SECRET}` },
];

const told = ({ name, tenant, outcome, asked }: CallRecord) => [name, tenant, outcome, asked];

describe("who is refused leaves one INFO record, and no word of what was sent (SURF-27, SURF-28)", () => {
  it.each(ROUTES.filter(({ access }) => access === undefined))(
    "$method $path, 401",
    async ({ method, path }) => {
      for (const headers of BAD) {
        const { records, said, send } = appOf();
        const at = path.replaceAll(/:\w+/g, SECRET);
        expect((await send(method, at, headers)).status).toBe(401);
        const asked = `${method} ${path}`;
        expect(records.map(told)).toEqual([["refused", null, "plasm-unauthenticated", asked]]);
        expect(said()).not.toContain(SECRET);
      }
    },
  );

  it.each<[string, string, Record<string, string>, readonly unknown[]]>([
    ["GET", "/v1/registry", { "x-api-key": "operator" }, [null, "GET /v1/registry"]],
    [
      "GET",
      "/execute/a/b/grafts",
      { "x-api-key": "agent" },
      ["acme", "GET /execute/:prompt_hash/:session_id/grafts"],
    ],
    ["GET", "/v1/health", { host: "evil.example" }, [null, "GET by a foreign name"]],
    [
      "POST",
      `/mcp?x=${SECRET}`,
      { origin: "https://evil.example" },
      [null, "POST by a foreign name"],
    ],
    ["POST", "/mcp", { "x-api-key": "operator" }, [null, "POST /mcp"]],
  ])("%s %s %j, 403", async (method, path, headers, [tenant, asked]) => {
    const { records, said, send } = appOf();
    expect((await send(method, path, headers)).status).toBe(403);
    expect(records.map(told)).toEqual([["refused", tenant, "plasm-policy-denied", asked]]);
    expect(said()).not.toContain(SECRET);
  });

  it.each<[string, string, Record<string, string>]>([
    ["POST", "/mcp", { "x-api-key": SECRET }],
    ["GET", "/v1/approvals", {}],
    ["GET", "/v1/approvals", { "x-api-key": SECRET }],
    ["GET", "/v1/whoami", { authorization: `Bearer ${SECRET}` }],
  ])("%s %s %j, 401", async (method, path, headers) => {
    const { records, said, send } = appOf();
    expect((await send(method, path, headers)).status).toBe(401);
    expect(records.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["refused", "plasm-unauthenticated"],
    ]);
    expect(said()).not.toContain(SECRET);
  });

  it("and nobody else: neither who is let in, nor who asks for what there is not", async () => {
    const { records, send } = appOf();
    const agent = { "x-api-key": "agent" };
    expect((await send("GET", "/execute/a/b", agent)).status).toBe(200);
    expect((await send("GET", "/v1/health")).status).toBe(200);
    expect((await send("GET", "/nothing", agent)).status).toBe(404);
    expect((await send("GET", "/v1/health?a=b")).status).toBe(400);
    expect(records).toEqual([]);
  });
});

describe("OPS-40 who is refused what the role of a key does not let them is noted, once and for its tenant", () => {
  it.each<[string, string, string]>([
    ["an agent's key where operators decide", "GET", "/v1/approvals"],
    ["an agent's key where operators let work go on", "POST", "/v1/operations/set-aside/x/retry"],
    ["an operator's key where agents call", "GET", "/v1/registry"],
    ["an operator's key where agents call tools", "POST", "/mcp"],
  ])("%s", async (whose, method, path) => {
    const { noted, send } = appOf();
    const key = whose.startsWith("an agent") ? "agent" : "operator";
    const headers = { "x-api-key": key, "x-request-id": "req-4" };
    expect((await send(method, path, headers)).status).toBe(403);
    const asked = `${method} ${path.replace("/x/", "/:operation_uuid/")}`;
    expect(noted).toEqual([`acme ann req-4 plasm-policy-denied ${asked}`]);
  });

  it("not what the engine refuses, which it notes itself, nor a key that nobody knows, nor none", async () => {
    const { noted, send } = appOf();
    expect((await send("GET", "/execute/a/b/grafts", { "x-api-key": "agent" })).status).toBe(403);
    expect((await send("GET", "/v1/approvals", { "x-api-key": SECRET })).status).toBe(401);
    expect((await send("GET", "/v1/approvals")).status).toBe(401);
    expect((await send("GET", "/v1/approvals", { "x-api-key": "operator" })).status).not.toBe(403);
    expect(noted).toEqual([]);
  });
});

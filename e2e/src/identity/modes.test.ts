import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, GATE_SURFACES } from "../gate/gate-agent.ts";
import {
  jsonOf,
  openIdentityWorld,
  type Credential,
  type IdentityWorld,
} from "./identity-world.ts";
import { hs256, startIssuer, type Issuer } from "./tokens.ts";

const SECRET = "the secret that both of us know, no one else";

let [world, office]: [IdentityWorld, Issuer] = [] as never;
beforeAll(async () => {
  office = await startIssuer("https://office.example");
  const env = {
    PLASM_JWT_OFFICE_JWKS_URL: office.jwksUrl,
    PLASM_JWT_OFFICE_ISSUER: office.name,
    PLASM_JWT_OFFICE_AUDIENCE: "plasm",
    PLASM_JWT_NIGHT_SECRET: SECRET,
    PLASM_JWT_NIGHT_ISSUER: "night",
    PLASM_JWT_DAY_SECRET: `${SECRET}, by day`,
    PLASM_JWT_DAY_ISSUER: "day",
    PLASM_JWT_DAY_TENANTS: "shared",
  };
  world = await openIdentityWorld({ env });
}, 60_000);
afterAll(async () => {
  await world.close();
  await office.close();
});

const bearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });
const ofOffice = (claims: object = {}) =>
  bearer(office.token({ aud: "plasm", tenant_id: "acme", ...claims }));
const ofNight = (claims: object = {}) => bearer(hs256(SECRET, { iss: "night", ...claims }));
const ofDay = (claims: object = {}) =>
  bearer(hs256(`${SECRET}, by day`, { iss: "day", ...claims }));

const SEEDS = [{ api: "quay", entity: "Boat" }];
const PAIR = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/list" };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** A call of every route that asks who calls, and of MCP. */
const ASKING: readonly Sent[] = [
  { method: "GET", path: "/v1/whoami" },
  { method: "GET", path: "/v1/registry" },
  { method: "GET", path: "/v1/registry/quay" },
  { method: "POST", path: "/v1/discover", body: { intent: "boats" } },
  { method: "POST", path: "/execute", body: { seeds: SEEDS } },
  { method: "GET", path: PAIR },
  { method: "POST", path: PAIR, body: { program: "Boat" } },
  { method: "POST", path: `${PAIR}/context`, body: { seeds: SEEDS } },
  { method: "GET", path: `${PAIR}/symbols` },
  { method: "GET", path: `${PAIR}/status` },
  { method: "GET", path: `${PAIR}/runs` },
  { method: "GET", path: `${PAIR}/artifacts/pr${"0".repeat(64)}` },
  { method: "GET", path: `${PAIR}/r/1` },
  { method: "GET", path: `${PAIR}/operations/o1` },
  { method: "GET", path: "/v1/approvals" },
  { method: "PUT", path: "/v1/admin/policy/acme", body: {} },
  { method: "POST", path: "/v1/admin/catalogs", body: {} },
  { method: "DELETE", path: "/v1/admin/catalogs/quay" },
  { method: "POST", path: "/mcp", body: CALL },
];

describe("SURF-23 required", () => {
  test.each(ASKING)("$method $path answers 401 without a good credential", async (sent) => {
    const { method, path, body } = sent;
    const bad: readonly Credential[] = [
      {},
      { "x-api-key": "junk" },
      bearer("junk"),
      { authorization: "Basic YTpi" },
      ofOffice({ aud: "other" }),
    ];
    for (const who of bad) {
      const { status, headers, text } = await world.call(who, method, path, body);
      expect([status, headers.get("content-type")], text).toEqual([
        401,
        "application/problem+json",
      ]);
      expect(headers.get("www-authenticate")).toMatch(/^Bearer realm="plasm"/);
      expect(JSON.parse(text)).toMatchObject({ code: "plasm-unauthenticated", retryable: false });
    }
  });

  test("what is public says how to be known", async () => {
    expect((await world.call({}, "GET", "/v1/health")).status).toBe(200);
    const status = await world.call({}, "GET", "/v1/auth/status");
    const issuers = [office.name, "night", "day"];
    expect(jsonOf(status)).toEqual({ mode: "required", issuers });
  });

  test("whoami tells each caller what it is", async () => {
    const told = async (who: Credential) => jsonOf(await world.call(who, "GET", "/v1/whoami"));
    expect(await told(await world.key({ subject: "ann" }))).toEqual({
      tenant: "acme",
      subject: "ann",
      method: "api_key",
    });
    expect(await told(await world.key({ subject: "olga", role: "operator" }))).toMatchObject({
      subject: "olga",
    });
    const own = `${office.name}|tenant|acme`;
    expect(await told(ofOffice({ sub: "tom" }))).toEqual({
      tenant: own,
      subject: "tom",
      method: "jwt",
    });
    expect(await told(ofNight())).toMatchObject({ tenant: "night|subject|ann" });
    expect(await told(ofDay({ tid: "acme" }))).toMatchObject({ tenant: "acme", method: "jwt" });
  });

  test.each(["operator", "admin"] as const)("the key of an %s runs nothing", async (role) => {
    const who = await world.key({ role, subject: role });
    for (const { method, path, body } of ASKING.slice(1, 14)) {
      expect((await world.call(who, method, path, body)).status, path).toBe(403);
    }
    expect((await world.call(who, "POST", "/mcp", CALL)).status).toBe(403);
  });

  test("only an administrator sets policies, only an operator sees what waits", async () => {
    for (const role of ["agent", "operator"] as const) {
      const who = await world.key({ role });
      const { status } = await world.call(who, "PUT", "/v1/admin/policy/acme", { force: true });
      expect(status, role).toBe(403);
    }
    expect((await world.call(ofNight(), "PUT", "/v1/admin/policy/acme", {})).status).toBe(401);
    for (const role of ["agent", "admin"] as const) {
      const { status } = await world.call(await world.key({ role }), "GET", "/v1/approvals");
      expect(status, role).toBe(403);
    }
  });

  test("a policy with faults is told all of them, and changes nothing", async () => {
    const admin = await world.key({ role: "admin" });
    const { status, text } = await world.call(admin, "PUT", "/v1/admin/policy/acme", {
      forse: true,
      apis: { quay: { deny: ["boat_gone"] } },
    });
    expect([status, text]).toEqual([400, expect.stringContaining("forse: no such member")]);
    const wrong = { apis: { quay: { deny: ["boat_delte"] } } };
    expect((await world.call(admin, "PUT", "/v1/admin/policy/acme", wrong)).text).toContain(
      "quay has no capability boat_delte. Did you mean boat_delete?",
    );
  });
});

describe.each(GATE_SURFACES)("SURF-23 SESS-1 over %s", (surface) => {
  /** The logical session that a caller gets for one and the same intent. */
  const sessionOf = async (who: Credential): Promise<unknown> => {
    const args = { intent: `${surface}: whose`, seeds: SEEDS };
    if (surface === "MCP") {
      return (await callTool(world.fetchAs(who), "plasm_context", args)).meta["logical_session_id"];
    }
    const { plasm } = jsonOf(await world.call(who, "POST", "/execute", args));
    return (plasm as Readonly<Record<string, unknown>>)["logical_session_id"];
  };

  test("equal names of tenants are one scope only where configuration says so", async () => {
    const key = await sessionOf(await world.key({ subject: "ann" }));
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(await sessionOf(await world.key({ subject: "bob" }))).toBe(key);
    expect(await sessionOf(ofDay({ tenant: "acme" }))).toBe(key);
    const apart = [
      await sessionOf(ofOffice()),
      await sessionOf(ofNight({ tenant: "acme" })),
      await sessionOf(ofNight({ sub: "ann" })),
      await sessionOf(ofNight({ sub: "bob" })),
      await sessionOf(ofDay({ sub: "bob" })),
      await sessionOf(await world.key({ tenant: "other" })),
    ];
    expect(new Set([key, ...apart]).size).toBe(apart.length + 1);
    expect(await sessionOf(ofOffice({ sub: "tom" }))).toBe(apart[0]);
  });

  test("a whole session works by key and by token", async () => {
    for (const who of [await world.key({}), ofOffice()]) {
      const agent = await world.agent(surface, who, `${surface}: boats`);
      expect(await agent.plan("Boat.limit(1)")).toMatchObject({ code: null });
      expect(await agent.run("Boat.limit(1)", { force: true })).toMatchObject({ code: null });
    }
  });
});

import { METADATA_PATHS, SERVER_CARDS } from "@plasm/host";
import { describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { ROUTES } from "./routes/all-routes.ts";
import { problemIn, send } from "./testing/app-for.ts";
import { engineWith } from "./testing/engine-with.ts";

/** The rows of SURF-16's table that there are so far. */
const TABLE = [
  "GET /v1/health",
  "GET /v1/ready",
  "GET /v1/auth/status",
  "GET /v1/whoami",
  "GET /v1/registry",
  "GET /v1/registry/{entry_id}",
  "POST /v1/discover",
  "POST /execute",
  "GET /execute/{prompt_hash}/{session_id}",
  "POST /execute/{prompt_hash}/{session_id}/context",
  "POST /execute/{prompt_hash}/{session_id}",
  "GET /execute/{prompt_hash}/{session_id}/symbols",
  "GET /execute/{prompt_hash}/{session_id}/status",
  "GET /execute/{prompt_hash}/{session_id}/runs",
  "GET /execute/{prompt_hash}/{session_id}/artifacts/{run_id}",
  "GET /execute/{prompt_hash}/{session_id}/r/{n}",
  "GET /execute/{prompt_hash}/{session_id}/operations/{handle}",
  "GET /execute/{prompt_hash}/{session_id}/operations/{handle}/stream",
  "GET /execute/{prompt_hash}/{session_id}/grafts",
  "POST /execute/{prompt_hash}/{session_id}/grafts",
  "GET /execute/{prompt_hash}/{session_id}/grafts/{graft_id}",
  "GET /v1/traces",
  "GET /v1/traces/{id}",
  "GET /v1/traces/{id}/stream",
  "GET /v1/approvals",
  "GET /v1/approvals/{commit_uuid}",
  "POST /v1/approvals/{commit_uuid}/approve",
  "POST /v1/approvals/{commit_uuid}/reject",
  "GET /v1/audit",
  "GET /v1/settings",
  "GET /v1/settings/catalogs/{entry_id}",
  "POST /v1/admin/catalogs",
  "PUT /v1/admin/policy/{tenant}",
];

/** What the router serves besides, of this server's own. */
const OWN = [
  "DELETE /v1/admin/catalogs/{entry_id}",
  "GET /v1/programs",
  "POST /v1/programs",
  "GET /v1/programs/{name}",
  "DELETE /v1/programs/{name}",
  "POST /v1/programs/{name}/run",
  "GET /v1/schedules",
  "POST /v1/schedules",
  "GET /v1/schedules/{schedule_uuid}",
  "GET /v1/schedules/{schedule_uuid}/events",
  "POST /v1/schedules/{schedule_uuid}/pause",
  "POST /v1/schedules/{schedule_uuid}/resume",
  "DELETE /v1/schedules/{schedule_uuid}",
  "POST /v1/webhooks/{scope}/{schedule_uuid}",
  "GET /v1/operations",
  "GET /v1/operations/set-aside",
  "GET /v1/operations/{operation_uuid}",
  "POST /v1/operations/{operation_uuid}/cancel",
  "POST /v1/operations/set-aside/{operation_uuid}/retry",
  "GET /metrics",
  "GET /v1/accounts",
  "POST /v1/accounts/sign-in",
  "POST /v1/accounts/share",
  "POST /v1/accounts/revoke",
];
const SERVED = [...TABLE, ...OWN, "GET /v1/openapi.json"];

/** Paths that are read before a client connects. */
const BEFORE_CONNECTING = [...METADATA_PATHS, ...SERVER_CARDS.keys()];

const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");
const pair = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;

describe("the route table (SURF-16)", () => {
  it("is the specification's, and this server's own after it", () => {
    expect(ROUTES.map(({ method, path }) => `${method} ${inBraces(path)}`)).toEqual([
      ...TABLE,
      ...OWN,
    ]);
  });

  it("is what the router serves, beside MCP", () => {
    const mcp = { fetch: async () => new Response(), close: async () => undefined };
    const { routes } = createHttpApp({ engine: engineWith(), mcp });
    const served = routes
      .filter(({ method, path }) => method !== "ALL" && !BEFORE_CONNECTING.includes(path))
      .map(({ method, path }) => `${method} ${inBraces(path)}`);
    expect(served).toEqual(SERVED);
    const paths = new Set(routes.map(({ path }) => inBraces(path)));
    const known = SERVED.map((row) => row.slice(row.indexOf(" ") + 1));
    const beside = ["/*", "/mcp", ...BEFORE_CONNECTING];
    expect([...paths].toSorted()).toEqual([...new Set([...beside, ...known])].toSorted());
  });
});

describe("every error is a problem (SURF-18)", () => {
  it.each([
    ["GET", "/", 404, "plasm-unknown-route"],
    ["GET", "/v1/nothing", 404, "plasm-unknown-route"],
    ["GET", "/v1/health/", 404, "plasm-unknown-route"],
    ["POST", "/v1/health", 405, "plasm-method-not-allowed"],
    ["DELETE", pair, 405, "plasm-method-not-allowed"],
    ["OPTIONS", "/execute", 405, "plasm-method-not-allowed"],
    ["GET", "/v1/registry?limit=3", 400, "plasm-bad-request"],
    ["GET", "/v1/registry", 500, "plasm-internal"],
    ["GET", pair, 500, "plasm-internal"],
  ])("%s %s: %i %s", async (method, path, status, code) => {
    const response = await send({}, path, { method });
    expect(response.status).toBe(status);
    expect((await problemIn(response)).code).toBe(code);
  });

  it("a method that is not for a route is told which are", async () => {
    const response = await send({}, pair, { method: "PUT", body: "x" });
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("a defect shows no detail (SURF-19)", async () => {
    const registry = (): never => {
      throw new Error("a secret path");
    };
    const response = await send({ registry }, "/v1/registry");
    expect(await response.text()).not.toContain("secret");
  });
});

describe("Host and Origin (SURF-16, G21)", () => {
  const everyRoute = [...SERVED, "POST /mcp", "GET /nothing"].map((row) => {
    const [method = "", path = ""] = row.split(" ");
    return [method, path.replaceAll(/\{\w+\}/g, "x")] as const;
  });

  it.each(everyRoute)("%s %s refuses foreign ones", async (method, path) => {
    const body = method === "GET" ? {} : { body: "{}" };
    for (const headers of [{ host: "evil.example" }, { origin: "https://evil.example" }]) {
      const response = await send({}, path, { method, headers, ...body });
      expect(response.status).toBe(403);
      expect((await problemIn(response)).code).toBe("plasm-policy-denied");
    }
  });

  it("SURF-68 pages of other origins read the server card of a server with an address of its own", async () => {
    const mcp = { fetch: async () => new Response(), close: async () => undefined };
    const get = async (origin: string | undefined, headers: Record<string, string>) => {
      const hosts = ["plasm.example", "localhost"];
      const app = createHttpApp({ engine: engineWith(), mcp, hosts, origin });
      const url = "https://plasm.example/mcp/server-card";
      return app.fetch(new Request(url, { headers: { host: "plasm.example", ...headers } }));
    };
    const foreign = { origin: "https://other.example" };
    const open = await get("https://plasm.example", foreign);
    expect([open.status, open.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect((await get(undefined, foreign)).status).toBe(403);
    const rebound = { ...foreign, host: "evil.example" };
    expect((await get("https://plasm.example", rebound)).status).toBe(403);
  });

  it("lets a local page pass", async () => {
    const response = await send({}, "/v1/health", { headers: { origin: "http://localhost:6274" } });
    expect(response.status).toBe(200);
  });
});

describe("X-Request-Id (SURF-16)", () => {
  it("is echoed, on errors too", async () => {
    for (const path of ["/v1/health", "/nothing", "/v1/registry", "/mcp"]) {
      const response = await send({}, path, { headers: { "x-request-id": "abc-1.2" } });
      expect(response.headers.get("x-request-id")).toBe("abc-1.2");
    }
  });

  it.each(["", "a b", "x".repeat(129), "<script>"])("%j is replaced by one of ours", async (id) => {
    const response = await send({}, "/v1/health", { headers: { "x-request-id": id } });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

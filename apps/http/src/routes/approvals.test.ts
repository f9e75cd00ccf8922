import type { ApprovalView } from "@plasm/agent-core";
import type { Approvals } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { NO_OPERATORS } from "./route.ts";
import { createHttpApp } from "../create-http-app.ts";
import { problemIn } from "../testing/app-for.ts";
import { engineWith } from "../testing/engine-with.ts";

const mcp = { fetch: async () => new Response(), close: async () => undefined };

type Decided = Parameters<Approvals["decide"]>;

/** What was asked for in the place of a plan: the routes pass on what they are given. */
const plan = (said: object): ApprovalView => said as ApprovalView;

/** An app that knows one operator's key, and one of an agent; and what was decided over it. */
function appOf() {
  const decided: Decided[] = [];
  const approvals: Approvals = {
    list: async ({ subject }) => [plan({ for: subject })],
    page: async ({ subject }, which) => ({
      approvals: [plan({ for: subject, which: { ...which } })],
      total: 1,
      next: null,
      callers: [],
    }),
    find: async ({ subject }, uuid) => plan({ for: subject, uuid }),
    decide: async (...given) => {
      decided.push(given);
      return plan({ state: given[2] });
    },
  };
  const keys = {
    recordOf: async (key: string) => {
      const role = key === "operators" ? ("operator" as const) : ("agent" as const);
      const of = { id: "1", hash: "", tenant: "acme", subject: "ann", role, createdAt: 0 };
      return key === "operators" || key === "agents" ? of : null;
    },
  };
  const app = createHttpApp({
    engine: engineWith(),
    operators: { ...NO_OPERATORS, keys, approvals },
    mcp,
  });
  const send = async (path: string, headers: Readonly<Record<string, string>>, body?: string) => {
    const sent = body === undefined ? {} : { body };
    const method = /\/(approve|reject)(\?|$)/.test(path) ? "POST" : "GET";
    return app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...sent }));
  };
  return { decided, send };
}

const OPERATOR = { scope: "acme", subject: "ann" };

describe("the routes of operators (SURF-16, OPS-36)", () => {
  it.each([
    ["approve", "approved"],
    ["reject", "rejected"],
  ] as const)("POST …/%s decides as the key's owner", async (action, verdict) => {
    const { decided, send } = appOf();
    const answer = await send(`/v1/approvals/u1/${action}`, { "x-api-key": "operators" });
    expect([answer.status, await answer.json()]).toEqual([200, { state: verdict }]);
    const by = { ...OPERATOR, requestId: answer.headers.get("x-request-id") };
    expect(decided).toEqual([[by, "u1", verdict, {}]]);
  });

  it("GET …/{uuid} has one plan, decided or not", async () => {
    const answer = await appOf().send("/v1/approvals/u1", { "x-api-key": "operators" });
    expect(await answer.json()).toEqual({ for: "ann", uuid: "u1" });
  });

  it("a decision has the hash that was read and a reason", async () => {
    const { decided, send } = appOf();
    const headers = { "x-api-key": "operators", "content-type": "application/json" };
    const said = { commit: "sha256:1", reason: "as asked" };
    await send("/v1/approvals/u1/reject", headers, JSON.stringify(said));
    expect(decided.map(([, , , words]) => words)).toEqual([said]);
    for (const explained_at of [null, "2026-01-01T00:00:00.000Z"]) {
      await send("/v1/approvals/u1/approve", headers, JSON.stringify({ explained_at }));
      expect(decided.at(-1)?.[3]).toEqual({ explainedAt: explained_at });
    }
    const long = JSON.stringify({ reason: "x".repeat(501) });
    expect((await send("/v1/approvals/u1/reject", headers, long)).status).toBe(400);
  });

  it("GET lists as the key's owner", async () => {
    const answer = await appOf().send("/v1/approvals", { authorization: "Bearer operators" });
    const which = { after: null, subject: null };
    const page = { total: 1, next: null, callers: [] };
    expect(await answer.json()).toEqual({ approvals: [{ for: "ann", which }], ...page });
  });

  it("18.16 GET lists the page that is asked for, and one caller's plans", async () => {
    const headers = { "x-api-key": "operators" };
    const answer = await appOf().send("/v1/approvals?after=u9&caller=bob", headers);
    const which = { after: "u9", subject: "bob" };
    expect(await answer.json()).toMatchObject({ approvals: [{ which }] });
  });

  it.each<[Readonly<Record<string, string>>, number]>([
    [{}, 401],
    [{ "x-api-key": "made up" }, 401],
    [{ authorization: "Basic operators" }, 401],
    [{ authorization: "operators" }, 401],
    [{ cookie: "x-api-key=operators" }, 401],
    [{ "x-api-key": "agents" }, 403],
    [{ "x-api-key": "agents", authorization: "Bearer operators" }, 403],
    [{ "x-api-key": "operators", authorization: "Bearer agents" }, 200],
    [{ authorization: "bearer operators" }, 200],
  ])("%j: %i, X-API-Key first (SURF-23)", async (headers, status) => {
    const { decided, send } = appOf();
    for (const path of ["/v1/approvals", "/v1/approvals/u1/approve", "/v1/approvals/u1/reject"]) {
      expect((await send(path, headers)).status).toBe(status);
    }
    expect(decided).toHaveLength(status === 200 ? 2 : 0);
  });

  it("no credential stands in the query, and a decision takes no arguments", async () => {
    const { decided, send } = appOf();
    const key = { "x-api-key": "operators" };
    const inQuery = await send("/v1/approvals/u1/approve?api_key=operators", {});
    expect((await problemIn(inQuery)).code).toBe("plasm-bad-request");
    const json = { ...key, "content-type": "application/json" };
    const more = await send("/v1/approvals/u1/approve", json, '{"force":true}');
    expect((await problemIn(more)).code).toBe("plasm-bad-request");
    expect((await send("/v1/approvals/u1/approve", key, "approve")).status).toBe(415);
    expect(decided).toEqual([]);
    expect((await send("/v1/approvals/u1/approve", json, "{}")).status).toBe(200);
    // As a server passes a POST on that has none.
    expect((await send("/v1/approvals/u1/approve", key, "")).status).toBe(200);
  });

  it("without operators nothing is decided", async () => {
    const app = createHttpApp({ engine: engineWith(), mcp });
    const headers = { "x-api-key": "operators" };
    const path = "http://127.0.0.1/v1/approvals/u1/approve";
    expect((await app.fetch(new Request(path, { method: "POST", headers }))).status).toBe(401);
  });
});

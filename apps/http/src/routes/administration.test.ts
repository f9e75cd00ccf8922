import type { Import, Withdrawn } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { createHttpApp } from "../create-http-app.ts";
import { engineWith } from "../testing/engine-with.ts";

const mcp = { fetch: async () => new Response(), close: async () => undefined };

const IMPORT: Import = {
  record: {
    entryId: "yard",
    version: 2,
    digest: "sha256:1",
    domain: "version: 2",
    mappings: null,
    by: "ann",
    at: 0,
  },
  warnings: [],
};

const WITHDRAWN: Withdrawn = {
  record: IMPORT.record,
  sessions: "keep",
  remains: { version: 1, digest: "sha256:0" },
  at: 0,
};

const BY_CLAIMS = { role: "admin", roles: ["admin"] } as const;

/** An app that knows keys of each role; and what was imported over it. */
function appOf() {
  const imported: unknown[] = [];
  const withdrawn: unknown[] = [];
  const roles: readonly string[] = ["admin", "operator", "agent"];
  const keys = {
    recordOf: async (key: string) => {
      // Who is an administrator by the claims of a token.
      if (key === "token.of.acme") return { tenant: "acme", subject: "tom", ...BY_CLAIMS };
      const role = roles.includes(key) ? (key as "admin") : null;
      if (role === null) return null;
      return { id: "1", hash: "", tenant: "acme", subject: "ann", role, createdAt: 0 };
    },
  };
  const catalogs = {
    import: async (...given: readonly unknown[]) => {
      imported.push(given);
      return IMPORT;
    },
    withdraw: async (...given: readonly unknown[]) => {
      withdrawn.push(given);
      return WITHDRAWN;
    },
  };
  const policies = { put: () => Promise.reject(new Error("no policy is set")) };
  const administrators = { keys, policies, catalogs, metrics: null };
  const app = createHttpApp({ engine: engineWith(), administrators, mcp });
  const send = async (headers: Readonly<Record<string, string>>, body = "{}") => {
    const all = { "content-type": "application/json", ...headers };
    const init = { method: "POST", headers: all, body };
    return app.fetch(new Request("http://127.0.0.1/v1/admin/catalogs", init));
  };
  const withdraw = async (headers: Readonly<Record<string, string>>, query = "") => {
    const init = { method: "DELETE", headers };
    return app.fetch(new Request(`http://127.0.0.1/v1/admin/catalogs/yard${query}`, init));
  };
  return { app, imported, withdrawn, send, withdraw };
}

describe("POST /v1/admin/catalogs (SURF-16)", () => {
  it("imports as the administrator, and answers 201 with the place of the catalog", async () => {
    const { imported, send } = appOf();
    const answer = await send({ "x-api-key": "admin" }, '{"entry_id":"yard","domain":"…"}');
    expect([answer.status, answer.headers.get("location")]).toEqual([201, "/v1/registry/yard"]);
    expect(await answer.json()).toEqual({
      entry_id: "yard",
      version: 2,
      digest: "sha256:1",
      by: "ann",
      at: "1970-01-01T00:00:00.000Z",
      warnings: [],
    });
    const by = { tenant: "acme", subject: "ann", requestId: answer.headers.get("x-request-id") };
    expect(imported).toEqual([[by, { entry_id: "yard", domain: "…" }]]);
  });

  it.each<[Readonly<Record<string, string>>, number]>([
    [{}, 401],
    [{ "x-api-key": "made up" }, 401],
    [{ "x-api-key": "agent" }, 403],
    [{ authorization: "Bearer operator" }, 403],
    [{ "x-api-key": "operator", authorization: "Bearer admin" }, 403],
    [{ authorization: "Bearer admin" }, 201],
  ])("%j: %i", async (headers, status) => {
    const { imported, send } = appOf();
    const answer = await send(headers);
    expect(answer.status).toBe(status);
    expect(imported).toHaveLength(status === 201 ? 1 : 0);
  });

  it("is for keys alone: a token makes an administrator of its own tenant, whose policy it sets", async () => {
    const { app, imported } = appOf();
    const send = async (method: string, path: string) => {
      const headers = { authorization: "Bearer token.of.acme", "content-type": "application/json" };
      const body = method === "DELETE" ? {} : { body: "{}" };
      return app.fetch(new Request(`http://127.0.0.1${path}`, { method, headers, ...body }));
    };
    for (const [method, path] of [
      ["POST", "/v1/admin/catalogs"],
      ["DELETE", "/v1/admin/catalogs/quay"],
      ["PUT", "/v1/admin/policy/other"],
    ] as const) {
      const answer = await send(method, path);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain("an administrator of its own tenant alone, acme");
    }
    expect(imported).toEqual([]);
    // It gets as far as setting it, which this app cannot.
    expect((await send("PUT", "/v1/admin/policy/acme")).status).toBe(500);
  });

  it("takes JSON alone, and without administrators nothing", async () => {
    const { imported, send } = appOf();
    const admin = { "x-api-key": "admin" };
    expect((await send({ ...admin, "content-type": "text/plain" })).status).toBe(415);
    expect((await send(admin, "[]")).status).toBe(400);
    expect(imported).toEqual([]);
    const app = createHttpApp({ engine: engineWith(), mcp });
    const headers = { ...admin, "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    const answer = await app.fetch(new Request("http://127.0.0.1/v1/admin/catalogs", init));
    expect(answer.status).toBe(401);
  });
});

describe("DELETE /v1/admin/catalogs/{entry_id} (SESS-12)", () => {
  it("withdraws as the administrator, and says what is on offer then", async () => {
    const { withdrawn, withdraw } = appOf();
    const answer = await withdraw({ "x-api-key": "admin" }, "?sessions=keep");
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        entry_id: "yard",
        version: 2,
        digest: "sha256:1",
        by: "ann",
        at: "1970-01-01T00:00:00.000Z",
        sessions: "kept",
        on_offer: { version: 1, digest: "sha256:0" },
      },
    ]);
    await withdraw({ authorization: "Bearer admin" });
    const by = { tenant: "acme", subject: "ann", requestId: expect.any(String) as string };
    expect(withdrawn).toEqual([
      [by, "yard", "keep"],
      [by, "yard", "lose"],
    ]);
  });

  it.each<[Readonly<Record<string, string>>, string, number]>([
    [{}, "", 401],
    [{ "x-api-key": "made up" }, "", 401],
    [{ "x-api-key": "agent" }, "", 403],
    [{ "x-api-key": "operator" }, "", 403],
    [{ "x-api-key": "admin" }, "?sessions=all", 400],
    [{ "x-api-key": "admin" }, "?force=true", 400],
  ])("%j %s: %i, and nothing is withdrawn", async (headers, query, status) => {
    const { withdrawn, withdraw } = appOf();
    expect((await withdraw(headers, query)).status).toBe(status);
    expect(withdrawn).toEqual([]);
  });
});

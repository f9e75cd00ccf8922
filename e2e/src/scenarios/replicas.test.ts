import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startSampleApis, type SampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { createDatabase, type TestDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type CallerName, openTalk } from "../harness/callers.ts";
import { connectMcp } from "../harness/surfaces.ts";
import { mcpAgent } from "../harness/mcp-agent.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import type { PlasmOptions } from "../harness/plasm-command.ts";
import { startPlasmServer, type PlasmServer } from "../harness/plasm-server.ts";
import { openRawMcp } from "../harness/raw-mcp.ts";
import { refIn } from "../harness/talk.ts";

const seeds = seedsOf("quay", "Boat");

/** A stdio server is a replica, too, with its database from the same setting. */
const CALLERS: readonly CallerName[] = [
  "MCP 2025 over HTTP",
  "MCP 2026 over HTTP",
  "MCP 2026 over stdio",
  "HTTP",
];

let dir: string;
let apis: SampleApis;
let database: TestDatabase;
const replicas: { readonly server: PlasmServer; readonly options: PlasmOptions }[] = [];

/** One of the replicas: with a data directory of its own, like a machine of its own. */
function optionsOf(name: string): PlasmOptions {
  return {
    dataDir: join(dir, name),
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: apis.quay.url, PLASM_DATABASE_URL: database.url },
  };
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-replicas-"));
  const ports = { quay: 0, yard: 0 };
  [apis, database] = await Promise.all([
    startSampleApis({ dataDir: join(dir, "apis"), ports }),
    createDatabase(inject("postgresUrl")),
  ]);
  // At once, on a database that nobody has prepared.
  await Promise.all(
    ["a", "b"].map(async (name) => {
      const options = optionsOf(name);
      replicas.push({ options, server: await startPlasmServer(options) });
    }),
  );
});

afterAll(async () => {
  await Promise.all(replicas.map(({ server }) => server.stop()));
  await database.drop();
  await apis.close();
  await rm(dir, { recursive: true, force: true });
});

const placeOf = (index: number) => {
  const { server, options } = replicas[index] ?? replicas[0] ?? fail();
  return { url: server.url, options };
};
const fail = (): never => {
  throw new Error("No replica has started");
};

const send = (note: string): string => `Boat("b1").send(to="harbour", note="${note}")`;

describe("two servers on one PostgreSQL (SESS-33)", () => {
  test.each(CALLERS)("G18 %s: opened and planned on one, run once on the other", async (caller) => {
    const intent = `${caller}: replicas`;
    const first = await openTalk(caller, placeOf(0), { intent, seeds });
    const second = await openTalk(caller, placeOf(1), { intent, seeds });
    try {
      apis.forgetRequests();
      const plan = await first.plan(send(caller));
      const [, ref = ""] = /^plan review (pc\d+) · /.exec(plan.text) ?? [];
      expect(apis.requests).toEqual([]);
      const blocked = await second.run(send(caller));
      expect([blocked.outcome, refIn(blocked)]).toEqual(["review", ref]);
      const run = await second.run(send(caller), { plan_commit_ref: ref });
      expect(run, run.text).toMatchObject({ outcome: "done" });
      expect(run.text).toBe("done send quay.Boat b1");
      const again = await first.run(send(caller), { plan_commit_ref: ref });
      expect(again.text.replace(/\nnote: .*$/, "")).toBe(run.text);
      expect(apis.requests.map(({ body }) => body)).toEqual([{ to: "harbour", note: caller }]);
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });

  test("G2 50 runs sent to both under one ref at once start one run", async () => {
    const intent = "raced by two";
    const talks = await Promise.all(
      [0, 1].map((index) => openTalk("MCP 2026 over HTTP", placeOf(index), { intent, seeds })),
    );
    const [one] = talks;
    const plan = await one?.plan(send("raced"));
    const [, ref = ""] = /^plan review (pc\d+) · /.exec(plan?.text ?? "") ?? [];
    apis.forgetRequests();
    const runs = Array.from({ length: 25 }, () => talks).flat();
    const told = await Promise.all(
      runs.map((talk) => talk.run(send("raced"), { plan_commit_ref: ref })),
    );
    expect(told.map(({ outcome }) => outcome)).not.toContain("review");
    expect(apis.requests).toHaveLength(1);
    expect(new Set(told.map(({ text }) => text.replace(/\nnote: .*$/, ""))).size).toBe(1);
    await Promise.all(talks.map((talk) => talk.close()));
  });

  test("a page handle, a snapshot and the symbols of one are the other's too (SESS-3, SESS-35)", async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((index) => connectMcp("MCP 2026 over HTTP", placeOf(index))),
    );
    if (first === undefined || second === undefined) throw new Error("No agents");
    try {
      const opened = await openSession(first, "read on", seeds);
      const run = await first.run(opened.ref, "e1.page_size(2)[id]");
      const next = await second.run(opened.ref, `page(${opened.ref}_pg1)`);
      expect(next.results[0]?.rows).not.toEqual(run.results[0]?.rows);
      const uri = run.meta.steps[0]?.artifact_uri ?? "";
      expect(await second.readResource(uri)).toEqual(await first.readResource(uri));
      const table = `plasm://session/${opened.ref}/table`;
      expect(await second.readResource(table)).toEqual(await first.readResource(table));
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  });

  test.each(["2025 with its MCP-Session-Id", "2025 without one", "2026"] as const)(
    "G18 SESS-4 each call of one client goes to the other replica, %s",
    async (how) => {
      const turns: string[] = [];
      const transport = new StreamableHTTPClientTransport(new URL("/mcp", placeOf(0).url), {
        fetch: async (_, init) => {
          const { url } = placeOf(turns.length % 2);
          const headers = new Headers(init?.headers);
          if (how === "2025 without one") headers.delete("mcp-session-id");
          // A stream of notices is no call.
          if (init?.method === "POST") turns.push(url);
          return fetch(new URL("/mcp", url), { ...init, headers });
        },
      });
      const mode = how === "2026" ? { pin: "2026-07-28" } : ("legacy" as const);
      const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(transport);
      const agent = mcpAgent(client, null, () => client.close());
      try {
        const intent = `in turn: ${how}`;
        const { ref, meta } = await openSession(agent, intent, seeds);
        const again = await agent.context({ intent, seeds });
        // What a connection was sent is known on both; without one it cannot be (SESS-19).
        const hint =
          how === "2025 with its MCP-Session-Id" ? "" : " replay:true sends the tables again.";
        expect(again.text).toBe(`${ref} unchanged: e1 Boat. Symbols stand.${hint}`);
        expect(again.meta.execute_binding).toEqual(meta.execute_binding);
        const program = "Boat{length>12}[id]";
        const planned = await agent.plan(ref, program);
        const asked = { plan_commit_ref: planned.meta.plan_commit_ref, wait: false };
        const accepted = await agent.run(ref, program, asked);
        expect(accepted.text).toMatch(new RegExp(`^wait\\(${ref}_o1\\)`));
        const ended = await agent.run(ref, `wait(${ref}_o1)`, { wait: true });
        expect(ended.results[0]?.rows).toHaveLength(35);
        const paged = await agent.run(ref, "Boat.page_size(2)[id]");
        const next = await agent.run(ref, `page(${ref}_pg1)`);
        expect(next.results[0]?.rows).toHaveLength(2);
        expect(next.results[0]?.rows).not.toEqual(paged.results[0]?.rows);
        expect(new Set(turns).size).toBe(2);
        expect(turns.length).toBeGreaterThan(10);
      } finally {
        await agent.close();
      }
    },
  );

  test("SURF-1 a connection is no session of the server: DELETE is refused, and it stays", async () => {
    const connection = await openRawMcp(placeOf(0).url);
    const headers = { "mcp-session-id": connection.session };
    for (const index of [0, 1]) {
      const refused = await fetch(`${placeOf(index).url}/mcp`, { method: "DELETE", headers });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, POST"]);
    }
    const args = { intent: "after DELETE", seeds };
    const opened = await connection.call(1, "plasm_context", args);
    expect(JSON.stringify(opened)).toContain("logical_session_ref");
    expect(JSON.stringify(await connection.call(2, "plasm_context", args))).toContain(
      'Names stand."',
    );
  });

  test.each<Readonly<Record<string, string>>>([
    { origin: "https://evil.example" },
    { origin: "null" },
  ])("SURF-1 %j is refused by both, whatever the connection", async (foreign) => {
    const connection = await openRawMcp(placeOf(0).url);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    for (const index of [0, 1]) {
      const { url } = placeOf(index);
      const types = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      for (const more of [{}, { "mcp-session-id": connection.session }]) {
        const headers = { ...types, ...more };
        const sent = { method: "POST", body } as const;
        const served = await fetch(`${url}/mcp`, { ...sent, headers });
        expect([served.status, (await served.text()).includes("plasm_context")]).toEqual([
          200,
          true,
        ]);
        const refused = await fetch(`${url}/mcp`, { ...sent, headers: { ...headers, ...foreign } });
        expect(refused.status).toBe(403);
        expect(await refused.json()).toMatchObject({ code: "plasm-policy-denied" });
      }
    }
  });

  test("they say where sessions are, and never the password", () => {
    const { password, hostname, port } = new URL(database.url);
    const place = `PostgreSQL at ${hostname}:${port}, database ${database.name}`;
    for (const { server } of replicas) {
      expect(server.said()).toContain(place);
      expect(server.said()).not.toContain(password);
    }
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOCAL } from "@plasm/agent-core";
import { type Host, openHost } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";
import { problemIn } from "./testing/app-for.ts";
import { startOwnQuay, type OwnQuay } from "./testing/own-quay.ts";

const PROGRAM = 'Boat("b1").update(note="painted")[id, note]';

let dataDir = "";
let quay: OwnQuay;
let hosts: Host[] = [];

/** Brings up an engine on the data directory of the test. */
async function start(): Promise<{ readonly host: Host; readonly app: Hono }> {
  const host = await openHost({
    dataDir,
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: quay.url },
  });
  hosts.push(host);
  const { engine, connections } = host;
  return { host, app: createHttpApp({ engine, mcp: createMcpHandler({ engine, connections }) }) };
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-http-"));
  quay = await startOwnQuay();
});
afterEach(async () => {
  for (const host of hosts) await host.close();
  hosts = [];
  await quay.close();
  await rm(dataDir, { recursive: true, force: true });
});

const post = (app: Hono, path: string, value: object, accept = "application/json") =>
  app.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: { accept, "content-type": "application/json" },
      body: JSON.stringify(value),
    }),
  );

async function open(app: Hono): Promise<string> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const response = await post(app, "/execute", { intent: "paint", seeds });
  return response.headers.get("location") ?? "";
}

describe("a run with effects over HTTP (SURF-17, PLAN-041)", () => {
  it("is blocked with a ref, runs with it, and is repeated on every surface (OPS-3, G1)", async () => {
    const { app, host } = await start();
    const path = await open(app);
    const blocked = await problemIn(await post(app, path, { program: PROGRAM }));
    expect([blocked.status, blocked._meta]).toMatchObject([
      409,
      {
        plasm: {
          error: { code: "plasm-review-required", reason: "none" },
          plan_commit_ref: "pc0",
          dry_verdict: "review",
          dry_review: { reasons: [{ code: "effect", severity: "review", node: "n1" }] },
        },
      },
    ]);
    const run = { program: PROGRAM, plan_commit_ref: "pc0" };
    const first = (await (await post(app, path, run)).json()) as {
      results: object;
      text: string;
      _meta: { plasm: object };
    };
    expect(first).toMatchObject({
      results: [{ name: "Boat", rows: [{ id: "b1", note: "painted" }] }],
      _meta: {
        plasm: {
          dry_run: false,
          effects: [{ seq: 1, node: "n1", status: "done", target: "Boat:b1", http_status: 200 }],
        },
      },
    });
    expect(first.text).toMatch(/\ndone update quay\.Boat b1$/);

    const note = /^pc0 ran \d+ s ago \(r\/1\); plan again to repeat it$/;
    const lines = (await (await post(app, path, run, "application/x-ndjson")).text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { result: "Boat", row: { id: "b1", note: "painted" } },
      { _meta: { plasm: { ...first._meta.plasm, note: expect.stringMatching(note) as string } } },
    ]);
    const overMcp = await host.engine.run(
      LOCAL,
      { kind: "ref", ref: "s0" },
      {
        program: PROGRAM,
        planCommitRef: "pc0",
      },
    );
    expect(overMcp.text).toContain(`${first.text}\nnote: pc0 ran `);
    expect(quay.performed).toEqual(["PATCH /boats/b1"]);
  });

  it("that fails half way has nodes, effects and results in its problem (ERR-031)", async () => {
    const { app } = await start();
    const path = await open(app);
    quay.refuse = (url) => url.endsWith("/messages");
    const program = `Boat("b1").ping()\nBoat("b1").send(to=ann)\nBoat("b1").ping()`;
    const problem = await problemIn(await post(app, path, { program, force: true }));
    expect(problem).toMatchObject({
      status: 502,
      code: "plasm-upstream-error",
      errors: [{ code: "upstream_error", node: "n2", span: { line: 2 } }],
      nodes: [
        { id: "n1", status: "done" },
        { id: "n2", status: "failed" },
        { id: "n3", status: "skipped" },
      ],
      effects: [{ status: "done" }, { status: "failed" }, { status: "skipped" }],
      results: [{ name: "Boat", rows: [{ ok: true }] }],
    });
    expect(problem.detail).toMatch(
      /^failed at n2: upstream_error 422 from quay\neffects: 1 done, 1 failed, 1 not started\n/,
    );
    expect(quay.performed).toEqual(["POST /boats/b1/ping"]);
  });
});

describe("races for one ref on the embedded store (G2)", () => {
  it("50 of them: one call starts a run, the others tell its answer", async () => {
    const { app } = await start();
    const path = await open(app);
    for (let race = 0; race < 50; race += 1) {
      const program = `Boat("b1").update(note="race ${race}")`;
      await post(app, path, { program, mode: "plan" });
      const run = { program, plan_commit_ref: `pc${race}` };
      const answers = await Promise.all(
        [1, 2, 3].map(async () => (await post(app, path, run, "text/plain")).text()),
      );
      expect(quay.performed).toHaveLength(race + 1);
      expect(answers.filter((text) => text.includes(`\nnote: pc${race} ran `))).toHaveLength(2);
    }
  });
});

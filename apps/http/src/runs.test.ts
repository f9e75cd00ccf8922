import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@plasm/core";
import { type Host, openHost } from "@plasm/host";
import { mountMcp } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHttpServer, type HttpServer } from "./server/start-http-server.ts";
import { problemIn } from "./testing/app-for.ts";
import { startOwnQuay, type OwnQuay } from "./testing/own-quay.ts";

const TWO_STEPS = 'a = Boat("b1")[id, note]\nb = Boat("b1").update(note="painted")[id]\na, b';

let dataDir: string;
let quay: OwnQuay;
let host: Host;
let server: HttpServer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-http-"));
  quay = await startOwnQuay();
  host = await openHost({
    dataDir,
    catalogs: [fixtureCatalogDir("quay")],
    env: { PLASM_BACKEND_QUAY: quay.url },
  });
  const { engine } = host;
  server = await startHttpServer({ engine, mcp: mountMcp(host), host: "127.0.0.1", port: 0 });
});

afterEach(async () => {
  await server.close();
  await host.close();
  await quay.close();
  await rm(dataDir, { recursive: true, force: true });
});

const get = (path: string, accept = "*/*") =>
  fetch(`${server.url}${path}`, { headers: { accept } });

const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

async function open(intent?: string): Promise<string> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const bound = intent === undefined ? {} : { intent };
  const response = await post("/execute", { seeds, notation: "names", ...bound });
  return response.headers.get("location") ?? "";
}

interface Runs {
  readonly runs: readonly (JsonObject & {
    readonly snapshots: readonly { readonly n: number; readonly run_id: string }[];
  })[];
}

const runsOf = async (session: string): Promise<Runs> =>
  (await (await get(`${session}/runs`)).json()) as Runs;

const isHeld = (): { readonly reached: Promise<void>; readonly letGo: () => void } => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const reached = new Promise<void>((resolve) => {
    quay.before = async (request) => {
      if (!request.startsWith("PATCH")) return;
      resolve();
      await held;
    };
  });
  return { reached, letGo };
};

describe.each(["paint", undefined])("the runs of a session, intent %s (SURF-16)", (intent) => {
  it("OPS-11 a closed response cancels; snapshot and effects stay readable", async () => {
    const session = await open(intent);
    const { reached, letGo } = isHeld();
    const gone = new AbortController();
    const answer = post(session, { program: TWO_STEPS, force: true, wait: true }, gone.signal);
    const unseen = answer.then(
      () => "answered",
      () => "gone",
    );
    await reached;
    gone.abort();
    expect(await unseen).toBe("gone");
    await expect.poll(async () => (await runsOf(session)).runs.length).toBe(1);
    expect((await runsOf(session)).runs[0]).toMatchObject({ state: "running" });
    letGo();
    const state = async () => (await runsOf(session)).runs[0]?.["state"];
    await expect.poll(state).toBe("cancelled");
    const [run] = (await runsOf(session)).runs;
    expect(run).toMatchObject({
      plan_commit_ref: "pc0",
      handle: null,
      effects: [{ capability: "boat_update", status: "done", target: "Boat:b1" }],
    });
    expect(quay.performed).toEqual(["PATCH /boats/b1"]);
    const [first] = run?.snapshots ?? [];
    expect(first).toMatchObject({ label: "a", source: "cancel", row_count: 1 });
    const kept = await get(`${session}/r/${first?.n}`);
    expect(await kept.json()).toMatchObject({ label: "a", source: "cancel", rows: [{ id: "b1" }] });
    const same = await get(`${session}/artifacts/${first?.run_id}`);
    expect(await same.json()).toMatchObject({ run_id: first?.run_id, n: first?.n });
  });

  it("reads are runs too, each with the snapshots that its answer named", async () => {
    const session = await open(intent);
    const told = await (await post(session, { program: 'Boat("b1")[id]' })).json();
    const { runs } = await runsOf(session);
    const steps = (told as { _meta: { plasm: { steps: JsonObject[] } } })._meta.plasm.steps;
    const { n, run_id, artifact_uri } = steps[0] ?? {};
    expect(runs).toMatchObject([
      { state: "succeeded", effects: [], snapshots: [{ n, run_id, artifact_uri, source: "live" }] },
    ]);
  });

  it("SESS-38 what is not there, and what is another session's, is unknown alike", async () => {
    const mine = await open(intent);
    await post(mine, { program: 'Boat("b1")[id]' });
    const [run] = (await runsOf(mine)).runs;
    const other = await open(intent === undefined ? "another" : undefined);
    for (const path of [
      "r/0",
      "r/9",
      "r/x",
      "artifacts/pr0",
      `artifacts/${run?.snapshots[0]?.run_id}`,
    ]) {
      const problem = await problemIn(await get(`${other}/${path}`));
      expect([path, problem.code]).toEqual([path, "plasm-unknown-snapshot"]);
    }
    expect((await runsOf(other)).runs).toEqual([]);
    const nowhere = `/execute/${"a".repeat(64)}/${"b".repeat(32)}`;
    for (const path of ["runs", "status", "symbols", "r/1", "artifacts/pr0"]) {
      const problem = await problemIn(await get(`${nowhere}/${path}`));
      expect([problem.status, problem.code]).toEqual([404, "plasm-unknown-session"]);
    }
  });
});

describe("what a session is (SURF-16)", () => {
  it("SESS-11 symbols, status, prompt and runs do not renew it", async () => {
    const session = await open();
    const before = await (await get(`${session}/status`)).text();
    expect(JSON.parse(before)).toMatchObject({ alive: true });
    for (const path of ["", "/symbols", "/runs"]) await get(`${session}${path}`);
    expect(await (await get(`${session}/status`)).text()).toBe(before);
  });

  it("TEACH-1 A36 its symbols by letter, as its prompt has them", async () => {
    const session = await open("paint");
    const shown = (await (await get(`${session}/symbols`)).json()) as Record<string, JsonObject>;
    expect(shown).toMatchObject({
      notation: "names",
      domain_revision: 1,
      e: { e1: { entry_id: "quay", entity: "Boat" } },
    });
    expect(Object.keys(shown["m"] ?? {})[0]).toBe("m1");
    expect(Object.keys(shown["p"] ?? {})[0]).toBe("p1");
  });

  it("and who calls, while nobody has to prove it (SURF-23)", async () => {
    expect(await (await get("/v1/auth/status")).json()).toEqual({ mode: "off", issuers: [] });
    const who = await (await get("/v1/whoami")).json();
    expect(who).toEqual({ tenant: "anonymous", subject: "local", method: "none" });
  });
});

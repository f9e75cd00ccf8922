import { appendFile, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Accounts, type Host, openHost } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpApp } from "../create-http-app.ts";
import { ROUTES } from "../routes/all-routes.ts";
import { contractOf, type Contract, type OpenApi } from "../testing/contract.ts";
import { startOwnQuay, type OwnQuay } from "../testing/own-quay.ts";
import { openApiDocument } from "./openapi.ts";

let [dataDir, host, quay, app]: [string, Host | null, OwnQuay | null, Hono | null] = [
  "",
  null,
  null,
  null,
];
const contract: Contract = contractOf(openApiDocument(ROUTES) as unknown as OpenApi);
const SESSION = "/execute/{prompt_hash}/{session_id}";

/** Operations that answered as the document says, each with a status. */
const seen = new Set<string>();

/** Accounts as they are with a provider, which shared-accounts.test.ts has. */
const work: Awaited<ReturnType<Accounts["share"]>> = {
  entry_id: "quay",
  account: "shared/work",
  changed_at: "2026-01-01T00:00:00.000Z",
  whose: "tenant",
  may_change: true,
  shared: { by: "ann", users: ["ann", "bob"] },
};
const accounts: Accounts = {
  list: () => [{ entry_id: "quay", signs_in: true, accounts: [work] }],
  signIn: async () => ({ url: "https://id.example/", cookie: "a=b" }),
  share: async () => work,
  revoke: async () => true,
};

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plasm-contract-"));
  quay = await startOwnQuay();
  const yard = join(dataDir, "yard");
  await cp(fixtureCatalogDir("yard"), yard, { recursive: true });
  const webhook =
    "webhooks: {changes: {scheme: token, header: X-Token, challenge: ask, env: TOKEN}}";
  await appendFile(join(yard, "domain.yaml"), `\n${webhook}\n`);
  host = await openHost({
    dataDir,
    catalogs: [fixtureCatalogDir("quay"), yard],
    env: {
      PLASM_BACKEND_QUAY: quay.url,
      PLASM_BACKEND_YARD: quay.url,
      PLASM_METRICS: "1",
      TOKEN: "s3cr3t",
    },
  });
  const { engine, connections, operators, administrators } = host;
  const mcp = createMcpHandler({ engine, connections });
  app = createHttpApp({ engine, mcp, operators, administrators, accounts });
});

afterAll(async () => {
  await host?.close();
  await quay?.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface Asked {
  readonly json?: unknown;
  readonly accept?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a route, and finds the answer, good or bad, to be one that the document tells of. */
async function ask(route: string, path: string, status: number, asked: Asked = {}) {
  const { json, accept = "*/*", key, headers: more = {} } = asked;
  const [method = ""] = route.split(" ");
  const headers = {
    accept,
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "x-api-key": key }),
    ...more,
  };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const request = new Request(`http://127.0.0.1${path}`, { method, headers, ...body });
  const response = await app?.fetch(request);
  if (response === undefined) throw new Error("no app");
  const stream = response.headers.get("content-type") === "text/event-stream";
  expect([route, response.status, stream ? "" : await response.clone().text()]).toEqual([
    route,
    status,
    expect.anything(),
  ]);
  expect(await contract.answerFaults(route, response)).toEqual([]);
  seen.add(`${route} ${status}`);
  return response;
}

/** Sets the only operation that runs aside, as the death of two processes would; gives its uuid. */
async function setAside(): Promise<string> {
  const database = new DatabaseSync(join(dataDir, "plasm.db"));
  const set = `update records set version = version + 1, body = json_set(body, '$.setAside', 1, '$.deaths', 2,
    '$.state', 'failed') where kind = 'operation' and body like '%[note]%' returning scope, id, body`;
  const [row, ...others] = database.prepare(set).all() as {
    scope: string;
    id: string;
    body: string;
  }[];
  expect(others).toEqual([]);
  const { scope = "", id = "", body = "{}" } = row ?? {};
  database
    .prepare(
      "insert into records (kind, scope, id, version, body) values ('setAside', '', ?, 1, ?)",
    )
    .run(JSON.stringify([scope, id]), JSON.stringify({ scope, id, at: 1 }));
  database.close();
  return String((JSON.parse(body) as { uuid: unknown }).uuid);
}

const open = async (more: object = {}): Promise<string> => {
  const json = { seeds: [{ api: "quay", entity: "Boat" }], notation: "names", ...more };
  const response = await ask("POST /execute", "/execute", 303, { json });
  return response.headers.get("location") ?? "";
};

describe("SURF-16 SURF-17 answers are what the document says they are", () => {
  it("of the server and its catalogs", async () => {
    await ask("GET /v1/health", "/v1/health", 200);
    await ask("GET /v1/ready", "/v1/ready", 200);
    await ask("GET /v1/auth/status", "/v1/auth/status", 200);
    await ask("GET /v1/whoami", "/v1/whoami", 200);
    await ask("GET /v1/registry", "/v1/registry", 200);
    await ask("GET /v1/registry/{entry_id}", "/v1/registry/quay", 200);
    await ask("GET /v1/registry/{entry_id}", "/v1/registry/nowhere", 404);
    const discover = { intent: "boats in the harbour" };
    await ask("POST /v1/discover", "/v1/discover", 200, { json: discover });
    await ask("POST /v1/discover", "/v1/discover", 400, { json: { intent: 7 } });
    const nowhere = { ...discover, apis: ["nowhere"] };
    await ask("POST /v1/discover", "/v1/discover", 404, { json: nowhere });
    expect([...seen]).toContain("POST /v1/discover 404");
  });

  it("of accounts with APIs", async () => {
    await ask("GET /v1/accounts", "/v1/accounts", 200);
    const json = { entry_id: "quay", account: "work" };
    await ask("POST /v1/accounts/sign-in", "/v1/accounts/sign-in", 200, { json });
    const users = { ...json, users: ["bob"] };
    await ask("POST /v1/accounts/share", "/v1/accounts/share", 200, { json: users });
    await ask("POST /v1/accounts/revoke", "/v1/accounts/revoke", 200, { json });
    await ask("POST /v1/accounts/share", "/v1/accounts/share", 400, { json });
    expect([...seen]).toContain("POST /v1/accounts/share 400");
  });

  it.each(["paint", undefined])("A38 of a session, intent %s", async (intent) => {
    const at = await open(intent === undefined ? {} : { intent });
    for (const accept of ["application/json", "text/plain", "text/markdown"]) {
      await ask(`GET ${SESSION}`, at, 200, { accept });
    }
    const more = { seeds: [{ api: "yard", entity: "Boat" }, { entity: "visits" }], replay: true };
    await ask(`POST ${SESSION}/context`, `${at}/context`, 200, { json: more });
    await ask(`GET ${SESSION}/symbols`, `${at}/symbols`, 200);
    await ask(`GET ${SESSION}/status`, `${at}/status`, 200);
    await ask(`GET ${SESSION}/grafts`, `${at}/grafts`, 200);
    const item = { source: "git", path: "a.md", content: "Prune.", graft_id: "g01" };
    const set = { name: "n", manifest_path: "m", created_ts: "t", items: [item] };
    await ask(`POST ${SESSION}/grafts`, `${at}/grafts`, 200, { json: set });
    await ask(`GET ${SESSION}/grafts/{graft_id}`, `${at}/grafts/g01`, 200);
    await ask(`GET ${SESSION}/grafts/{graft_id}`, `${at}/grafts/g99`, 404);
    await ask("GET /v1/traces", "/v1/traces", 200);
    expect([...seen]).toContain(`GET ${SESSION}/grafts/{graft_id} 404`);
  });

  it.each(["paint", undefined])("of programs and what they leave, intent %s", async (intent) => {
    const at = await open(intent === undefined ? {} : { intent });
    const post = (json: unknown, status = 200, accept = "*/*") =>
      ask(`POST ${SESSION}`, at, status, { json, accept });
    await post({ program: 'Boat("b1")', mode: "plan" });
    await post({ program: 'Boat("b1").update(note="x")', mode: "explain" });
    await post({ program: 'Boat("b1")[id, colour]' }, 422);
    for (const accept of ["application/json", "application/x-ndjson", "text/plain"]) {
      await post('Boat("b1")[id, note]', 200, accept);
    }
    await post({ program: 'Boat("b1").update(note="x")' }, 409);
    await post({ program: 'Boat("b1").update(note="x")', force: true, wait: true });
    const gone = await post({ program: 'Boat("b1")[id]', wait: false }, 202);
    const operation = gone.headers.get("location") ?? "";
    await ask(`GET ${SESSION}/operations/{handle}`, operation, 200);
    const stream = await ask(
      `GET ${SESSION}/operations/{handle}/stream`,
      `${operation}/stream`,
      200,
    );
    expect(await stream.text()).toContain("event: terminal");
    const runs = await ask(`GET ${SESSION}/runs`, `${at}/runs`, 200);
    const kept = (await runs.json()) as {
      readonly runs: readonly { readonly snapshots: readonly { readonly run_id: string }[] }[];
    };
    const [first] = kept.runs.flatMap(({ snapshots }) => snapshots);
    await ask(`GET ${SESSION}/artifacts/{run_id}`, `${at}/artifacts/${first?.run_id}`, 200);
    await ask(`GET ${SESSION}/r/{n}`, `${at}/r/1`, 200);
    await ask(`GET ${SESSION}/r/{n}`, `${at}/r/99`, 404);
    const traces = await ask("GET /v1/traces", "/v1/traces", 200);
    const [trace] = ((await traces.json()) as { traces: { trace_id: string }[] }).traces;
    await ask("GET /v1/traces/{id}", `/v1/traces/${trace?.trace_id}`, 200);
    await ask("GET /v1/traces/{id}", "/v1/traces/nowhere", 404);
    const following = await ask(
      "GET /v1/traces/{id}/stream",
      `/v1/traces/${trace?.trace_id}/stream`,
      200,
    );
    await following.body?.cancel();
  });

  it("a failed run tells what it did", async () => {
    const at = await open({ intent: "fail" });
    if (quay !== null) quay.refuse = (path) => path.includes("b2");
    const program = 'a = Boat("b1").update(note="x")\nb = Boat("b2").update(note="y")\na, b';
    const json = { program, force: true, wait: true };
    await ask(`POST ${SESSION}`, at, 502, { json });
    await ask(`GET ${SESSION}/runs`, `${at}/runs`, 200);
    expect([...seen]).toContain(`POST ${SESSION} 502`);
  });

  it("WATCH-07 of what an API tells", async () => {
    const list = "/v1/schedules";
    const ofYard =
      ";; name: yard_boats\n;; description: x\n;; parameters:\n;; shared: no\n;; entities: yard.Boat\n\nBoat[id]\n";
    await ask("POST /v1/programs", "/v1/programs", 201, { json: { text: ofYard } });
    const told = { program: "yard_boats", cron: "0 7 * * *", watch: true };
    const woken = await ask(`POST ${list}`, list, 201, {
      json: { ...told, webhook: "yard.changes" },
    });
    const { watch: by } = (await woken.json()) as { watch: { webhook: { path: string } } };
    const tell = "POST /v1/webhooks/{scope}/{schedule_uuid}";
    const genuine = { headers: { "x-token": "s3cr3t" } };
    const taken = await ask(tell, by.webhook.path, 202, { json: { moved: 1 }, ...genuine });
    expect(await taken.json()).toEqual({});
    const asked = await ask(tell, by.webhook.path, 200, { json: { ask: "who?" }, ...genuine });
    expect(await asked.json()).toEqual({ ask: "who?" });
    await ask(tell, by.webhook.path, 401, { json: {}, headers: { "x-token": "forged" } });
    await ask(tell, by.webhook.path, 401, { json: {} });
    await ask(tell, `${by.webhook.path}x`, 404, { json: {}, ...genuine });
    await ask(`POST ${list}`, list, 400, { json: { ...told, webhook: "yard.x" } });
    await ask(`POST ${list}`, list, 400, {
      json: { ...told, watch: false, webhook: "yard.changes" },
    });
  });

  it("of operators and administrators", async () => {
    const key = async (role: "admin" | "operator" | "monitor"): Promise<string> => {
      const owner = { tenant: "anonymous", subject: "ann", role };
      return (await host?.operators.keys.add(owner))?.key ?? "";
    };
    const [admin, operator] = [await key("admin"), await key("operator")];
    const fileOf = (name: string) => readFile(join(fixtureCatalogDir("quay"), name), "utf8");
    const [domain, mappings] = [await fileOf("domain.yaml"), await fileOf("mappings.yaml")];
    const files = { entry_id: "quay", domain, mappings };
    const imports = "/v1/admin/catalogs";
    await ask("POST /v1/admin/catalogs", imports, 201, { json: files, key: admin });
    await ask("POST /v1/admin/catalogs", imports, 400, { json: {}, key: admin });
    const withdraw = "DELETE /v1/admin/catalogs/{entry_id}";
    await ask(withdraw, `${imports}/quay?sessions=keep`, 200, { key: admin });
    await ask(withdraw, `${imports}/quay`, 404, { key: admin });
    await ask(withdraw, `${imports}/quay?sessions=all`, 400, { key: admin });
    await ask(withdraw, `${imports}/quay`, 401);
    const json = { apis: { quay: { approval: { operator: ["update"] } } } };
    const tenant = "/v1/admin/policy/anonymous";
    await ask("PUT /v1/admin/policy/{tenant}", tenant, 200, { json, key: admin });
    await ask("PUT /v1/admin/policy/{tenant}", tenant, 400, { json: { a: 1 }, key: admin });
    await ask("PUT /v1/admin/policy/{tenant}", tenant, 401, { json });
    const at = await open({ intent: "approve" });
    const program = 'Boat("b1").update(note="x")';
    await ask(`POST ${SESSION}`, at, 409, { json: { program, force: true } });
    const listed = await ask("GET /v1/approvals", "/v1/approvals", 200, { key: operator });
    const { approvals } = (await listed.json()) as { approvals: { commit_uuid: string }[] };
    const place = `/v1/approvals/${approvals[0]?.commit_uuid}`;
    const decide = "POST /v1/approvals/{commit_uuid}";
    await ask(`${decide}/approve`, `${place}/approve`, 200, { key: operator });
    await ask("GET /v1/approvals/{commit_uuid}", place, 200, { key: operator });
    await ask("GET /v1/approvals/{commit_uuid}", place, 401);
    await ask("GET /v1/approvals/{commit_uuid}", "/v1/approvals/none", 404, { key: operator });
    const json400 = { key: operator, json: { reason: "" } };
    await ask(`${decide}/reject`, `${place}/reject`, 400, json400);
    const reason = { key: operator, json: { reason: "not today" } };
    await ask(`${decide}/reject`, `${place}/reject`, 200, reason);
    await ask(`${decide}/approve`, `${place}/approve`, 403, { key: operator });
    expect([...seen]).toContain(`${decide}/approve 403`);
    await auditLog(operator);
    await settings(operator);
    await ask("GET /metrics", "/metrics", 200, { key: await key("monitor") });
    await ask("GET /metrics", "/metrics", 403, { key: operator });
    await ask("GET /metrics", "/metrics", 401);
  });

  /** OPS-42: lines of each kind so far, and what a query may not say. */
  async function auditLog(key: string): Promise<void> {
    const [route, path] = ["GET /v1/audit", "/v1/audit"];
    const decided = `${path}?kind=approval_given&order=asc&limit=5&since=2026-01-01`;
    const found = await ask(route, decided, 200, { key });
    expect(await found.json()).toMatchObject({ lines: [{ subject: "ann" }], next: null });
    const newest = (await (await ask(route, `${path}?limit=1`, 200, { key })).json()) as {
      lines: { n: number }[];
      next: number;
    };
    const [line] = newest.lines;
    expect(newest.next).toBe(line?.n);
    const rest = await ask(route, `${path}?after=${newest.next}&limit=1`, 200, { key });
    expect(await rest.json()).toMatchObject({ lines: [{ n: newest.next - 1 }] });
    for (const wrong of ["limit=1001", "limit=0", "after=-1", "kind=x", "since=5", "order=up"]) {
      await ask(route, `${path}?${wrong}`, 400, { key });
    }
    await ask(route, path, 401);
  }

  /** SURF-36: nothing that is secret, and nothing of what the tenant may not use. */
  async function settings(key: string): Promise<void> {
    const found = await ask("GET /v1/settings", "/v1/settings", 200, { key });
    const text = await found.text();
    expect(JSON.parse(text)).toMatchObject({ keys: expect.any(Array) as unknown[] });
    expect(text).not.toContain(key);
    expect(text).not.toContain("hash");
    const [route, path] = ["GET /v1/settings/catalogs/{entry_id}", "/v1/settings/catalogs"];
    const quay = await ask(route, `${path}/quay`, 200, { key });
    expect(await quay.json()).toMatchObject({ entry_id: "quay", drift: { signs: [] } });
    await ask(route, `${path}/nowhere`, 404, { key });
    await ask(route, `${path}/quay`, 401);
    await ask("GET /v1/settings", "/v1/settings", 401);
  }

  it("of operations that are set aside (18.6)", async () => {
    const owner = { tenant: "anonymous", subject: "olga", role: "operator" as const };
    const key = (await host?.operators.keys.add(owner))?.key ?? "";
    const at = await open({ intent: "set aside" });
    await ask(`POST ${SESSION}`, at, 202, { json: { program: 'Boat("b1")[note]', wait: false } });
    const uuid = await setAside();
    const health = await ask("GET /v1/health", "/v1/health", 200);
    expect(await health.json()).toMatchObject({ status: "ok", set_aside: 1 });
    const list = "/v1/operations/set-aside";
    await ask(`GET ${list}`, list, 401);
    const listed = await ask(`GET ${list}`, list, 200, { key });
    expect(await listed.json()).toMatchObject({
      operations: [{ operation_uuid: uuid, deaths: 2 }],
    });
    const retry = `POST ${list}/{operation_uuid}/retry`;
    await ask(retry, `${list}/${uuid}/retry`, 401);
    await ask(retry, `${list}/unknown/retry`, 404, { key });
    await ask(retry, `${list}/${uuid}/retry`, 200, { key });
    await ask(retry, `${list}/${uuid}/retry`, 404, { key });
  });

  it("OPS-61 OPS-62 of operations of all sessions", async () => {
    const list = "/v1/operations";
    const at = await open({ intent: "many" });
    await ask(`POST ${SESSION}`, at, 202, { json: { program: 'Boat("b1")[note]', wait: false } });
    const listed = await ask(`GET ${list}`, list, 200);
    const { operations } = (await listed.json()) as { operations: { operation_uuid: string }[] };
    const one = `${list}/${operations[0]?.operation_uuid}`;
    await ask(`GET ${list}`, `${list}?state=unfinished`, 200);
    for (const wrong of ["state=gone", "before=x"]) {
      await ask(`GET ${list}`, `${list}?${wrong}`, 400);
    }
    const route = `${list}/{operation_uuid}`;
    await ask(`GET ${route}`, one, 200);
    await ask(`GET ${route}`, `${list}/unknown`, 404);
    await ask(`POST ${route}/cancel`, `${one}/cancel`, 200, { json: {} });
    await ask(`POST ${route}/cancel`, `${one}/cancel`, 200);
    await ask(`POST ${route}/cancel`, `${one}/cancel`, 400, { json: { reason: "x" } });
    await ask(`POST ${route}/cancel`, `${list}/unknown/cancel`, 404);
    expect([...seen]).toContain(`POST ${route}/cancel 404`);
  });

  it("SAV-01 to SAV-07 of saved programs", async () => {
    const list = "/v1/programs";
    const at = await open({ intent: "kept", notation: "names" });
    const text = "long = 5\nboats = Boat{length>long}[id].limit(2)\nboats";
    const program = { program: text, mode: "plan" };
    const planned = await ask(`POST ${SESSION}`, at, 200, { json: program });
    const { _meta } = (await planned.json()) as { _meta: { plasm: { plan_commit_ref: string } } };
    const plan = { session: at, plan_commit_ref: _meta.plasm.plan_commit_ref };
    const saved = await ask(`POST ${list}`, list, 201, {
      json: { ...plan, name: "long_boats", description: "x", parameters: ["long"], shared: true },
    });
    expect(saved.headers.get("location")).toBe(`${list}/long_boats`);
    await ask(`POST ${list}`, list, 400, { json: { ...plan, name: "p1" } });
    await ask(`POST ${list}`, list, 400, { json: { name: "other" } });
    await ask(`POST ${list}`, list, 400, { json: { text: "Boat", name: "other" } });
    await ask(`POST ${list}`, list, 404, { json: { ...plan, session: "s99", name: "other" } });
    await ask(`GET ${list}`, list, 200);
    const one = `${list}/{name}`;
    await ask(`GET ${one}`, `${list}/long_boats`, 200);
    const file = await ask(`GET ${one}`, `${list}/long_boats`, 200, { accept: "text/plain" });
    await ask(`GET ${one}`, `${list}/gone`, 404);
    await ask(`GET ${one}`, `${list}/long_boats`, 406, { accept: "image/png" });
    await ask(`POST ${list}`, list, 201, { json: { text: await file.text() } });
    const run = `POST ${one}/run`;
    const dry = await ask(run, `${list}/long_boats/run`, 200);
    expect(dry.headers.get("x-plasm-session")).toMatch(/^\/execute\//);
    const json = { arguments: { long: 7 }, mode: "run" };
    const ran = await ask(run, `${list}/long_boats/run`, 200, { json });
    expect(await ran.json()).toMatchObject({ results: [{ name: "boats" }] });
    await ask(run, `${list}/long_boats/run`, 200, { json, accept: "application/x-ndjson" });
    await ask(run, `${list}/long_boats/run`, 202, { json: { ...json, wait: false } });
    await ask(run, `${list}/long_boats/run`, 400, { json: { arguments: { long: "x" } } });
    await ask(run, `${list}/gone/run`, 404, { json });
    await ask(`DELETE ${one}`, `${list}/long_boats`, 200);
    await ask(`DELETE ${one}`, `${list}/long_boats`, 404);
  });

  it("SAV-17 of schedules", async () => {
    const list = "/v1/schedules";
    const at = await open({ intent: "scheduled", notation: "names" });
    const text = "long = 5\nboats = Boat{length>long}[id].limit(2)\nboats";
    const planned = await ask(`POST ${SESSION}`, at, 200, {
      json: { program: text, mode: "plan" },
    });
    const { _meta } = (await planned.json()) as { _meta: { plasm: { plan_commit_ref: string } } };
    const plan = { session: at, plan_commit_ref: _meta.plasm.plan_commit_ref };
    await ask("POST /v1/programs", "/v1/programs", 201, {
      json: { ...plan, name: "daily_boats", parameters: ["long"] },
    });
    const daily = { program: "daily_boats", cron: "0 7 * * *" };
    const made = await ask(`POST ${list}`, list, 201, {
      json: { ...daily, zone: "Europe/Berlin", arguments: { long: 7 } },
    });
    const { schedule_uuid: id } = (await made.json()) as { schedule_uuid: string };
    expect(made.headers.get("location")).toBe(`${list}/${id}`);
    await ask(`POST ${list}`, list, 400, { json: { ...daily, cron: "daily" } });
    await ask(`POST ${list}`, list, 400, { json: { ...daily, arguments: { short: 7 } } });
    await ask(`POST ${list}`, list, 400, { json: { program: "daily_boats" } });
    await ask(`POST ${list}`, list, 404, { json: { ...daily, program: "gone" } });
    await ask(`GET ${list}`, list, 200);
    const none = await ask(`GET ${list}`, `${list}?program=long_boats`, 200);
    expect(await none.json()).toEqual({ schedules: [] });
    const one = `${list}/{schedule_uuid}`;
    await ask(`GET ${one}`, `${list}/${id}`, 200);
    await ask(`GET ${one}`, `${list}/gone`, 404);
    await ask(`POST ${one}/pause`, `${list}/${id}/pause`, 200);
    await ask(`POST ${one}/pause`, `${list}/gone/pause`, 404);
    const resumed = await ask(`POST ${one}/resume`, `${list}/${id}/resume`, 200);
    expect(await resumed.json()).toMatchObject({ paused: false, problem: null });
    const watched = await ask(`POST ${list}`, list, 201, {
      json: { ...daily, watch: true, key: ["id"] },
    });
    const { schedule_uuid: watch } = (await watched.json()) as { schedule_uuid: string };
    await ask(`POST ${list}`, list, 400, { json: { ...daily, watch: true, key: ["name"] } });
    const events = `GET ${one}/events`;
    const none_yet = await ask(events, `${list}/${watch}/events`, 200);
    expect(await none_yet.json()).toEqual({ events: [], forgotten: 0, next: null });
    await ask(events, `${list}/${watch}/events?after=x`, 400);
    await ask(events, `${list}/${id}/events`, 400);
    await ask(events, `${list}/gone/events`, 404);
    await ask(`DELETE ${one}`, `${list}/${id}`, 200);
    await ask(`DELETE ${one}`, `${list}/${id}`, 404);
  });

  it("so every route of the table has succeeded", () => {
    const succeeded = [...seen].filter((one) => /[23]\d\d$/.test(one));
    const routes = ROUTES.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
    );
    const without = routes.filter((route) => !succeeded.some((one) => one.startsWith(`${route} `)));
    expect(without).toEqual([]);
  });
});

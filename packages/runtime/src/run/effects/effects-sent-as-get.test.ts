import { ALL_FEATURES, compileProgram, foldWaves } from "@plasm/core";
import { type Reply, type TestServer, startServer } from "@plasm/testkit/servers";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Recording, openRecording } from "../../recording/open-recording.ts";
import type { RecordingMode } from "../../recording/recording-transport.ts";
import { type Setting, catalogOf, contextOf, quickClock } from "../../testing/fixture-run.ts";
import { memoryLog } from "../../testing/memory-log.ts";
import { planProgram } from "../../testing/run-program.ts";
import { explainPlan, runPlan } from "../run-plan.ts";

/** An old-fashioned API: everything is a GET, whatever it does. */
const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
entities:
  Pump:
    fields:
      id: { value_ref: text }
      state: { value_ref: text }
capabilities:
  pump_query: { kind: query, entity: Pump }
  pump_get: { kind: get, entity: Pump }
  pump_start:
    kind: action
    entity: Pump
    output: { type: side_effect, description: The pump runs }
  pump_rename:
    kind: update
    entity: Pump
    parameters: [{ name: name, value_ref: text, required: true }]
    output: { type: side_effect, description: The pump has another name }
  pump_delete: { kind: delete, entity: Pump }
  pump_create:
    kind: create
    entity: Pump
    parameters: [{ name: name, value_ref: text, required: true }]
  pump_touch:
    kind: action
    entity: Pump
    provides: [id, state]
`;

const MAPPINGS = `
pump_query: { method: GET, path: [{ type: literal, value: pumps }], response: bare_list }
pump_get: { method: GET, path: [{ type: literal, value: pumps }, { type: var, name: id }], response: single }
pump_start: { method: GET, path: [{ type: literal, value: pumps }, { type: var, name: id }, { type: literal, value: start }] }
pump_rename:
  method: GET
  path: [{ type: literal, value: rename }, { type: var, name: id }]
  query: { type: object, fields: [[name, { type: var, name: name }]] }
pump_delete: { method: GET, path: [{ type: literal, value: delete }, { type: var, name: id }] }
pump_create:
  method: GET
  path: [{ type: literal, value: create }]
  query: { type: object, fields: [[name, { type: var, name: name }]] }
  response: single
# the very request of pump_get
pump_touch: { method: GET, path: [{ type: literal, value: pumps }, { type: var, name: id }], response: single }
`;

const pumps = catalogOf("pumps", DOMAIN, MAPPINGS);

let server: TestServer;
let setting: Setting;
let replies: Reply[];

beforeEach(async () => {
  replies = [];
  server = await startServer(({ path }): Reply => {
    const [first, id = "p9"] = path.slice(1).split("/");
    if (first === "pumps" && path === "/pumps") return { json: [{ id: "p1", state: "idle" }] };
    return replies.shift() ?? { json: { id, state: "idle" } };
  });
  setting = { catalogs: [pumps], backends: { pumps: server.url } };
});
afterEach(() => server.close());

const runText = (text: string, over: Partial<Setting> = {}) =>
  runPlan({
    ...contextOf({ ...setting, ...over }),
    plan: planProgram(text, [pumps]),
    effectLog: memoryLog(),
  });

const sent = (): readonly string[] => server.log.map(({ method, url }) => `${method} ${url}`);

describe("17.11 an effect that an API takes as a GET is an effect", () => {
  test.each([
    ["an action", 'Pump("p1").start()', "side_effect", "/pumps/p1/start"],
    ["an update", 'Pump("p1").rename(name=x)', "write", "/rename/p1?name=x"],
    ["a delete", 'Pump("p1").delete()', "write", "/delete/p1"],
    ["a create", "Pump.create(name=x)", "write", "/create?name=x"],
  ])("%s: it needs review, and is sent once", async (_what, program, effectClass, url) => {
    const plan = planProgram(program, [pumps]);
    expect(plan.nodes).toMatchObject([{ effect_class: effectClass }]);
    expect(plan.summary.verdict).toBe("review");
    expect(plan.summary.reasons).toContainEqual(
      expect.objectContaining({ code: "effect", severity: "review" }),
    );
    const { status, effects } = await runText(program);
    expect([status, effects.map((each) => each.status)]).toEqual(["succeeded", ["done"]]);
    expect(sent()).toEqual([`GET ${url}`]);
  });

  test("TEACH-25 a session that only reads refuses it", () => {
    const log = [{ entryId: "pumps", digest: pumps.digest, entities: ["Pump"] }];
    const catalogs = new Map([["pumps", pumps]]);
    const symbols = foldWaves(log, catalogs);
    const only = { catalogs, log, symbols, notation: "names", policy: {}, readOnly: true } as const;
    for (const program of [
      'Pump("p1").start()',
      'Pump("p1").rename(name=x)',
      "Pump => _.touch()",
    ]) {
      const compiled = compileProgram(program, only, { features: ALL_FEATURES });
      expect(compiled).toMatchObject({ kind: "errors", errors: [{ code: "policy_denied" }] });
    }
  });

  test("OPS-38 an explanation does not send it", async () => {
    const plan = planProgram('Pump("p1").start()', [pumps]);
    const { effects } = await explainPlan({ ...contextOf(setting), plan });
    expect(effects).toMatchObject([{ label: "start", target: "Pump:p1" }]);
    expect(sent()).toEqual([]);
  });

  test.each<[string, Reply, string]>([
    ["429", { status: 429, text: "" }, "failed"],
    ["503", { status: 503, text: "" }, "in_doubt"],
    ["502", { status: 502, text: "" }, "in_doubt"],
    ["504", { status: 504, text: "" }, "in_doubt"],
    ["a lost connection", { hangUp: true }, "in_doubt"],
    ["500", { status: 500, text: "" }, "failed"],
  ])("RUN-025 it is not sent again after %s", async (_what, reply, status) => {
    replies = [reply];
    const { effects } = await runText('Pump("p1").start()');
    expect(effects.map((each) => each.status)).toEqual([status]);
    expect(sent()).toEqual(["GET /pumps/p1/start"]);
  });

  test("RUN-025 a read at the same address is sent again", async () => {
    replies = [{ status: 503, text: "" }];
    expect((await runText('Pump("p1")')).status).toBe("succeeded");
    expect(sent()).toEqual(["GET /pumps/p1", "GET /pumps/p1"]);
  });

  test("RUN-023 two of them are two requests, one after the other", async () => {
    const { effects } = await runText('Pump("p1").start()\nPump("p1").start()');
    expect(effects.map((each) => each.status)).toEqual(["done", "done"]);
    expect(sent()).toEqual(["GET /pumps/p1/start", "GET /pumps/p1/start"]);
    expect(server.mostOpen()).toBe(1);
  });

  test("RUN-023 RUN-060 RUN-062 neither a read of that address nor it answers for the other", async () => {
    const { results } = await runText(
      'a = Pump("p1")\nb = Pump("p1").touch()\nc = Pump("p1")\na, b, c',
    );
    expect(results.map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
    expect(sent()).toEqual(["GET /pumps/p1", "GET /pumps/p1", "GET /pumps/p1"]);
  });

  test("it comes on a connection of its own, never on one that stood idle", async () => {
    await runText('Pump.limit(1)\nPump("p1").start()');
    expect(server.log.map(({ path, headers }) => [path, headers.connection])).toEqual([
      ["/pumps", "keep-alive"],
      ["/pumps/p1/start", "close"],
    ]);
  });

  test.each([301, 302, 303])("RUN-027 a %i is not followed, and leaves doubt", async (status) => {
    replies = [{ status, text: "", headers: { location: "/pumps/p2/start" } }];
    const { effects } = await runText('Pump("p1").start()');
    expect(effects.map((each) => each.status)).toEqual(["in_doubt"]);
    expect(sent()).toEqual(["GET /pumps/p1/start"]);
  });

  test.each([307, 308])("RUN-027 a %i is followed at the same origin alone", async (status) => {
    replies = [{ status, text: "", headers: { location: "/pumps/p2/start" } }];
    expect((await runText('Pump("p1").start()')).status).toBe("succeeded");
    expect(sent()).toEqual(["GET /pumps/p1/start", "GET /pumps/p2/start"]);
    replies = [{ status, text: "", headers: { location: "http://127.0.0.1:9/start" } }];
    const { effects, nodes } = await runText('Pump("p1").start()');
    expect([effects[0]?.status, nodes[0]?.error?.code]).toEqual(["failed", "origin_refused"]);
    expect(server.log).toHaveLength(3);
  });
});

describe("17.11 RUN-161 recordings", () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), "plasm-get-effects-")), "first");
  });
  afterEach(() => rm(join(directory, ".."), { recursive: true, force: true, maxRetries: 5 }));

  const opened = (mode: RecordingMode, allowEffects = false): Promise<Recording> =>
    openRecording({ mode, directory, allowEffects });

  test("hybrid sends it only with allow_effects, and a recording replays it unsent", async () => {
    const refused = await runText('Pump("p1").start()', { recording: await opened("hybrid") });
    expect(refused.nodes[0]?.error).toMatchObject({ code: "replay_miss" });
    expect(refused.nodes[0]?.error?.correction).toContain("--allow-effects");
    expect(sent()).toEqual([]);
    const recording = await opened("hybrid", true);
    expect((await runText('Pump("p1").start()', { recording })).status).toBe("succeeded");
    expect(sent()).toEqual(["GET /pumps/p1/start"]);
    const replayed = await runText('Pump("p1").start()', { recording: await opened("replay") });
    expect(replayed.effects.map(({ status }) => status)).toEqual(["done"]);
    expect(sent()).toHaveLength(1);
  });

  test("without a recording of the read, hybrid reads that address all the same", async () => {
    const recording = await opened("hybrid");
    expect((await runText('Pump("p1")', { recording, clock: quickClock() })).status).toBe(
      "succeeded",
    );
    expect(sent()).toEqual(["GET /pumps/p1"]);
  });
});

import { readFileSync } from "node:fs";
import type { JsonObject } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BoatsApi, boatsApi } from "../../../test/boats-api.ts";
import { diesOnceClaimed } from "../../../test/dies-once-claimed.ts";
import { engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { StructuredResult } from "../../answer/answer.ts";
import type { Engine } from "../../engine.ts";
import type { Caller } from "../../identity/caller.ts";
import type { MemoryStore } from "../../memory-store/memory-store.ts";
import type { Notice } from "../../records/notices.ts";
import { WATCH_EVENTS_KEPT_MS, type WatchedRows } from "../../records/schedules.ts";
import { sweep } from "../../retention/sweep.ts";
import { DEFAULT_RETENTION } from "../../retention/retention.ts";
import type { ScheduleRequest } from "./schedules.ts";
import { compareRows } from "./watch.ts";

const result = (rows: readonly JsonObject[], partial: string | null = null): StructuredResult => ({
  name: "boats",
  columns: ["id", "state"],
  rows,
  row_count: rows.length,
  partial,
  snapshot: null,
  next: null,
});

const textIn = (value: unknown): string => (typeof value === "string" ? value : "-");

const A = { id: "a", state: "moored" };
const B = { id: "b", state: "moored" };
const LOST = { ...B, state: "lost" };

const BY_ID = { key: ["id"], fields: true };

/** Compares readings one after the other; of each what it says of which key. */
function readings(...all: readonly StructuredResult[]): readonly (readonly string[])[] {
  return compared(BY_ID, ...all);
}

/** The same by another key, or of rows that are made of others. */
function compared(
  by: Parameters<typeof compareRows>[3],
  ...all: readonly StructuredResult[]
): readonly (readonly string[])[] {
  let before: WatchedRows | null = null;
  return all.map((one) => {
    const { kept, events } = compareRows("w", { before, seq: before?.seq ?? 0 }, one, by, 0);
    before = kept;
    return events.map(({ kind, key }) => `${kind} ${textIn(key["id"])}`);
  });
}

describe("WATCH-02 rows compared by key", () => {
  it("the first reading is what others are compared with", () => {
    const found = readings(result([A, B]), result([B, A]), result([A, LOST]), result([LOST]));
    expect(found).toEqual([[], [], ["changed b"], ["vanished a"]]);
    expect(readings(result([]), result([A]), result([A]))).toEqual([[], ["appeared a"], []]);
    expect(readings(result([A]), result([]), result([A]))).toEqual([
      [],
      ["vanished a"],
      ["appeared a"],
    ]);
  });

  it("a partial reading never says that a row has vanished, and is no first one", () => {
    const found = readings(result([A]), result([B], "pages"), result([A, B]), result([B]));
    expect(found).toEqual([[], ["appeared b"], [], ["vanished a"]]);
    const first = () => readings(result([A], "pages"));
    expect(first).toThrow("has to be whole, and this one is not: pages");
  });

  it("what could not be read of a row is no change of it", () => {
    const found = readings(result([A]), result([{ id: "a" }], "hydrate"), result([A]));
    expect(found).toEqual([[], [], []]);
  });

  it("rows of one key are one, in whatever order they come", () => {
    const found = readings(result([B, LOST, A]), result([A, LOST, B]), result([A, LOST]));
    expect(found).toEqual([[], [], ["changed b"]]);
  });

  it("rows of one key are one, however many they are and however often one comes", () => {
    const SAILS = { ...B, state: "sailing" };
    const found = readings(
      result([B, LOST, SAILS]),
      result([SAILS, B, LOST]),
      result([LOST, SAILS, B, SAILS]),
      result([LOST, B]),
    );
    expect(found).toEqual([[], [], [], ["changed b"]]);
    expect(readings(result([A]), result([A, A]), result([A]))).toEqual([[], [], []]);
  });

  it("WATCH-08 a change of a row is told of which its API leaves empty fields out", () => {
    const bare = (id: string) => ({ id });
    const found = readings(result([bare("a"), B]), result([A, bare("b")]), result([A, bare("b")]));
    expect(found).toEqual([[], ["changed a", "changed b"], []]);
  });

  it("WATCH-08 what a partial reading found empty, or made of too few rows, is no change", () => {
    const empty = { id: "a", state: null };
    const found = readings(
      result([A, B]),
      result([empty, LOST], "hydration_failed"),
      result([A, LOST]),
    );
    expect(found).toEqual([[], ["changed b"], []]);
    const count = (n: number, partial: string | null = null) =>
      result([{ id: "a", state: n }], partial);
    const counts = compared({ key: ["id"] }, count(5), count(3, "row_repeated"), count(6));
    expect(counts).toEqual([[], [], ["changed a"]]);
  });

  it("WATCH-09 a reading of which no row has the key is refused, and one without rows is not", () => {
    const none = () => readings(result([A]), result([{ state: "moored" }]));
    expect(none).toThrow("No row of this reading has id");
    expect(readings(result([A]), result([]))).toEqual([[], ["vanished a"]]);
  });

  it("more than a reading may tell is told by the next ones, and none is lost", () => {
    const many = Array.from({ length: 1_200 }, (_, n) => ({ id: `b${n}`, state: "moored" }));
    const counts = readings(result([]), result(many), result(many), result(many), result(many));
    expect(counts.map(({ length }) => length)).toEqual([0, 500, 500, 200, 0]);
    expect(new Set(counts.flat()).size).toBe(1_200);
  });

  it("rows and keys beyond what is kept are refused", () => {
    const many = Array.from({ length: 5_001 }, (_, n) => ({ id: `b${n}`, state: "moored" }));
    expect(() => readings(result(many))).toThrow("at most 5000 rows");
    expect(() => readings(result([{ id: "x".repeat(400), state: "y" }]))).toThrow(
      "The key of a row",
    );
  });

  it("WATCH-03 ids are of watch, key and reading alone, and sort as events came", () => {
    const before = { reading: 4, seq: 7, rows: {} };
    const one = compareRows("w", { before, seq: 7 }, result([A, B]), BY_ID, 1);
    const other = compareRows("w", { before, seq: 7 }, result([A, LOST]), BY_ID, 2);
    const ids = one.events.map(({ id }) => id);
    expect(other.events.map(({ id }) => id)).toEqual(ids);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
    const elsewhere = compareRows("v", { before, seq: 7 }, result([A, B]), BY_ID, 1);
    expect(elsewhere.events[0]?.id).not.toBe(ids[0]);
  });
});

const ANN: Caller = { scope: "acme", subject: "ann", connection: null };
const BOB: Caller = { ...ANN, subject: "bob" };
const HOUR = 3_600_000;
const WATCH: ScheduleRequest = { program: "boats", cron: "0 * * * *", watch: true };
const PATIENCE = { timeout: 20_000 };

const textOf = (name: string, program: string): string =>
  `;; name: ${name}\n;; description: x\n;; parameters:\n;; shared: no\n;; entities: quay.Boat\n\n${program}\n`;

let store: MemoryStore;
let api: BoatsApi;
let rows: JsonObject[];
const engines: Engine[] = [];
const told: Notice[] = [];
const mails: Notice[] = [];

beforeEach(() => {
  store = testStore();
  api = boatsApi(3);
  rows = [boat("b1"), boat("b2")];
  api.before = async ({ method, path }) =>
    method === "GET" && path === "/boats"
      ? { status: 200, json: { items: rows, page: 1, total: rows.length } }
      : null;
  told.length = 0;
  mails.length = 0;
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
});

const boat = (id: string, state = "moored"): JsonObject => ({
  id,
  name: `Boat ${id}`,
  state,
  length: "10.5",
  built: "2011-04-02",
  note: "",
  flags: [],
  owner: "ann",
});

function opened(): Engine {
  const engine = engineOn({
    store,
    api,
    lookEveryMs: 5,
    notices: [
      { name: "webhook", send: async (notice) => void told.push(notice) },
      { name: "email", send: async (notice) => void mails.push(notice) },
    ],
  });
  engines.push(engine);
  return engine;
}

async function watched(engine: Engine, request: ScheduleRequest = WATCH): Promise<string> {
  await engine.programs.import(ANN, textOf("boats", "Boat[id, state]"));
  return (await engine.schedules.create(ANN, request)).schedule_uuid;
}

/** Lets the next reading come, and end. */
async function read(engine: Engine, id: string) {
  const before = (await engine.schedules.find(ANN, id)).runs.length;
  store.advance(HOUR);
  return vi.waitFor(async () => {
    const view = await engine.schedules.find(ANN, id);
    if (view.runs.length === before || view.current !== null) throw new Error("it reads");
    return view;
  }, PATIENCE);
}

const eventsOf = async (engine: Engine, id: string, after: string | null = null) =>
  (await engine.schedules.events(ANN, id, after)).events.map(
    ({ kind, key, row }) => `${kind} ${textIn(key["id"])} ${textIn(row?.["state"])}`,
  );

describe("WATCH-01 a watch is a schedule whose rows are compared", () => {
  it("tells what appeared, changed and vanished since last time, and nothing while nothing does", async () => {
    const engine = opened();
    const id = await watched(engine);
    const first = await read(engine, id);
    expect(first.runs[0]).toMatchObject({ state: "succeeded", message: "baseline: 2 rows" });
    expect(first.watch).toEqual({
      key: ["id"],
      reading: 1,
      rows: 2,
      last_event_id: null,
      webhook: null,
    });
    expect((await read(engine, id)).runs[0]?.message).toBe("nothing changed in 2 rows");
    expect(await eventsOf(engine, id)).toEqual([]);
    rows = [boat("b2", "lost"), boat("b3")];
    const third = await read(engine, id);
    expect(third.runs[0]?.message).toBe("1 appeared, 1 changed, 1 vanished");
    expect(await eventsOf(engine, id)).toEqual([
      "changed b2 lost",
      "appeared b3 moored",
      "vanished b1 -",
    ]);
    const all = await engine.schedules.events(ANN, id, null);
    expect(third.watch?.last_event_id).toBe(all.next);
    expect(await eventsOf(engine, id, all.events[0]?.id)).toHaveLength(2);
    expect(await eventsOf(engine, id, all.next)).toEqual([]);
    // Each reading is no operation, and no model was asked for anything.
    expect(await store.list("operation", "acme", "")).toEqual([]);
  });

  it("is refused of what cannot be compared", async () => {
    const engine = opened();
    await engine.programs.import(ANN, textOf("boats", "Boat[id, state]"));
    await engine.programs.import(ANN, textOf("names", "Boat[name]"));
    await engine.programs.import(ANN, textOf("two", "a = Boat[id]\nb = Boat[name]\na, b"));
    await engine.programs.import(ANN, textOf("sends", 'Boat("b1").send(to="dock")'));
    const asked = async (request: ScheduleRequest): Promise<string> =>
      engine.schedules.create(ANN, { ...WATCH, ...request }).then(
        () => "made",
        (thrown: unknown) => engine.problemOf(thrown).text,
      );
    expect(await asked({ program: "names" })).toContain("The program does not give the column id");
    expect(await asked({ program: "names", key: ["name"] })).toBe("made");
    expect(await asked({ program: "two" })).toContain("this program has 2");
    expect(await asked({ program: "sends" })).toContain("this one changes something");
    expect(await asked({ key: ["colour"] })).toContain("does not give the column colour");
    expect(await asked({ key: [] })).toContain("key must be a list");
    expect(await asked({ watch: "yes" })).toContain("watch is true or false");
    expect(await asked({ watch: false, key: ["id"] })).toContain("key is of a watch");
  });

  it("a reading that fails is told, and the next one is compared with the one before it", async () => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    const works = api.before;
    api.before = async () => ({ status: 500, json: {} });
    const failed = await read(engine, id);
    expect(failed.runs[0]).toMatchObject({ state: "refused", code: "plasm-upstream-error" });
    api.before = works;
    rows = [boat("b1")];
    await read(engine, id);
    expect(await eventsOf(engine, id)).toEqual(["vanished b2 -"]);
  });
});

describe("WATCH-09 a version that was saved since", () => {
  it.each([
    ["Boat[name]", "No row of this reading has id"],
    ["a = Boat[id]\nb = Boat[name]\na, b", "the program gave 2"],
  ])("is refused where what it gives cannot be compared: %s", async (program, why) => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    await engine.programs.import(ANN, textOf("boats", program));
    await engine.schedules.resume(ANN, id);
    const { runs, watch } = await read(engine, id);
    expect(runs[0]).toMatchObject({ state: "refused", code: "plasm-run-failed" });
    expect(runs[0]?.message).toContain(why);
    expect(watch).toMatchObject({ reading: 0, rows: 0 });
  });
});

describe("docs/watch.md", () => {
  const page = readFileSync(new URL("../../../../../docs/watch.md", import.meta.url), "utf8");
  const blocks = (kind: string): readonly string[] =>
    [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)\\n\`\`\`$`, "gmu"))].map(
      ([, body = ""]) => body,
    );
  const dataIn = (kind: string) => blocks(kind).map((body) => JSON.parse(body) as JsonObject[]);

  it("WATCH-01 its program finds between its rows what it says", async () => {
    const engine = opened();
    const [program = ""] = blocks("plasm");
    await engine.programs.import(ANN, textOf("moored", program));
    const made = await engine.schedules.create(ANN, { ...WATCH, program: "moored" });
    const readings_ = dataIn("json rows");
    expect(readings_).toHaveLength(2);
    for (const found of readings_) {
      rows = found.map((one) => ({ ...boat(textIn(one["id"])), ...one }));
      await read(engine, made.schedule_uuid);
    }
    const { events } = await engine.schedules.events(ANN, made.schedule_uuid, null);
    const shown = events.map(({ kind, key, row }) => ({ kind, key, row }));
    expect([shown]).toEqual(dataIn("json events"));
  });
});

describe("WATCH-03 over several processes", () => {
  it("three of them tell each change once, with one id", async () => {
    const [engine] = [opened(), opened(), opened()];
    const id = await watched(engine);
    await read(engine, id);
    for (let n = 3; n < 8; n += 1) {
      rows = [...rows, boat(`b${n}`)];
      await read(engine, id);
    }
    const { events } = await engine.schedules.events(ANN, id, null);
    expect(events.map(({ key }) => key["id"])).toEqual(["b3", "b4", "b5", "b6", "b7"]);
    expect(new Set(events.map((one) => one.id)).size).toBe(5);
  });

  it("what a process read that died before it was kept is read again", async () => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    rows = [...rows, boat("b3")];
    const death = diesOnceClaimed(store, "acme", id);
    store.advance(HOUR);
    await vi.waitFor(() => expect(death.isDead()).toBe(true), PATIENCE);
    void engine.close();
    death.revive();
    const other = opened();
    store.advance(60_001);
    await vi.waitFor(
      async () => expect(await eventsOf(other, id)).toEqual(["appeared b3 moored"]),
      PATIENCE,
    );
  });
});

describe("WATCH-04 events are read after the one that is known", () => {
  it("by its owner alone, as a stream too, which ends with the watch", async () => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    rows = [...rows, boat("b3")];
    await read(engine, id);
    const { events } = await engine.schedules.events(ANN, id, null);
    const others = engine.schedules.events(BOB, id, null);
    expect(await others.then(String, (thrown: unknown) => engine.problemOf(thrown).code)).toBe(
      "plasm-unknown-handle",
    );
    const gone = new AbortController();
    const stream = await engine.schedules.follow(ANN, id, { after: null, signal: gone.signal });
    const sent: string[] = [];
    const following = (async () => {
      for await (const { event, id: name, line } of stream) {
        sent.push(`${event} ${name}`);
        expect(JSON.parse(line)).toMatchObject({ id: name });
      }
    })();
    rows = [boat("b1"), boat("b3")];
    await read(engine, id);
    await vi.waitFor(() => expect(sent).toHaveLength(2), PATIENCE);
    expect(sent[0]).toBe(`appeared ${events[0]?.id}`);
    await engine.schedules.remove(ANN, id);
    await following;
    expect(await store.list("watchEvent", "acme", "")).toEqual([]);
    expect(await store.list("watched", "acme", "")).toEqual([]);
    gone.abort();
  });

  it("says how many are kept no longer", async () => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    rows = [...rows, boat("b3"), boat("b4")];
    const { watch } = await read(engine, id);
    await engine.schedules.pause(ANN, id);
    store.advance(WATCH_EVENTS_KEPT_MS + HOUR);
    await sweep(store, { ...DEFAULT_RETENTION, sessionLifetime: HOUR });
    const found = await engine.schedules.events(ANN, id, null);
    expect(found).toEqual({ events: [], forgotten: 2, next: null });
    const later = await engine.schedules.events(ANN, id, watch?.last_event_id ?? null);
    expect(later).toEqual({ events: [], forgotten: 0, next: watch?.last_event_id });
  });
});

describe("WATCH-05 who is told outside", () => {
  it("the webhook, in numbers and ids, at once with what it tells of; mails are not sent", async () => {
    const engine = opened();
    const id = await watched(engine);
    await read(engine, id);
    rows = [boat("b1", "secret state"), boat("b3")];
    const { watch } = await read(engine, id);
    await vi.waitFor(() => expect(told).toHaveLength(1), PATIENCE);
    expect(told[0]).toMatchObject({
      type: "watch.changed",
      tenant: "acme",
      subject: "ann",
      watch: {
        schedule_uuid: id,
        program: "boats",
        reading: 2,
        appeared: 1,
        changed: 1,
        vanished: 1,
        last_event_id: watch?.last_event_id,
      },
    });
    expect(JSON.stringify(told)).not.toContain("secret state");
    expect(mails).toEqual([]);
  });
});

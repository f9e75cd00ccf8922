import { rmSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Caller, type Engine, type RegisteredCatalog } from "@plasm/agent-core";
import { systemClock, systemIds, type TransportOutcome } from "@plasm/runtime";
import { openSqliteStore } from "@plasm/store";
import { FLAT, LINEAR, type OpenWork, type SizedWork } from "./growth.ts";
import { loadThings, THING_FIELDS, thingsFiles } from "./things-catalog.ts";

const CALLER: Caller = { scope: "bench", subject: "ann", connection: null };
const FIRST = { kind: "ref", ref: "s0" } as const;
const SEEDS = [{ api: "things", entity: "Thing0" }];

/** A register of so many things, as a host has it. */
function thingsOf(count: number): RegisteredCatalog {
  const backend = "https://api.things.example";
  const entityAt = () => ({ id_field: "id", fields: THING_FIELDS });
  const files = thingsFiles({ backend, count, entityAt });
  return { catalog: loadThings("things", files), ...files, credentials: true };
}

/** The rows of an API, as the bytes of one answer. */
function answerOf(rows: number): TransportOutcome {
  const items = Array.from({ length: rows }, (_none, at) => ({
    id: at,
    name: `thing ${at}`,
    state: at % 3 === 0 ? "done" : "open",
    size: (at * 7919) % 1_000,
  }));
  const body = new TextEncoder().encode(JSON.stringify(items));
  return {
    ok: true,
    response: { status: 200, headers: [["content-type", "application/json"]], body },
  };
}

/** No run of a bench ends for the lack of a budget. */
const AMPLE = 1_000_000_000;
const LIMITS = {
  requests: AMPLE,
  rows: AMPLE,
  pages: AMPLE,
  bytes: AMPLE,
  fan_out: AMPLE,
  work: AMPLE,
  wall: 3_600,
};

/**
 * An engine on an embedded store of its own, which may begin as a copy of a directory's, whose API answers so many rows to
 * whatever it is asked.
 */
async function openEngine(
  things: number,
  rows: number,
  from?: string,
): Promise<[Engine, () => Promise<void>]> {
  const dataDir = await mkdtemp(join(tmpdir(), "plasm-growth-"));
  if (from !== undefined) await cp(from, dataDir, { recursive: true });
  const engine = await engineIn(dataDir, things, rows);
  const close = async (): Promise<void> => {
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return [engine, close];
}

async function engineIn(dataDir: string, things: number, rows: number): Promise<Engine> {
  const entry = thingsOf(things);
  const answer = answerOf(rows);
  return createEngine({
    store: await openSqliteStore({ dataDir }),
    registry: { list: () => [entry], get: (id) => (id === "things" ? entry : undefined) },
    limits: LIMITS,
    ports: {
      transport: { send: async () => answer, close: async () => undefined },
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
}

const openSession = (engine: Engine, at: number): Promise<unknown> =>
  engine.context(CALLER, { intent: `things ${at}`, seeds: SEEDS });

const runThings = (engine: Engine, program = "Thing0.limit(1)[id]"): Promise<unknown> =>
  engine.run(CALLER, FIRST, { program, force: true, wait: true });

/** Work of an engine that ends with it. */
const ofEngine =
  (
    things: number,
    rows: (size: number) => number,
    call: (engine: Engine, size: number) => Promise<() => Promise<unknown>>,
  ) =>
  async (size: number): Promise<OpenWork> => {
    const [engine, close] = await openEngine(things, rows(size));
    await openSession(engine, 0);
    return { call: await call(engine, size), close };
  };

const one = (): number => 1;

/** Does some work so many times, eight at a time. */
async function times(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = (next += 1); at <= count; at = next += 1) await work(at);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Directories of stores with so many sessions, each made of the one with fewer: opening them takes minutes. */
const stores = new Map<number, Promise<string>>();

function storeOf(sessions: number): Promise<string> {
  const directory = stores.get(sessions) ?? makeStore(sessions);
  stores.set(sessions, directory);
  return directory;
}

async function makeStore(sessions: number): Promise<string> {
  const fewer = SESSIONS.filter((count) => count < sessions).at(-1);
  const before = fewer === undefined ? undefined : await storeOf(fewer);
  const directory = await mkdtemp(join(tmpdir(), "plasm-growth-sessions-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  if (before !== undefined) await cp(before, directory, { recursive: true });
  const engine = await engineIn(directory, 1, 1);
  await times(sessions - (fewer ?? 0), (at) => openSession(engine, (fewer ?? 0) + at));
  await engine.close();
  return directory;
}

/** Work in a store of so many sessions, another number each time it is done. */
const amongSessions =
  (work: (engine: Engine, at: number) => Promise<unknown>) =>
  async (size: number): Promise<OpenWork> => {
    const [engine, close] = await openEngine(1, 1, await storeOf(size));
    let at = size;
    return { call: () => work(engine, (at += 1)), close };
  };

/** No program limits rows to more. */
const MOST = 100_000;
const ROWS = [1_000, 10_000, 100_000];
const SESSIONS = [1_000, 10_000, 50_000, 200_000];

/** What calls of an engine cost as what they work on grows, and as what they do not work on does. */
export const ENGINE_WORKS: readonly SizedWork[] = [
  ...[
    ["filter and group", "Thing0.filter{size>100}.group_by(state, n=count, total=sum(size))"],
    ["sort", "Thing0.sort(size desc, name).limit(10)[id, name]"],
    ["join", "a = Thing0.filter{size<10}\nb = Thing0.limit(100)\nb.join(a, id=id)[id, name]"],
  ].map(([name, program]): SizedWork => ({
    name: `run: ${name}`,
    unit: "rows of one answer",
    most: LINEAR,
    sizes: ROWS,
    open: ofEngine(
      1,
      (rows) => rows,
      async (engine) => () => runThings(engine, program),
    ),
  })),
  {
    name: "plan in one of many sessions",
    unit: "sessions in the store",
    most: FLAT,
    sizes: SESSIONS,
    open: amongSessions((engine, at) =>
      engine.plan(CALLER, FIRST, `Thing0.limit(${1 + (at % MOST)})[id]`),
    ),
  },
  {
    name: "open one more session",
    unit: "sessions in the store",
    most: FLAT,
    sizes: SESSIONS,
    open: amongSessions(openSession),
  },
  {
    name: "run once more",
    unit: "runs of the session",
    most: FLAT,
    sizes: [10, 100, 1_000, 10_000],
    open: ofEngine(1, one, async (engine, size) => {
      await times(size, () => runThings(engine));
      return () => runThings(engine);
    }),
  },
  {
    name: "one of the runs at once",
    unit: "runs at once",
    most: FLAT,
    sizes: [1, 4, 16, 64],
    per: (size) => size,
    open: ofEngine(
      1,
      one,
      async (engine, size) => () =>
        Promise.all(Array.from({ length: size }, () => runThings(engine))),
    ),
  },
  {
    name: "open a session",
    unit: "capabilities of the catalog",
    most: FLAT,
    sizes: [200, 500, 1_000, 4_000],
    open: async (size) => {
      const [engine, close] = await openEngine(size / 2, 1);
      await openSession(engine, 0);
      let opened = 0;
      return { call: () => openSession(engine, (opened += 1)), close };
    },
  },
];

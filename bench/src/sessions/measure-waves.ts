import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Caller, type Engine, type RegisteredCatalog } from "@plasm/agent-core";
import { tokenCounter } from "@plasm/agent-core/internal";
import { systemClock, systemIds } from "@plasm/runtime";
import { openSqliteStore } from "@plasm/store";
import { fitPower, type Fit } from "../fit.ts";
import { now } from "../operations/now.ts";
import { quantile } from "../operations/quantile.ts";
import { federatedCorpus, type Seed, wavesOver } from "./corpus.ts";
import { countedStore, type StoreUse } from "./counted-store.ts";

export interface WavesOptions {
  readonly catalogs: number;
  /** of each catalog */
  readonly entities: number;
  readonly perWave: number;
  /** sessions, one after the other; a figure is the middle of theirs */
  readonly sessions: number;
  /** waves of which one figure is made */
  readonly block: number;
}

/** One cost of a call at growing lengths of its session, and the fit through them. */
export interface CallCost {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly waves: number; readonly value: number }[];
  readonly fit: Fit;
}

export interface WavesResult extends WavesOptions {
  readonly waves: number;
  readonly costs: readonly CallCost[];
  /** most tokens that the answer of a call took which adds nothing (TEACH-41: 60) */
  readonly unchanged_tokens_most: number;
}

/** What one call cost. */
interface Cost extends StoreUse {
  readonly ms: number;
  readonly tokens: number;
}

const MEASURES = [
  ["ms", "time", "ms"],
  ["tokens", "tokens", "o200k tokens"],
  ["writes", "store writes", "calls"],
  ["writtenCharacters", "written", "characters"],
  ["reads", "store reads", "calls"],
  ["readCharacters", "read", "characters"],
] as const satisfies readonly (readonly [keyof Cost, string, string])[];

/** Without a connection: what one was sent is counted with whatever it was sent besides. */
const CALLER: Caller = { scope: "bench", subject: "ann", connection: null };

async function openEngine(dataDir: string, corpus: readonly RegisteredCatalog[], use: StoreUse) {
  const store = await openSqliteStore({ dataDir });
  const byId = new Map(corpus.map((one) => [one.catalog.entryId, one]));
  const engine = createEngine({
    store: countedStore(store, use),
    registry: { list: () => corpus, get: (id) => byId.get(id) },
    ports: {
      transport: {
        send: () => Promise.reject(new Error("Nothing is called")),
        close: async () => undefined,
      },
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  return { engine, store };
}

/** The session of a slot wave by wave; after each, a call that adds nothing and a plan. */
async function playSession(
  engine: Engine,
  use: StoreUse,
  at: number,
  waves: readonly (readonly Seed[])[],
): Promise<Readonly<Record<"wave" | "unchanged" | "plan", readonly Cost[]>>> {
  const count = await tokenCounter();
  const [intent, ref] = [`waves ${at}`, `s${at}`];
  const costOf = async (call: () => Promise<{ readonly text: string }>): Promise<Cost> => {
    Object.assign(use, { reads: 0, readCharacters: 0, writes: 0, writtenCharacters: 0 });
    const began = now();
    const { text } = await call();
    const ms = now() - began;
    return { ...use, ms, tokens: count(text) };
  };
  const costs = { wave: [] as Cost[], unchanged: [] as Cost[], plan: [] as Cost[] };
  for (const seeds of waves) {
    const context = () => engine.context(CALLER, { intent, seeds });
    costs.wave.push(await costOf(context));
    costs.unchanged.push(await costOf(context));
    costs.plan.push(await costOf(() => engine.plan(CALLER, { kind: "ref", ref }, "e1.limit(1)")));
  }
  return costs;
}

/** The middle cost of each block of waves, of all sessions, and the fit through the blocks but the first. */
function costOver(
  name: string,
  unit: string,
  block: number,
  sessions: readonly (readonly number[])[],
): CallCost {
  const length = sessions[0]?.length ?? 0;
  const points = Array.from({ length: Math.floor(length / block) }, (_none, at) => {
    const values = sessions.flatMap((one) => one.slice(at * block, (at + 1) * block));
    return { waves: (at + 1) * block, value: quantile(values, 0.5) };
  });
  // The first block opens the session: catalogs are pinned, and the contract is sent.
  const fitted = points.slice(1).map(({ waves, value }) => ({ size: waves, ms: value }));
  return { name, unit, points, fit: fitPower(fitted) };
}

const CALLS = [
  ["wave", "the next wave"],
  ["unchanged", "an unchanged call"],
  ["plan", "a plan"],
] as const;

/** What the next wave of a session costs, and calls that add none, by the waves the session has. */
export async function measureWaves(options: WavesOptions): Promise<WavesResult> {
  const { catalogs, entities, perWave, sessions, block } = options;
  const corpus = federatedCorpus(catalogs, entities);
  const waves = wavesOver(corpus, perWave);
  const dataDir = await mkdtemp(join(tmpdir(), "plasm-waves-"));
  const use = { reads: 0, readCharacters: 0, writes: 0, writtenCharacters: 0 };
  const { engine, store } = await openEngine(dataDir, corpus, use);
  try {
    const played: Awaited<ReturnType<typeof playSession>>[] = [];
    for (let at = 0; at < sessions; at += 1) {
      played.push(await playSession(engine, use, at, waves));
    }
    const costs = CALLS.flatMap(([call, what]) =>
      MEASURES.map(([measure, name, unit]) => {
        const values = played.map((one) => one[call].map((cost) => cost[measure]));
        return costOver(`${what}: ${name}`, unit, block, values);
      }),
    );
    const unchanged = played.flatMap((one) => one.unchanged.map(({ tokens }) => tokens));
    const most = quantile(unchanged, 1);
    return { ...options, waves: waves.length, costs, unchanged_tokens_most: most };
  } finally {
    await engine.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { asList, asObject, ask, openSession } from "./client.ts";
import { defectFaults, faultsOf, judge, type Verdict } from "./judge.ts";
import { newRun, newTally, review, settle, WAYS, type Run, type Tally } from "./run.ts";
import { startWorld, type StoreKind, type World } from "./world.ts";

export interface SoakSettings {
  readonly store: StoreKind;
  readonly seconds: number;
  readonly seed: number;
  readonly note: (text: string) => void;
}

/** What the process has of the system, and what the data directory holds, at one instant. */
interface Sample {
  readonly second: number;
  readonly rss: number;
  /** in use after a collection; null where none was made, which would change what is measured */
  readonly heap: number | null;
  readonly disk: number;
  readonly calls: number;
}

export interface Trend {
  readonly meanMb: number;
  /** by least squares over the samples after the first fifth */
  readonly mbPerHour: number;
  /** half of the 95 % interval of that */
  readonly plusMinus: number;
}

export interface SoakOutcome {
  readonly seconds: number;
  readonly calls: number;
  readonly samples: number;
  readonly heap: Trend;
  readonly rss: Trend;
  readonly disk: Trend;
  readonly diskBytesPerCall: number;
  readonly verdict: Verdict;
  readonly faults: readonly string[];
}

const CLIENTS = 3;
const SAMPLE_MS = 10_000;
/** Samples from one collection to the next. */
const COLLECT_EVERY = 30;
/** From so many seconds on a trend says something, and memory is flat where it grows by no more than so much of its mean in an hour. */
const LONG = 3_600;
const FLAT = 0.02;
const WARM_UP = 0.2;
const MB = 1e6;

/** The line through points by least squares, with twice the standard error of its slope. */
export function trendOf(points: readonly (readonly [second: number, bytes: number])[]): Trend {
  const n = points.length;
  const mean = (of: readonly number[]): number =>
    of.reduce((sum, one) => sum + one, 0) / Math.max(1, n);
  const x = mean(points.map(([second]) => second));
  const y = mean(points.map(([, bytes]) => bytes));
  const spread = points.reduce((sum, [second]) => sum + (second - x) ** 2, 0);
  const slope =
    spread === 0 ? 0 : points.reduce((sum, [s, b]) => sum + (s - x) * (b - y), 0) / spread;
  const rest = points.reduce((sum, [s, b]) => sum + (b - y - slope * (s - x)) ** 2, 0);
  const error = n > 2 && spread > 0 ? Math.sqrt(rest / (n - 2) / spread) : 0;
  const perHour = (value: number): number => Math.round(((value * 3_600) / MB) * 10) / 10;
  return {
    meanMb: Math.round((y / MB) * 10) / 10,
    mbPerHour: perHour(slope),
    plusMinus: perHour(2 * error),
  };
}

/** What is not flat: it grows, beyond its error, by more than so much of its mean in an hour. */
export const risingOf = (trends: Readonly<Record<string, Trend>>): readonly string[] =>
  Object.entries(trends)
    .filter(([, { meanMb, mbPerHour, plusMinus }]) => mbPerHour - plusMinus > FLAT * meanMb)
    .map(([what, { mbPerHour }]) => `memory is not flat: ${what} grows by ${mbPerHour} MB an hour`);

function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    if (!entry.isFile()) return sum;
    try {
      return sum + statSync(join(entry.parentPath, entry.name)).size;
    } catch {
      return sum;
    }
  }, 0);
}

/** What a client of the soak does in turns: sessions, reads of all sizes, pages, faults, effects. */
class Client {
  readonly runs: Run[] = [];
  calls = 0;
  readonly #world: World;
  readonly #name: string;
  readonly #tally: Tally;
  readonly odd: string[] = [];

  constructor(world: World, name: string, tally: Tally) {
    this.#world = world;
    this.#name = name;
    this.#tally = tally;
  }

  readonly #url = (): string =>
    this.#world.servers[this.calls % this.#world.servers.length]?.url ?? "";

  async #expect(path: string, body: unknown, allowed: readonly number[]): Promise<unknown> {
    this.calls += 1;
    const answer = await ask(this.#url() + path, { body });
    if (!allowed.includes(answer.status))
      this.odd.push(`${answer.status}: ${answer.text.slice(0, 300)}`);
    if (answer.status === 500) this.#tally.defects.push(answer.text.slice(0, 400));
    return answer.body;
  }

  async round(n: number): Promise<void> {
    const name = `${this.#name}n${n}`;
    const session = await openSession(this.#url(), `soak ${name}`);
    this.calls += 1;
    if (session === null) {
      this.odd.push("no session");
      return;
    }
    const { path } = session;
    const sized = (count: number): string => `Item{batch="${name}", count=${count}, width=40}`;
    await this.#expect(path, { program: `${sized(20)}[id]` }, [200]);
    const listed = await this.#expect(
      path,
      { program: `${sized(400)}.page_size(50)`, force: true },
      [200],
    );
    const next = asObject(asList(asObject(listed)["results"])[0])["next"];
    const handle = typeof next === "string" ? /s\d+_pg\d+/.exec(next)?.[0] : undefined;
    if (handle !== undefined) await this.#expect(path, { program: `page(${handle})` }, [200]);
    await this.#expect(path, { program: `Item{colour=red}` }, [422]);
    await this.#expect(
      path,
      {
        program: `a = ${sized(300)}\na.group_by(batch, n=count)\na.sort(mark desc).limit(3)[id]`,
        force: true,
      },
      [200],
    );
    const run = newRun(name, WAYS[n % WAYS.length] ?? "wait");
    this.runs.push(run);
    this.calls += 2;
    if (await review(this.#url(), run, this.#tally))
      await settle(this.#url, run, this.#tally, 120_000);
  }
}

/** Uses a server in every way for so long, and says how its memory and its disk go. */
export async function soak(settings: SoakSettings): Promise<SoakOutcome> {
  const { seconds, note } = settings;
  const world = await startWorld({ store: settings.store, latency: 2 });
  try {
    const tally = newTally();
    const began = performance.now();
    const over = (): boolean => performance.now() - began > seconds * 1_000;
    const clients = Array.from(
      { length: CLIENTS },
      (_, n) => new Client(world, `s${settings.seed}c${n}`, tally),
    );
    const calls = (): number => clients.reduce((sum, client) => sum + client.calls, 0);
    const work = clients.map(async (client) => {
      for (let n = 0; !over(); n += 1) await client.round(n);
    });
    const samples: Sample[] = [];
    while (!over()) {
      await delay(Math.min(SAMPLE_MS, seconds * 100));
      const collect = samples.length % COLLECT_EVERY === 0;
      const memory = await world.servers[0]?.measure(collect);
      if (memory === undefined) break;
      const second = (performance.now() - began) / 1_000;
      const { rss } = memory;
      const heap = collect ? memory.heap : null;
      samples.push({ second, rss, heap, disk: bytesIn(world.dataDir), calls: calls() });
      if (samples.length % 6 === 1) {
        const [used, all] = [memory.heap, rss].map((bytes) => Math.round(bytes / MB));
        note(`${Math.round(second)} s, ${calls()} calls, heap ${used} MB, rss ${all} MB`);
      }
    }
    await Promise.all(work);
    const runs = clients.flatMap((client) => client.runs);
    const verdict = judge(runs, world.ledger.performed());
    const kept = samples.filter(({ second }) => second > seconds * WARM_UP);
    const trend = (what: "rss" | "heap" | "disk"): Trend =>
      trendOf(
        kept.flatMap((sample) => {
          const bytes = sample[what];
          return bytes === null ? [] : [[sample.second, bytes] as const];
        }),
      );
    const memory = { heap: trend("heap"), rss: trend("rss") };
    const [first, last] = [kept[0], kept.at(-1)];
    const spanned = (last?.calls ?? 0) - (first?.calls ?? 0);
    const odd = clients.flatMap((client) => client.odd).map((text) => `unexpected: ${text}`);
    const crashes = world.servers.flatMap((server) => server.crashes);
    const defects = defectFaults(tally.defects, world.servers);
    return {
      seconds: Math.round((performance.now() - began) / 1_000),
      calls: calls(),
      samples: samples.length,
      ...memory,
      disk: trend("disk"),
      diskBytesPerCall: Math.round(((last?.disk ?? 0) - (first?.disk ?? 0)) / Math.max(1, spanned)),
      verdict,
      faults: [
        ...faultsOf(verdict),
        ...odd.slice(0, 20),
        ...crashes,
        ...defects,
        ...(seconds >= LONG ? risingOf(memory) : []),
      ],
    };
  } finally {
    await world.end();
  }
}

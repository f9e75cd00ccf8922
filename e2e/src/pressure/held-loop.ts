import { setTimeout as delay } from "node:timers/promises";
import { ask, openSession } from "./client.ts";
import type { LoopDelays } from "./plasm-process.ts";
import { startWorld, type World } from "./world.ts";

/** Work that a server does while others ask for its health. */
interface Work {
  /** programs at once */
  readonly lanes: number;
  program(batch: string): string;
}

const rows = (batch: string, count: number, width: number): string =>
  `Item{batch="${batch}", count=${count}, width=${width}}`;

const QUARTERS = ["a", "b", "c", "d"];

export const WORKS: Readonly<Record<string, Work>> = Object.freeze({
  // An answer may have 10 MB.
  "pages of 10 MB": {
    lanes: 4,
    program: (batch) => `${rows(batch, 20_000, 400)}.aggregate(n=count)`,
  },
  "400,000 small rows": {
    lanes: 1,
    program: (batch) =>
      QUARTERS.map((part) => `${part} = ${rows(batch + part, 100_000, 0)}`).join("\n") +
      QUARTERS.map((part) => `\n${part}.group_by(batch, n=count)`).join(""),
  },
  "32 large operations": {
    lanes: 32,
    program: (batch) => `${rows(batch, 10_000, 40)}.sort(text, mark desc).limit(3)[id]`,
  },
  "hostile templates": {
    lanes: 8,
    program: (batch) =>
      `${rows(batch, 2_000, 0)} <<T\n{% for a in rows %}{% for b in rows %}{% if (a.id | upper) == b.mark %}{% endif %}{% endfor %}{% endfor %}\nT`,
  },
});

export interface HeldSettings {
  readonly kind: string;
  readonly seconds: number;
  readonly seed: number;
  readonly note: (text: string) => void;
}

/** What was measured of one state of a server. */
interface Measured {
  readonly loop: LoopDelays;
  /** milliseconds that calls of its health took */
  readonly health: { readonly calls: number; readonly p50: number; readonly p99: number };
}

export interface HeldOutcome {
  readonly seconds: number;
  readonly idle: Measured;
  readonly busy: Measured;
  /** delay of the loop under work to that of the idle loop, 99th percentiles */
  readonly loopRatio: number;
  readonly healthRatio: number;
  /** programs that were answered meanwhile */
  readonly answered: number;
  readonly faults: readonly string[];
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) /
  10;

const BETWEEN_MS = 15;

/** Asks for the health of a server again and again, for some seconds. */
async function watch({ servers }: World, seconds: number, faults: string[]): Promise<Measured> {
  const [server] = servers;
  if (server === undefined) throw new Error("no server");
  await server.measure();
  const took: number[] = [];
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const { status, ms } = await ask(`${server.url}/v1/health`);
    took.push(ms);
    if (status !== 200) faults.push(`health answers ${status}`);
    await delay(BETWEEN_MS);
  }
  const { loop } = await server.measure();
  const sorted = took.toSorted((a, b) => a - b);
  return { loop, health: { calls: sorted.length, p50: at(sorted, 0.5), p99: at(sorted, 0.99) } };
}

const ENV = { PLASM_BUDGET_ROWS: "500000", PLASM_BUDGET_BYTES: String(512 * 1024 * 1024) };

/** How long a server is held by a kind of work, beside how long it is when it has none. */
export async function holdLoop({ kind, seconds, seed, note }: HeldSettings): Promise<HeldOutcome> {
  const work = WORKS[kind];
  if (work === undefined) throw new Error(`there is no work ${kind}`);
  const world = await startWorld({ store: "sqlite", env: ENV, latency: 0 });
  const faults: string[] = [];
  let [answered, isOver] = [0, false];
  const lane = async (url: string, number: number): Promise<void> => {
    const session = await openSession(url, `items, lane ${number}`);
    for (let turn = 0; !isOver && session !== null; turn += 1) {
      const program = work.program(`s${seed}l${number}t${turn}`);
      const asked = { body: { program }, limitMs: 300_000 };
      const { status, text } = await ask(`${url}${session.path}`, asked);
      // The server is ended with what it is still at.
      if (isOver) return;
      answered += 1;
      if (status === 0 || status === 500) faults.push(`${status}: ${text.slice(0, 200)}`);
    }
  };
  try {
    const url = world.servers[0]?.url ?? "";
    await watch(world, Math.min(1, seconds), faults);
    const idle = await watch(world, seconds, faults);
    const lanes = Array.from({ length: work.lanes }, (_, number) => lane(url, number));
    // The first programs are compiled, and their pages come.
    await delay(1_000);
    const busy = await watch(world, seconds, faults);
    isOver = true;
    await world.servers[0]?.kill();
    await Promise.all(lanes);
    const ratio = (a: number, b: number): number => Math.round((a / Math.max(b, 0.1)) * 10) / 10;
    const loopRatio = ratio(busy.loop.p99, idle.loop.p99);
    const healthRatio = ratio(busy.health.p99, idle.health.p99);
    note(
      `loop ${busy.loop.p99} ms (idle ${idle.loop.p99}), health ${busy.health.p99} ms (idle ${idle.health.p99})`,
    );
    return { seconds, idle, busy, loopRatio, healthRatio, answered, faults };
  } finally {
    isOver = true;
    await world.end();
  }
}

import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ask, asObject } from "./client.ts";
import { defectFaults, faultsOf, judge, type Verdict } from "./judge.ts";
import { newRun, newTally, review, settle, type Run, type Tally } from "./run.ts";
import { startWorld, type StoreKind, type World } from "./world.ts";

export interface CrowdSettings {
  readonly store: StoreKind;
  readonly operations: number;
  /** streams of events in all, shared evenly by the operations */
  readonly listeners: number;
  readonly seed: number;
  readonly note: (text: string) => void;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface CrowdOutcome {
  readonly operations: number;
  readonly listeners: number;
  readonly ended: number;
  readonly seconds: number;
  readonly idle: Latency;
  readonly busy: Latency;
  readonly rssMb: number;
  readonly verdict: Verdict;
  readonly faults: readonly string[];
}

const HEALTH_EVERY_MS = 50;
const IDLE_MS = 3_000;
const SETTLE_MS = 300_000;
const OPENED_AT_ONCE = 8;

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? sorted.at(-1) ?? 0) * 10) / 10;

/** Asks for health until told to stop: how long each answer took. */
async function latencies(url: string, over: AbortSignal, bad: string[]): Promise<Latency> {
  const took: number[] = [];
  while (!over.aborted) {
    const { status, ms } = await ask(`${url}/v1/health`, { limitMs: 60_000 });
    if (status !== 200) bad.push(`health answered ${status} after ${Math.round(ms)} ms`);
    took.push(ms);
    await delay(HEALTH_EVERY_MS);
  }
  const sorted = took.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) };
}

async function during<T>(url: string, bad: string[], work: () => Promise<T>) {
  const over = new AbortController();
  const watched = latencies(url, over.signal, bad);
  try {
    const value = await work();
    return { value, stop: () => (over.abort(), watched) };
  } catch (thrown) {
    over.abort();
    throw thrown;
  }
}

/** Hears a stream to its end: the name of its last event, or how it failed. */
function listen(url: string): Promise<string> {
  return new Promise((resolve) => {
    let tail = "";
    const sent = request(url, { agent: false, headers: { accept: "text/event-stream" } });
    sent.on("error", (error) => resolve(`error: ${error.message}`));
    sent.on("response", (response) => {
      if (response.statusCode !== 200) resolve(`status ${response.statusCode}`);
      response.setEncoding("utf8");
      response.on("data", (text: string) => (tail = (tail + text).slice(-4_000)));
      response.on("error", (error) => resolve(`cut: ${error.message}`));
      response.on("end", () => {
        resolve([...tail.matchAll(/^event: (\w+)/gm)].at(-1)?.[1] ?? "no event");
      });
    });
    sent.end();
  });
}

async function inParallel<T>(
  things: readonly T[],
  width: number,
  work: (thing: T) => Promise<void>,
) {
  const queue = [...things];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

interface Crowd {
  readonly world: World;
  readonly tally: Tally;
  readonly faults: string[];
  url(): string;
}

/** Sends a ref that nobody waits for, and gives the address of its stream. */
async function accept({ url, faults }: Crowd, run: Run): Promise<string | null> {
  run.sent = true;
  const answer = await ask(`${url()}${run.session?.path}`, {
    body: { plan_commit_ref: run.ref, wait: false },
    limitMs: 120_000,
  });
  const place = answer.headers["location"];
  if (answer.status === 202 && typeof place === "string") return `${place}/stream`;
  // One that is over already has no stream to hear.
  const op = asObject(answer.body["op"]);
  if (answer.status !== 200)
    faults.push(`not accepted: ${answer.status} ${answer.text.slice(0, 300)}`);
  return typeof op["n"] === "number" && typeof place === "string" ? `${place}/stream` : null;
}

/** So many operations at once, each heard by its share of listeners, while health is asked. */
export async function gatherCrowd(settings: CrowdSettings): Promise<CrowdOutcome> {
  const { operations, listeners, seed, note } = settings;
  const world = await startWorld({ store: settings.store, latency: 30 });
  try {
    const faults: string[] = [];
    let turn = 0;
    const url = (): string => world.servers[(turn += 1) % world.servers.length]?.url ?? "";
    const crowd: Crowd = { world, tally: newTally(), faults, url };
    const runs = Array.from({ length: operations }, (_, n) => newRun(`s${seed}o${n}`, "wait"));
    await inParallel(runs, OPENED_AT_ONCE, async (run) => {
      for (let tries = 0; tries < 20 && run.ref === null; tries += 1)
        await review(url(), run, crowd.tally);
    });
    note(`${runs.length} plans are reviewed`);
    const first = world.servers[0]?.url ?? "";
    const idle = await (await during(first, faults, () => delay(IDLE_MS))).stop();
    const began = performance.now();
    const share = Math.max(1, Math.round(listeners / operations));
    const heard: Promise<string>[] = [];
    const busy = await during(first, faults, async () => {
      await inParallel(runs, operations, async (run) => {
        const stream = await accept(crowd, run);
        if (stream === null) return;
        for (let n = 0; n < share; n += 1) heard.push(listen(url() + stream));
      });
      note(`${heard.length} listeners`);
      return Promise.all(heard);
    });
    const seconds = Math.round((performance.now() - began) / 1_000);
    const latency = await busy.stop();
    const wrong = busy.value.filter((end) => end !== "terminal" && end !== "moved");
    if (wrong.length > 0)
      faults.push(`${wrong.length} streams did not end well: ${[...new Set(wrong)].join(", ")}`);
    if (heard.length < listeners)
      faults.push(`only ${heard.length} of ${listeners} listeners heard`);
    await inParallel(runs, OPENED_AT_ONCE, (run) => settle(url, run, crowd.tally, SETTLE_MS));
    const verdict = judge(runs, world.ledger.performed());
    const memory = await world.servers[0]?.measure();
    const crashes = world.servers.flatMap((server) => server.crashes);
    const defects = defectFaults(crowd.tally.defects, world.servers);
    return {
      operations,
      listeners: heard.length,
      ended: heard.length - wrong.length,
      seconds,
      idle,
      busy: latency,
      rssMb: Math.round((memory?.rss ?? 0) / 1e6),
      verdict,
      faults: [...faultsOf(verdict), ...faults.slice(0, 50), ...crashes, ...defects],
    };
  } finally {
    await world.end();
  }
}

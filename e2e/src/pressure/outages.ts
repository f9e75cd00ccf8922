import { execFile } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { ask } from "./client.ts";
import { changedStories, defectFaults, faultsOf, judge, storyOf, type Verdict } from "./judge.ts";
import type { Fault } from "./ledger.ts";
import { healthOf } from "./plasm-process.ts";
import { newRun, newTally, review, send, settle, WAYS, type Run, type Tally } from "./run.ts";
import { partsFrom } from "../drawer.ts";
import { startWorld, type StoreKind, type World } from "./world.ts";

const run = promisify(execFile);

/** One way for something to fail in the middle of runs, and to be well again. */
interface Outage {
  readonly store: StoreKind;
  /** in which world it is tried: those of one name share it */
  readonly world: "plain" | "small-disk" | "small-heap" | "no-name";
  strike(world: World, random: () => number): Promise<void>;
}

const SHORT_MS = 1_200;
const BLACK_HOLE_MS = 14_000;
const SUSPENDED_MS = 36_000;
const CLOCK_STEP_MS = 3 * 3_600_000;
const DISK = "24m";
/** Runs that together hold far more than the heap: each reads pages just below what a page may have (18.6). */
const HEAVY = { rows: 1_900, width: 5_000, pages: 5, runs: 32, heapMb: 1_024 };

/** The API is at fault for a while, before and after it has performed an effect by turns. */
const spoiled =
  (kind: Fault["kind"], holdMs = SHORT_MS) =>
  async ({ ledger }: World, random: () => number): Promise<void> => {
    // 429 says of itself that nothing was done (RFC 6585): an API that performs all the same is not tried.
    const when = random() < 0.5 || kind === "429" ? "before" : "after";
    await ledger.command({ fault: { kind, when, share: 0.3 + 0.7 * random() } });
    await delay(holdMs);
    await ledger.command({ fault: null });
  };

const database = (mode: "refuse" | "reset" | "swallow", holdMs: number) => async (world: World) => {
  await world.cluster?.become(mode);
  await delay(holdMs);
  await world.cluster?.become("pass");
};

const fillerOf = ({ dataDir }: World): string => join(dataDir, "filler");

async function takeRoom(world: World): Promise<void> {
  const script = 'dd if=/dev/zero of="$1" bs=4096 2>/dev/null; true';
  await run("sh", ["-c", script, "sh", fillerOf(world)]);
}

async function fillDisk(world: World): Promise<void> {
  await takeRoom(world);
  await delay(SHORT_MS);
  rmSync(fillerOf(world));
}

/** Kills every server while something else is wrong, and starts them again before and after that has passed. */
const killedDuring =
  (begin: (world: World) => Promise<void>, end: (world: World) => Promise<void>) =>
  async (world: World): Promise<void> => {
    await begin(world);
    await delay(SHORT_MS / 4);
    for (const server of world.servers) await server.kill();
    // It may refuse to start: it says why, and the next start finds all as it was.
    await Promise.all(world.servers.map((server) => server.start(3_000, true)));
    await end(world);
    for (const server of world.servers) await server.start();
  };

async function readOnlyDisk({ dataDir, servers }: World): Promise<void> {
  for (const server of servers) await server.kill();
  await run("mount", ["-o", "remount,ro", dataDir]);
  // It may refuse to start, or answer that it cannot write: both are honest.
  for (const server of servers) await server.start(4_000, true);
  await delay(SHORT_MS);
  for (const server of servers) await server.kill();
  await run("mount", ["-o", "remount,rw", dataDir]);
  for (const server of servers) await server.start();
}

async function directoryGone({ dataDir, servers }: World): Promise<void> {
  renameSync(dataDir, `${dataDir}.away`);
  await delay(SHORT_MS);
  // "Restart the server" is what it says to do; the directory is back by then.
  for (const server of servers) await server.terminate(20_000);
  rmSync(dataDir, { recursive: true, force: true });
  renameSync(`${dataDir}.away`, dataDir);
  for (const server of servers) await server.start();
}

async function suspend({ servers }: World): Promise<void> {
  servers[0]?.signal("SIGSTOP");
  await delay(SUSPENDED_MS);
  servers[0]?.signal("SIGCONT");
}

async function stepClock({ servers }: World, random: () => number): Promise<void> {
  const step = (random() < 0.5 ? 1 : -1) * CLOCK_STEP_MS * random();
  for (const server of servers) await server.stepClock(step);
  await delay(SHORT_MS);
  for (const server of servers) await server.stepClock(-step);
}

async function drain({ servers }: World): Promise<void> {
  for (const server of servers) await server.terminate(60_000);
  for (const server of servers) await server.start();
}

/** Runs of one caller that together read far more than the heap of the process holds. */
async function fillMemory({ servers }: World, random: () => number): Promise<void> {
  const url = servers[0]?.url ?? "";
  const opened = await ask(`${url}/execute`, {
    body: {
      intent: `heavy ${random()}`,
      seeds: [{ api: "ledger", entity: "Item" }],
      notation: "names",
    },
  });
  const path = opened.headers["location"];
  if (typeof path !== "string") return;
  const page = (n: number, k: number): string =>
    `a${k} = Item{batch="heavy${n}p${k}", count=${HEAVY.rows}, width=${HEAVY.width}}\na${k}.sort(text desc).limit(2)[id]`;
  const heavy = (n: number): string =>
    Array.from({ length: HEAVY.pages }, (_, k) => page(n, k)).join("\n");
  const bodies = Array.from({ length: HEAVY.runs }, (_, n) => ({ program: heavy(n), force: true }));
  await Promise.all(bodies.map((body) => ask(url + path, { body, limitMs: 90_000 })));
}

/** All there are; each is tried on its own. */
const OUTAGES: Readonly<Record<string, Outage>> = {
  "api refuses": {
    store: "sqlite",
    world: "plain",
    strike: async ({ ledger }) => {
      await ledger.command({ listen: false });
      await delay(SHORT_MS);
      await ledger.command({ listen: true });
    },
  },
  "api hangs": { store: "sqlite", world: "plain", strike: spoiled("hang", 3_000) },
  "api drips": { store: "sqlite", world: "plain", strike: spoiled("drip", 3_000) },
  "api answers 500": { store: "sqlite", world: "plain", strike: spoiled("500") },
  "api answers 503": { store: "sqlite", world: "plain", strike: spoiled("503") },
  "api answers 429": { store: "sqlite", world: "plain", strike: spoiled("429") },
  "api resets": { store: "sqlite", world: "plain", strike: spoiled("reset") },
  "api cuts answers": { store: "sqlite", world: "plain", strike: spoiled("cut") },
  "api has no address": { store: "sqlite", world: "no-name", strike: () => delay(SHORT_MS) },
  "database refuses": { store: "postgres", world: "plain", strike: database("refuse", 3_000) },
  "database resets": { store: "postgres", world: "plain", strike: database("reset", 700) },
  "database is a black hole": {
    store: "postgres",
    world: "plain",
    strike: database("swallow", BLACK_HOLE_MS),
  },
  "disk is full": { store: "sqlite", world: "small-disk", strike: fillDisk },
  "disk is read-only": { store: "sqlite", world: "small-disk", strike: readOnlyDisk },
  "killed while the api hangs": {
    store: "sqlite",
    world: "plain",
    strike: killedDuring(
      async ({ ledger }) => {
        await ledger.command({ fault: { kind: "hang", when: "after", share: 1 } });
      },
      async ({ ledger }) => void (await ledger.command({ fault: null })),
    ),
  },
  "killed while the disk is full": {
    store: "sqlite",
    world: "small-disk",
    strike: killedDuring(takeRoom, async (world) => rmSync(fillerOf(world))),
  },
  "killed while the database refuses": {
    store: "postgres",
    world: "plain",
    strike: killedDuring(
      async ({ cluster }) => cluster?.become("refuse"),
      async ({ cluster }) => cluster?.become("pass"),
    ),
  },
  "data directory is gone": { store: "sqlite", world: "plain", strike: directoryGone },
  "server is suspended": { store: "sqlite", world: "plain", strike: suspend },
  "replica is suspended": { store: "postgres", world: "plain", strike: suspend },
  "clock steps": { store: "sqlite", world: "plain", strike: stepClock },
  "memory is short": { store: "sqlite", world: "small-heap", strike: fillMemory },
  "server drains": { store: "sqlite", world: "plain", strike: drain },
  "replicas drain": { store: "postgres", world: "plain", strike: drain },
};

async function worldFor({ store, world }: Outage): Promise<World> {
  if (world === "small-heap") {
    return startWorld({ store, nodeOptions: `--max-old-space-size=${HEAVY.heapMb}` });
  }
  // No name server knows names of this kind (RFC 6761).
  if (world === "no-name") return startWorld({ store, backend: "http://ledger.invalid" });
  if (world === "plain") return startWorld({ store });
  let mounted = "";
  const made = await startWorld({
    store,
    prepare: async (dataDir) => {
      mounted = dataDir;
      await run("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", dataDir]);
    },
  });
  return {
    ...made,
    end: async () => {
      for (const server of made.servers) await server.kill();
      await run("umount", ["-l", mounted]);
      await made.end();
    },
  };
}

export interface OutageOutcome {
  readonly kind: string;
  readonly tried: number;
  readonly verdict: Verdict;
  readonly answers: number;
  /** calls that said that the server could not now */
  readonly unavailable: number;
  readonly codes: Readonly<Record<string, number>>;
  readonly slowestHealthMs: number;
  readonly slowestCallMs: number;
  readonly faults: readonly string[];
}

export interface OutageSettings {
  readonly kind: string;
  readonly seed: number;
  readonly times: number;
  readonly until?: number;
  readonly note: (text: string) => void;
}

/** Ways of the client, one run each, that are under way when it strikes. */
const RUNS_AT_ONCE = 3;
const SETTLE_MS = 75_000;

/** Health is asked all the while: it must answer within its limit, whatever it says. */
async function watchHealth(world: World, over: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!over.aborted) {
    for (const { url } of world.servers.slice(-1)) {
      const began = performance.now();
      // 0 after the limit would be a silence; a server that is down refuses at once.
      await healthOf(url, 60_000);
      slowest = Math.max(slowest, performance.now() - began);
    }
    await delay(200);
  }
  return Math.round(slowest);
}

interface Trial {
  readonly world: World;
  readonly outage: Outage;
  readonly tally: Tally;
  readonly random: () => number;
  readonly mark: string;
}

async function tryOnce({ world, outage, tally, random, mark }: Trial): Promise<readonly Run[]> {
  let turn = 0;
  const url = (): string => {
    turn += 1;
    return world.servers[turn % world.servers.length]?.url ?? "";
  };
  const runs = WAYS.slice(0, RUNS_AT_ONCE).map((way, n) => newRun(`${mark}w${n}`, way));
  for (const one of runs) {
    for (let tries = 0; tries < 100 && !(await review(url(), one, tally)); tries += 1) {
      await delay(100);
    }
  }
  const under = runs.map((one) => send(url(), one, tally));
  await delay(random() * 350);
  await outage.strike(world, random);
  await Promise.all(under);
  await Promise.all(runs.map((one) => settle(url, one, tally, SETTLE_MS)));
  return runs;
}

/** Tries one kind of outage so many times, each in the middle of runs, and judges what was told. */
export async function tryOutage(settings: OutageSettings): Promise<OutageOutcome> {
  const { kind, seed, times, note } = settings;
  const outage = OUTAGES[kind];
  if (outage === undefined) throw new Error(`no outage is called ${kind}`);
  const random = partsFrom(seed);
  const tally = newTally();
  const world = await worldFor(outage);
  const over = new AbortController();
  const health = watchHealth(world, over.signal);
  try {
    const runs: Run[] = [];
    const slow: number[] = [0];
    let tried = 0;
    while (tried < times && performance.now() < (settings.until ?? Infinity)) {
      const began = performance.now();
      runs.push(...(await tryOnce({ world, outage, tally, random, mark: `s${seed}t${tried}` })));
      slow.push(performance.now() - began);
      tried += 1;
      note(`${tried} of ${times}`);
      for (const server of world.servers) if (server.pid() === null) await server.start();
    }
    const url = (): string => world.servers[0]?.url ?? "";
    const before = new Map(runs.map((one) => [one.mark, storyOf(one)]));
    for (const one of runs) {
      if (one.final === null) continue;
      one.final = null;
      await settle(url, one, tally, 60_000);
    }
    const changed = changedStories(runs, before).map((text) => `told differently later: ${text}`);
    const verdict = judge(runs, world.ledger.performed());
    const crashes = world.servers.flatMap((server) => server.crashes.map((one) => `crash: ${one}`));
    const defects = defectFaults(tally.defects, world.servers);
    const unsent = runs
      .filter((one) => !one.sent)
      .map((one) => `never reviewed: ${one.mark}: ${one.last}`);
    over.abort();
    return {
      kind,
      tried,
      verdict,
      answers: tally.answers,
      unavailable: tally.unavailable,
      codes: Object.fromEntries(tally.codes),
      slowestHealthMs: await health,
      slowestCallMs: Math.round(Math.max(...slow)),
      faults: [...faultsOf(verdict), ...changed, ...crashes, ...defects, ...unsent],
    };
  } finally {
    over.abort();
    writeFileSync(join(world.directory, "over"), "");
    await world.end();
  }
}

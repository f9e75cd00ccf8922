import { setTimeout as delay } from "node:timers/promises";
import { changedStories, defectFaults, faultsOf, judge, storyOf, type Verdict } from "./judge.ts";
import { newRun, newTally, review, send, settle, WAYS, type Run, type Tally } from "./run.ts";
import { partsFrom } from "../drawer.ts";
import { startWorld, type StoreKind, type World } from "./world.ts";

export interface KillSettings {
  readonly store: StoreKind;
  readonly seed: number;
  readonly kills: number;
  /** no kill is begun after this instant of performance.now() */
  readonly until?: number;
  readonly note: (text: string) => void;
}

export interface KillOutcome {
  readonly kills: number;
  /** kills while a server was starting, or while it took over what another had left */
  readonly duringRecovery: number;
  readonly verdict: Verdict;
  readonly answers: number;
  readonly faults: readonly string[];
}

const CLIENTS = 3;
const SETTLE_MS = 240_000;
/** Runs whose owner has died and that nobody has taken over yet are left to this many at most. */
const OPEN_RUNS = 60;

/** Clients that start runs one after the other, and go to the next one where a connection breaks. */
class Traffic {
  readonly runs: Run[] = [];
  readonly tally: Tally = newTally();
  readonly #world: World;
  readonly #seed: number;
  #stopped = false;
  #turn = 0;

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#seed = seed;
  }

  /** Another server at each call: every one must be able to answer for each run. */
  readonly url = (): string => {
    const { servers } = this.#world;
    this.#turn += 1;
    const live = servers.filter((server) => server.pid() !== null);
    const from = live.length === 0 ? servers : live;
    return from[this.#turn % from.length]?.url ?? "";
  };

  async client(name: number): Promise<void> {
    for (let n = 0; !this.#stopped; n += 1) {
      const open = this.runs.filter((run) => run.sent && run.final === null).length;
      if (open >= OPEN_RUNS) {
        await delay(100);
        continue;
      }
      const way = WAYS[(n + name) % WAYS.length] ?? "wait";
      const run = newRun(`s${this.#seed}c${name}n${n}`, way);
      this.runs.push(run);
      for (let tries = 0; tries < 200 && !this.#stopped; tries += 1) {
        if (await review(this.url(), run, this.tally)) break;
        await delay(50);
      }
      if (run.ref !== null) await send(this.url(), run, this.tally);
      // A poller comes back a while later; until then it does something else.
      void this.later();
      await delay(10);
    }
  }

  /** Asks for one of those that are open, as a client that comes back does. */
  async later(): Promise<void> {
    const open = this.runs.filter((run) => run.sent && run.final === null);
    const run = open[this.#turn % Math.max(1, open.length)];
    if (run !== undefined) await send(this.url(), run, this.tally, 5_000);
  }

  stop(): void {
    this.#stopped = true;
  }

  /** The last answer of each run, then once more: nobody may be told two stories. */
  async settleAll(): Promise<readonly string[]> {
    const open = this.runs.filter((run) => run.sent && run.final === null);
    await Promise.all(open.map((run) => settle(this.url, run, this.tally, SETTLE_MS)));
    const before = new Map(this.runs.map((run) => [run.mark, storyOf(run)]));
    for (const run of this.runs) {
      if (run.final === null) continue;
      run.final = null;
      await settle(this.url, run, this.tally, 60_000);
    }
    return changedStories(this.runs, before).map((text) => `told differently later: ${text}`);
  }
}

/** Kills servers at random instants of runs, of their starts and of takeovers, and judges what was told. */
export async function killServers(settings: KillSettings): Promise<KillOutcome> {
  const { seed, note } = settings;
  const random = partsFrom(seed);
  const world = await startWorld({ store: settings.store, latency: 20 });
  try {
    const traffic = new Traffic(world, seed);
    const clients = Array.from({ length: CLIENTS }, (_, name) => traffic.client(name));
    let kills = 0;
    let duringRecovery = 0;
    while (kills < settings.kills && performance.now() < (settings.until ?? Infinity)) {
      await delay(150 + random() * 1_500);
      const { servers } = world;
      const first = Math.floor(random() * servers.length);
      const victims = random() < 0.2 ? servers : servers.slice(first, first + 1);
      await Promise.all(victims.map((server) => server.kill()));
      kills += victims.length;
      // A second and a third one while it starts and takes over what was left.
      for (let more = 0; more < 2 && random() < 0.4; more += 1) {
        const restarts = victims.map((server) => server.start(400 + random() * 900));
        await Promise.all(restarts);
        await delay(random() * 200);
        await Promise.all(victims.map((server) => server.kill()));
        kills += victims.length;
        duringRecovery += victims.length;
      }
      const up = await Promise.all(victims.map((server) => server.start()));
      if (up.includes(false)) throw new Error(`a server does not start: ${victims[0]?.said()}`);
      if (kills % 10 < 2) note(`${kills} kills, ${traffic.runs.length} runs`);
    }
    traffic.stop();
    await Promise.all(clients);
    note("asking every ref");
    const changed = await traffic.settleAll();
    const verdict = judge(traffic.runs, world.ledger.performed());
    const crashed = world.servers.flatMap(({ crashes }) => crashes.map((one) => `crash: ${one}`));
    const defects = defectFaults(traffic.tally.defects, world.servers);
    return {
      kills,
      duringRecovery,
      verdict,
      answers: traffic.tally.answers,
      faults: [...faultsOf(verdict), ...changed, ...crashed, ...defects],
    };
  } finally {
    await world.end();
  }
}

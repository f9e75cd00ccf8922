import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@plasm/core";
import { type Death, deathText, leavesRun, mayStand } from "./death.ts";
import { type Harbour, startHarbour } from "./harbour.ts";
import type { HostProcess } from "./host-process.ts";
import { Hosts } from "./hosts.ts";
import { type Judgement, judge } from "./judgement.ts";
import type { HostAnswer } from "./protocol.ts";
import type { PerRow } from "./told.ts";
import { enterBuoys, perRowOf, planVoyage, type Voyage } from "./voyage.ts";

/** How long what must happen may take on a busy machine. */
const PATIENCE_MS = 120_000;
/** How long a host is watched that must not go on yet. */
const WATCH_MS = 100;
/** How long a handle that is on its way may take. */
const HANDLE_MS = 500;

/** A kill, and how it goes on. */
export interface Strike {
  readonly death: Death;
  /** whether a caller waits for the run, or it was accepted and has a handle */
  readonly mode: "waited" | "accepted";
  /** who goes on: a host that starts afterwards, or one that was there */
  readonly recovery: "restart" | "take over";
  /** part of a run after which the host that goes on is killed, too */
  readonly again: number | null;
}

/** What came of a strike. */
export interface StrikeOutcome extends Judgement {
  readonly kills: number;
}

/** A voyage on its way. */
interface UnderWay {
  readonly voyage: Voyage;
  readonly commit: string;
  readonly perRow: PerRow;
  /** null before anybody was told one */
  handle: string | null;
}

export const strikeText = ({ death, mode, recovery, again }: Strike): string =>
  `${mode}, ${deathText(death)}, ${recovery}${again === null ? "" : `, again after ${again}`}`;

export const withoutNote = ({ text }: HostAnswer): string => text.replace(/\nnote: .*$/, "");

/** What an answer tells of effects and errors, without results. */
const headOf = ({ text }: HostAnswer): string => text.split("\nresults in hand:")[0] ?? text;

function textOf(meta: JsonObject, name: string): string {
  const value = meta[name];
  if (typeof value !== "string") throw new Error(`${name} is missing`);
  return value;
}

const signalOf = ({ meta }: HostAnswer): string | null => {
  const op = meta["op"] as { readonly "~": string } | undefined;
  return op?.["~"] ?? null;
};

/** Whether an answer is that of a run that has ended. */
const isEnd = (answer: HostAnswer): boolean =>
  answer.problem !== null || signalOf(answer) === null || signalOf(answer) === "!";

const SQLITE_BUSY = 5;

/** Whether a process is in the middle of writing to the embedded store. */
function isBeingWritten(dataDir: string): boolean {
  const database = new DatabaseSync(join(dataDir, "plasm.db"), { timeout: 0 });
  try {
    database.exec("begin immediate; rollback");
    return false;
  } catch (thrown) {
    if (Reflect.get(Object(thrown), "errcode") === SQLITE_BUSY) return true;
    throw thrown;
  } finally {
    database.close();
  }
}

async function inTime<T>(what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, null, { signal: over.signal }).then(() => {
    throw new Error(`${what} did not happen in ${PATIENCE_MS / 1000} s`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

/**
 * Hosts on one store, and the API that records what they ask of it. What a killed one left is what the next
 * one finds, and that one is killed next. Leases are those of production; it is the store's clock that moves
 * on, so that nothing waits and a busy machine loses no lease.
 */
export class KillWorld {
  readonly hosts: Hosts;
  readonly harbour: Harbour;
  readonly #buoys: readonly string[];
  /** directory of the embedded store; null for a database */
  readonly #dataDir: string | null;
  readonly #told = new Map<string, string>();
  #ref = "";
  #marks = 0;
  #turn = 0;
  #runMs = 0;

  private constructor(
    hosts: Hosts,
    harbour: Harbour,
    buoys: readonly string[],
    dataDir: string | null,
  ) {
    this.hosts = hosts;
    this.harbour = harbour;
    this.#buoys = buoys;
    this.#dataDir = dataDir;
  }

  /** Hosts on a database are replicas. */
  get #replicas(): boolean {
    return this.#dataDir === null;
  }

  /** Opens a world on a directory; its hosts are replicas where there is a database. */
  static async open(dir: string, databaseUrl: string | null): Promise<KillWorld> {
    const harbour = await startHarbour(join(dir, "apis"), 2);
    const dataDir = join(dir, "data");
    const hosts = new Hosts(harbour.doors.map((quay) => ({ dataDir, quay, databaseUrl })));
    const buoys = await enterBuoys(harbour);
    const world = new KillWorld(hosts, harbour, buoys, databaseUrl === null ? dataDir : null);
    await world.#begin();
    return world;
  }

  async close(): Promise<void> {
    await this.hosts.end();
    await this.harbour.close();
  }

  /** A first run that nobody disturbs; ended by itself, its host leaves what it compiled to others. */
  async #begin(): Promise<void> {
    const host = await this.hosts.at(0);
    const request = { intent: "killed", seeds: [{ api: "quay", entity: "Boat" }] };
    this.#ref = textOf((await host.ask({ call: "context", request })).meta, "logical_session_ref");
    const way = await this.prepare(host);
    const began = performance.now();
    await this.send(host, way, true);
    this.#runMs = performance.now() - began;
    await this.hosts.end();
  }

  /** A voyage that is planned and has not begun; from here on the harbour counts. */
  async prepare(host: HostProcess): Promise<UnderWay> {
    this.#marks += 1;
    const voyage = await planVoyage(this.harbour, this.#buoys, `mark${this.#marks}`);
    this.harbour.forget();
    const { program } = voyage;
    const { text, meta, problem } = await host.ask({ call: "plan", ref: this.#ref, program });
    if (problem !== null) throw new Error(problem.text);
    const commit = textOf(meta, "plan_commit_ref");
    return { voyage, commit, perRow: perRowOf(text, voyage.rows), handle: null };
  }

  /** Stops a host in its tracks where it holds no lock of the embedded store: with one nobody else could write. */
  async pause(host: HostProcess): Promise<void> {
    host.pause();
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      if (this.#dataDir === null || !isBeingWritten(this.#dataDir)) return;
      host.wake();
      await sleep(WATCH_MS);
      host.pause();
    }
    throw new Error("a host never came to rest");
  }

  /** Sends a program with its ref. */
  send(host: HostProcess, { voyage, commit }: UnderWay, wait: boolean): Promise<HostAnswer> {
    return host.ask({ call: "run", ref: this.#ref, program: voyage.program, commit, wait });
  }

  wait(host: HostProcess, handle: string, wait: boolean): Promise<HostAnswer> {
    const program = `wait(${handle})`;
    return host.ask({ call: "run", ref: this.#ref, program, commit: null, wait });
  }

  judge(text: string, { voyage, perRow }: UnderWay): Promise<Judgement> {
    return judge(text, voyage, perRow, this.harbour);
  }

  /** Asks until the run has ended, by its handle if it has one, else by its ref. */
  async end(host: HostProcess, way: UnderWay): Promise<HostAnswer> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      const { handle } = way;
      const answer = await (handle === null
        ? this.send(host, way, true)
        : this.wait(host, handle, true));
      const busy = answer.problem?.code === "plasm-busy";
      if (!busy && isEnd(answer)) return answer;
      if (busy) await sleep(20);
      way.handle ??= /^wait\((\w+)\)/.exec(answer.text)?.[1] ?? null;
    }
    throw new Error("a run did not end");
  }

  /** Kills a host in a run, lets others go on with it, and judges what is told of it and what happened. */
  async strike(strike: Strike): Promise<StrikeOutcome> {
    const { death, mode, recovery, again } = strike;
    if (recovery === "take over") this.#turn = 1 - this.#turn;
    const asked = await this.hosts.at(this.#turn);
    if (recovery === "take over") await this.hosts.at(1 - this.#turn);
    const way = await this.prepare(asked);
    const killed = await this.#killIn(death, way, () => this.send(asked, way, mode === "waited"));
    const faults: string[] = [];
    if (recovery === "take over") faults.push(...(await this.#heldBack(death, way)));
    await this.hosts.leasesLapse();
    let kills = 1;
    if (recovery === "restart") await this.hosts.at(killed);
    if (again !== null) {
      await sleep(again * this.#runMs);
      await this.hosts.kill(killed);
      await this.hosts.leasesLapse();
      kills += 1;
    }
    const host = this.hosts.up[0]?.[1] ?? (await this.hosts.at(killed));
    const answer = await this.end(host, way);
    const judgement = await this.judge(answer.text, way);
    const { done, doubtful } = judgement;
    if (again === null && !mayStand(death, { done, doubtful })) {
      faults.push(`${done} done, ${doubtful} in doubt`);
    }
    faults.push(...judgement.faults, ...(await this.#toldAlike(way, answer)));
    const shown = faults.map((fault) => `${strikeText(strike)}: ${fault}\n${headOf(answer)}`);
    return { ...judgement, faults: shown, kills };
  }

  /** The handles of all that was accepted that answer otherwise than they did, or not at all. */
  async unanswered(): Promise<readonly string[]> {
    const host = await this.hosts.at(0);
    const lost: string[] = [];
    for (const [handle, text] of this.#told) {
      if ((await this.wait(host, handle, false)).text !== text) lost.push(handle);
    }
    return lost;
  }

  get handles(): number {
    return this.#told.size;
  }

  /** Starts a run and kills a host at the appointed time; gives its place. */
  async #killIn(death: Death, way: UnderWay, start: () => Promise<HostAnswer>): Promise<number> {
    const { hosts, harbour } = this;
    const begin = (): Promise<void> =>
      start().then(({ text }) => {
        way.handle ??= /^wait\((\w+)\)/.exec(text)?.[1] ?? null;
      });
    const place = await inTime(deathText(death), this.#comeTo(death, begin));
    await hosts.kill(place);
    if (death.by === "hold") await harbour.release();
    await hosts.stopAt(null);
    return place;
  }

  /** Lets a run come to where it is to die; gives the place of the host that runs it. */
  async #comeTo(death: Death, begin: () => Promise<void>): Promise<number> {
    const { hosts, harbour } = this;
    switch (death.by) {
      case "stop": {
        await hosts.stopAt(death.point);
        const accepted = begin();
        const place = await Promise.race(
          hosts.up.map(([at, host]) => host.stopped.then((): number => at)),
        );
        await Promise.race([accepted, sleep(HANDLE_MS)]);
        return place;
      }
      case "hold": {
        harbour.hold(death.hold);
        const accepted = begin();
        const place = await harbour.held;
        await Promise.race([accepted, sleep(HANDLE_MS)]);
        return place;
      }
      case "clock":
        void begin();
        await sleep(death.part * this.#runMs);
        return (this.#replicas ? harbour.lastDoor : null) ?? this.#turn;
    }
  }

  /** Nobody can know yet how the run ended: nothing is told, and nothing is sent (OPS-31). */
  async #heldBack(death: Death, way: UnderWay): Promise<readonly string[]> {
    const [survivor] = this.hosts.up;
    // On one data directory the system says at once who is dead.
    if (!this.#replicas || survivor === undefined || !leavesRun(death)) return [];
    const sent = this.harbour.performed().join();
    let told = false;
    void this.send(survivor[1], way, true).then(() => (told = true));
    await sleep(WATCH_MS);
    const again = this.harbour.performed().join();
    return [
      ...(told ? ["told before its lease"] : []),
      ...(again === sent ? [] : ["sent too early"]),
    ];
  }

  /** Once told it stays so, on every host, by ref and by handle; and nothing is sent any more. */
  async #toldAlike(way: UnderWay, answer: HostAnswer): Promise<readonly string[]> {
    const faults: string[] = [];
    const sent = this.harbour.performed().join();
    const text = withoutNote(answer);
    for (const [place, host] of this.hosts.up) {
      const again = await this.send(host, way, true);
      if (withoutNote(again) !== text) faults.push(`host ${place} tells otherwise: ${again.text}`);
      if (way.handle === null) continue;
      const waited = await this.wait(host, way.handle, false);
      if (waited.text !== text) faults.push(`${way.handle} answers otherwise: ${waited.text}`);
    }
    if (way.handle !== null) this.#told.set(way.handle, text);
    if (this.harbour.performed().join() !== sent) faults.push("sent after the end");
    return faults;
  }
}

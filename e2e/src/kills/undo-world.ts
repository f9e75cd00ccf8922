import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { berthsCatalog } from "@plasm/testkit";
import { type Berths, makeBerths, startServer, type TestServer } from "@plasm/testkit/servers";
import { deferred, type Deferred } from "../harness/deferred.ts";
import { Hosts } from "./hosts.ts";
import type { HostAnswer } from "./protocol.ts";

/** Where a host dies: at a request of a run, or of its undo. */
export interface UndoKill {
  readonly of: "run" | "undo";
  /** counted from 1 among the requests of that */
  readonly request: number;
  /** before it is performed, before its answer leaves, or so many ms after that */
  readonly when: "arrived" | "performed" | number;
}

export const undoKillText = ({ of, request, when }: UndoKill): string =>
  `${of} at request ${request}, ${typeof when === "number" ? `${when} ms after it` : when}`;

const ROWS = ["a", "b", "c", "d"];

/** Effects of every kind that can be taken back, some on one row. */
const PROGRAM = `Berth.dig(id="n", name="New", depth=2)
Berth("a").update(name="A", depth=9.5, tags=[])
Berth("b").take()
Berth("a").update(name="A 2")
Berth("c").fill()
Berth("d").label(text="D")
Berth("n").update(name="Newer")`;

const EFFECTS = PROGRAM.split("\n").length;

/** One more than a run or its undo sends: then nobody dies. */
export const UNDO_REQUESTS = 14;

const PATIENCE_MS = 120_000;

interface Watch {
  readonly kill: UndoKill;
  readonly reached: Deferred;
  seen: number;
}

interface Effect {
  readonly seq: number;
  readonly capability: string;
  readonly target: string | null;
  readonly status: string;
}

const effectsIn = ({ meta }: HostAnswer): readonly Effect[] =>
  (meta["effects"] ?? []) as unknown as readonly Effect[];

function refIn({ meta, text }: HostAnswer, name: string): string {
  const ref = meta[name];
  if (typeof ref !== "string") throw new Error(text);
  return ref;
}

const rowsOf = (berths: Berths): ReadonlyMap<string, string> =>
  new Map(
    (JSON.parse(berths.dump()) as { id: string }[]).map((row) => [row.id, JSON.stringify(row)]),
  );

/** Whether an answer is the end of a run, and not that it goes on. */
const isEnd = ({ text, problem }: HostAnswer): boolean =>
  !text.startsWith("wait(") && problem?.code !== "plasm-busy";

/** Hosts that die while they change berths, or take that back; the API is not theirs and lives on. */
export class UndoWorld {
  readonly #dir: string;
  readonly #server: TestServer;
  readonly #hosts: Hosts;
  #berths: Berths = makeBerths(ROWS);
  #watch: Watch | null = null;
  #sessions = 0;

  private constructor(dir: string, server: TestServer) {
    this.#dir = dir;
    this.#server = server;
    const [dataDir, catalog] = [join(dir, "data"), join(dir, "berths")];
    this.#hosts = new Hosts([{ dataDir, catalog, quay: server.url, databaseUrl: null }]);
  }

  static async open(): Promise<UndoWorld> {
    const dir = await mkdtemp(join(tmpdir(), "plasm-undo-"));
    await mkdir(join(dir, "data"));
    await mkdir(join(dir, "berths"));
    await writeFile(join(dir, "berths", "domain.yaml"), berthsCatalog.domain);
    await writeFile(join(dir, "berths", "mappings.yaml"), berthsCatalog.mappings);
    let world: UndoWorld | null = null;
    const server = await startServer((request) => world?.answer(request) ?? { status: 503 });
    world = new UndoWorld(dir, server);
    return world;
  }

  async close(): Promise<void> {
    await this.#hosts.end();
    await this.#server.close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  /** Answers a request, or lets who sent it die at it. */
  answer({
    method,
    path,
    query,
    body,
  }: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
    readonly body: string;
  }) {
    const watch = this.#watch;
    if (watch !== null) watch.seen += 1;
    const isIt = watch !== null && watch.seen === watch.kill.request;
    if (isIt) watch.reached.resolve();
    // Who asked is dead before there is an answer.
    const never = new Promise<never>(() => undefined);
    if (isIt && watch.kill.when === "arrived") return never;
    const reply = this.#berths.answer(method, path, query, body);
    return isIt && watch.kill.when === "performed" ? never : reply;
  }

  /** Does it, kills who does at the appointed request, and gives how it ended in the end. */
  async #dying(
    ref: string,
    program: string,
    commit: string,
    kill: UndoKill | null,
  ): Promise<HostAnswer> {
    const host = await this.#hosts.at(0);
    const run = () => ({ call: "run", ref, program, commit, wait: true }) as const;
    this.#watch = kill === null ? null : { kill, reached: deferred(), seen: 0 };
    const first = host.ask(run());
    const reached = this.#watch?.reached.promise ?? new Promise<never>(() => undefined);
    const answered = await Promise.race([first, reached.then(() => null)]);
    if (answered !== null && isEnd(answered)) {
      this.#watch = null;
      return answered;
    }
    if (typeof kill?.when === "number") await sleep(kill.when);
    await this.#hosts.kill(0);
    this.#watch = null;
    await this.#hosts.leasesLapse();
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      const answer = await (await this.#hosts.at(0)).ask(run());
      if (isEnd(answer)) return answer;
      await sleep(50);
    }
    throw new Error(`${program} did not end`);
  }

  async #planned(ref: string, program: string): Promise<HostAnswer> {
    return (await this.#hosts.at(0)).ask({ call: "plan", ref, program });
  }

  /**
   * Runs effects and takes them back, in spite of a death in each that is named. What is told has to be so: a row that is not as
   * it was before has an effect that is told to be in doubt, or that its undo was refused. Gives what is not so.
   */
  async strike(kills: readonly UndoKill[]): Promise<readonly string[]> {
    this.#berths = makeBerths(ROWS);
    const before = rowsOf(this.#berths);
    this.#sessions += 1;
    const request = {
      intent: `undo ${this.#sessions}`,
      seeds: [{ api: "berths", entity: "Berth" }],
      notation: "names",
    } as const;
    const opened = await (await this.#hosts.at(0)).ask({ call: "context", request });
    const ref = refIn(opened, "logical_session_ref");
    const planned = await this.#planned(ref, PROGRAM);
    const commit = refIn(planned, "plan_commit_ref");
    const killOf = (of: UndoKill["of"]) => kills.find((one) => one.of === of) ?? null;
    const answers = [await this.#dying(ref, PROGRAM, commit, killOf("run"))];
    for (let round = 0; round < 3; round += 1) {
      const again = await this.#planned(ref, `undo(${commit})`);
      if (again.problem !== null) break;
      const by = refIn(again, "plan_commit_ref");
      const kill = round === 0 ? killOf("undo") : null;
      answers.push(await this.#dying(ref, `undo(${commit})`, by, kill));
    }
    answers.push(...(await this.#others(ref, commit)));
    return this.#judge(before, answers).map(
      (fault) =>
        `${kills.map(undoKillText).join(" and ")}: ${fault}\n${answers.map(({ text }) => text).join("\n--\n")}`,
    );
  }

  /** What a refused step keeps from being undone is undone by its number. */
  async #others(ref: string, commit: string): Promise<readonly HostAnswer[]> {
    const answers: HostAnswer[] = [];
    for (let seq = EFFECTS; seq > 0; seq -= 1) {
      const program = `undo(${commit}, ${seq})`;
      const planned = await this.#planned(ref, program);
      if (planned.problem !== null) continue;
      const by = refIn(planned, "plan_commit_ref");
      answers.push(await this.#dying(ref, program, by, null));
    }
    return answers;
  }

  #judge(before: ReadonlyMap<string, string>, answers: readonly HostAnswer[]): readonly string[] {
    const open = new Set<string>();
    for (const effect of answers.flatMap(effectsIn)) {
      // What a create makes has no target before it is answered.
      const id = effect.target?.slice("Berth:".length) ?? "n";
      if (effect.status === "in_doubt") open.add(id);
    }
    const after = rowsOf(this.#berths);
    const ids = new Set([...before.keys(), ...after.keys()]);
    const changed = [...ids].filter((id) => before.get(id) !== after.get(id) && !open.has(id));
    const offered = answers
      .slice(0, 1)
      .filter(
        ({ text, problem }) => problem !== null && / done /u.test(text) && !text.includes("undo("),
      );
    return [
      ...changed.map(
        (id) => `${id} is ${after.get(id)}, was ${before.get(id)}, and nothing is told of it`,
      ),
      ...offered.map(() => "a run that failed after an effect does not offer its undo"),
      ...(answers.length === 1 && open.size === 0 ? ["nothing was undone"] : []),
    ];
  }
}

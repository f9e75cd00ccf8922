import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { WorldTokens } from "../tasks/peer-tokens.ts";
import type { PairResult } from "./pair.ts";
import type { GeneratedCost } from "./economy/generated-tools.ts";
import type { TaskCost } from "./economy/measure-economy.ts";
import type { NotationCost } from "./economy/notation-costs.ts";
import type { SessionCost } from "./economy/session-costs.ts";
import type { TableCost } from "./economy/table-costs.ts";
import type { Growth } from "./growth.ts";
import type { GoalFigures, MeasuredGoals } from "./goals/measure-goals.ts";
import type { ManyRows } from "./many-rows.ts";
import type { LoadResult } from "./operations/measure-load.ts";
import type { TaskSetCost } from "./task-sets/measure-task-sets.ts";
import type { PeerTokens } from "./peers/measure-peers.ts";
import type { SideSessions } from "./peers/measure-sessions.ts";
import type { SideStart } from "./peers/measure-starts.ts";
import type { AddedTime } from "./peers/measure-times.ts";
import type { OpenResult } from "./sessions/measure-open.ts";
import type { WavesResult } from "./sessions/measure-waves.ts";

/** A published result: the figures, and the code they speak of. */
export interface ResultFile {
  readonly name: string;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly seed: number | null;
  readonly machine: {
    readonly node: string;
    readonly cpus: number;
    /** of the last minute, this work included: far more than `cpus` says that others worked there, too */
    readonly load_average: number;
  };
  readonly pairs?: readonly PairResult[];
  readonly growths?: readonly Growth[];
  readonly costs?: readonly TaskCost[];
  readonly tables?: readonly TableCost[];
  readonly notations?: readonly NotationCost[];
  readonly session?: readonly SessionCost[];
  readonly generated?: GeneratedCost;
  readonly loads?: readonly LoadResult[];
  readonly many?: readonly ManyRows[];
  readonly waves?: WavesResult;
  readonly open?: OpenResult;
  readonly peers?: PeerTokens;
  readonly added?: readonly AddedTime[];
  readonly fresh?: readonly AddedTime[];
  readonly starts?: readonly SideStart[];
  readonly held?: readonly SideSessions[];
  readonly task_sets?: readonly TaskSetCost[];
  readonly task_tokens?: readonly WorldTokens[];
  readonly goals?: Pick<MeasuredGoals, "catalogs" | "seen" | "unseen"> & {
    /** goals that speak of several things, and how many are taught all of them, with their API named */
    readonly several: { readonly goals: number; readonly taught_named: number };
    /** goals on APIs that nothing was made for, among all catalogs */
    readonly control: GoalFigures;
  };
}

/** The figures of a result: pairs, work at growing sizes, the requests of tasks, or loads. */
export type Figures = Pick<
  ResultFile,
  | "pairs"
  | "growths"
  | "costs"
  | "tables"
  | "notations"
  | "session"
  | "generated"
  | "loads"
  | "many"
  | "waves"
  | "open"
  | "peers"
  | "added"
  | "fresh"
  | "starts"
  | "held"
  | "task_sets"
  | "task_tokens"
  | "goals"
>;

const round = (value: number): number => Number(value.toPrecision(4));

const headCommit = (): string =>
  execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();

const PAGE_SCRIPT = fileURLToPath(new URL("../../scripts/benchmarks-page.mjs", import.meta.url));

/** Writes a result under bench/results/, with the commit it was made at, and docs/benchmarks.md. */
export function writeResult(name: string, paths: readonly string[], figures: Figures): string {
  const file: ResultFile = {
    name,
    commit: headCommit(),
    paths,
    seed: null,
    machine: { node: process.version, cpus: cpus().length, load_average: loadavg()[0] ?? 0 },
    ...rounded(figures),
  };
  const dir = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(dir, { recursive: true });
  const path = `${dir}${name}.json`;
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  // Figures and the page that shows them are committed together: a test compares them. What keeps the page
  // from being written is said, and does not take the figures along.
  spawnSync(process.execPath, [PAGE_SCRIPT], { stdio: "inherit" });
  return path;
}

/** Counts as they are, four digits of every other figure: more would be noise. */
const rounded = (figures: Figures): Figures =>
  JSON.parse(
    JSON.stringify(figures, (_key, value: unknown) =>
      typeof value === "number" && !Number.isInteger(value) ? round(value) : value,
    ),
  ) as Figures;

/** The figures as lines a reader compares at a glance. */
export function resultTable(pairs: readonly PairResult[]): string {
  return pairs
    .map((pair) => {
      const ratio = `${round(pair.ratio)}x`.padStart(9);
      const ms = `${round(pair.ours_ms)} ms / ${round(pair.base_ms)} ms`.padEnd(26);
      return `${ratio}  ${ms}  ${pair.name}: ${pair.ours} / ${pair.base}`;
    })
    .join("\n");
}

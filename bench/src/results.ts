import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { PairResult } from "./pair.ts";

/** A published result: the figures, and the code they speak of. */
export interface ResultFile {
  readonly name: string;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly seed: number | null;
  readonly machine: { readonly node: string; readonly cpus: number };
  readonly pairs: readonly PairResult[];
}

const round = (value: number): number => Number(value.toPrecision(4));

const headCommit = (): string =>
  execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();

/** Writes a result under bench/results/, with the commit it was made at. */
export function writeResult(
  name: string,
  paths: readonly string[],
  pairs: readonly PairResult[],
): string {
  const file: ResultFile = {
    name,
    commit: headCommit(),
    paths,
    seed: null,
    machine: { node: process.version, cpus: cpus().length },
    pairs: pairs.map((pair) => ({
      ...pair,
      ours_ms: round(pair.ours_ms),
      base_ms: round(pair.base_ms),
      ratio: round(pair.ratio),
    })),
  };
  const dir = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(dir, { recursive: true });
  const path = `${dir}${name}.json`;
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  return path;
}

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

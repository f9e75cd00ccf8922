import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What a run over many small rows took. */
export interface ManyRows {
  readonly name: string;
  readonly program: string;
  readonly rows: number;
  /** of what the process may have, in MB */
  readonly heap_limit_mb: number;
  /** how much more memory the process had at most than after a small run, in MB */
  readonly grown_mb: number;
  /** the most that was in its heap, garbage included, in MB */
  readonly heap_mb: number;
  readonly cpu_seconds: number;
}

const PROGRAMS = [
  [
    "filter, sort by two keys",
    "Parcel{size > 100}.sort(size desc, name).limit(100)[id, size, name]",
  ],
  ["filter, group", "Parcel{size > 100}.group_by(owner, n=count, total=sum(size), last=max(day))"],
  ["sort, join", "Parcel.sort(size desc, name)[id, size, owner.city].limit(100)"],
] as const;

const FROM_SOURCE = "--conditions=@plasm/source";
const HEAP_LIMIT_MB = 600;
const MIB = 1024 * 1024;

const inPackages = (path: string): string =>
  fileURLToPath(new URL(`../../packages/${path}`, import.meta.url));
const API = inPackages("testkit/src/servers/parcels-api.ts");
const PROGRAM = inPackages("runtime/src/testing/many-rows.ts");

interface Ran {
  readonly grown: number;
  readonly heap: number;
  readonly cpuMs: number;
  readonly failed: readonly string[];
}

/**
 * Runs programs over so many rows of an API, which is a process of its own, each in a fresh process; `done` is told of
 * all so far after each of them. Whether they are right, `packages/runtime/src/run/many-rows.test.ts` shows.
 */
export async function measureManyRows(
  rows: number,
  done: (all: readonly ManyRows[]) => void,
): Promise<readonly ManyRows[]> {
  const directory = mkdtempSync(join(tmpdir(), "plasm-rows-"));
  const api = fork(API, [String(rows)], { execArgv: [FROM_SOURCE] });
  const [url] = (await once(api, "message")) as [string];
  const all: ManyRows[] = [];
  try {
    for (const [name, program] of PROGRAMS) {
      const args = [`--max-old-space-size=${HEAP_LIMIT_MB}`, FROM_SOURCE, PROGRAM];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...args, url, program, directory],
        { maxBuffer: 64 * MIB },
      );
      const { grown, heap, cpuMs, failed } = JSON.parse(stdout) as Ran;
      if (failed.length > 0) throw new Error(`${name} failed: ${failed.join("; ")}`);
      all.push({
        name,
        program,
        rows,
        heap_limit_mb: HEAP_LIMIT_MB,
        grown_mb: Math.round(grown / MIB),
        heap_mb: Math.round(heap / MIB),
        cpu_seconds: Math.round(cpuMs / 1_000),
      });
      done(all);
    }
    return all;
  } finally {
    api.disconnect();
    rmSync(directory, { recursive: true });
  }
}

/** A line for each program. */
export const manyRowsText = (all: readonly ManyRows[]): string =>
  all
    .map(
      ({ name, rows, grown_mb: grown, heap_mb: heap, cpu_seconds: cpu }) =>
        `${name}: ${rows} rows, ${grown} MB more than idle (heap ${heap} MB), ${cpu} s of CPU`,
    )
    .join("\n");

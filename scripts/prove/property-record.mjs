import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";

/** What was tried so far; nothing if the file is not there. */
export const readRecord = (path) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).chunks ?? []) : [];

/**
 * The sums of all chunks by property, in the order of `known`. A seed that failed counts as failed until a
 * later chunk of that seed holds.
 */
export const totalsOf = (chunks, known) =>
  known.map(({ key, says, goal }) => {
    const own = chunks.filter(({ property }) => property === key);
    const last = new Map(own.map((chunk) => [chunk.seed, chunk]));
    const sum = (name) => own.reduce((total, chunk) => total + chunk[name], 0);
    const [runs, ms] = [sum("runs"), sum("ms")];
    return {
      property: key,
      says,
      goal,
      runs,
      seeds: last.size,
      microseconds: runs === 0 ? null : Math.round((ms * 1000) / runs),
      holds: [...last.values()].every(({ failure }) => failure === undefined),
    };
  });

/** Adds a chunk to what the file holds now, so that several invocations add up. */
export const appendChunk = (path, chunk, known, paths) => {
  const chunks = [...readRecord(path), chunk];
  const record = {
    name: "properties",
    commit: chunk.commit,
    paths,
    machine: { node: process.version, cpus: availableParallelism() },
    totals: totalsOf(chunks, known),
    chunks,
  };
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(draft, path);
};

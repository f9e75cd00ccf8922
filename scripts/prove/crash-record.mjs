import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";

/** Kills that are due on each store, and into how many parts the list of them is cut. */
export const GOALS = Object.freeze({
  sqlite: { kills: 270, parts: 20 },
  postgres: { kills: 60, parts: 8 },
});

/** The sources that the proof speaks of. */
const PATHS = ["packages/agent-core/src", "packages/runtime/src", "packages/store/src"];

const SUMS = [
  "kills",
  "boundary",
  "random",
  "duplicates",
  "lost",
  "unreported",
  "unreviewed",
  "handles",
  "unanswered",
  "done",
  "doubtful",
];

/** What was done so far; nothing if the file is not there. */
export const readParts = (path) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).parts ?? []) : [];

/** The last of each part: one that failed counts as failed until it is done again and holds. */
const lastOf = (parts, store) => {
  const own = parts.filter((part) => part.store === store);
  return [...new Map(own.map((part) => [part.part, part])).values()];
};

/** The parts of a store that nobody has done, or that failed. */
export const missingParts = (parts, store) => {
  const done = new Set(
    lastOf(parts, store)
      .filter(({ faults }) => faults.length === 0)
      .map(({ part }) => part),
  );
  const all = Array.from({ length: GOALS[store].parts }, (_, part) => part);
  return all.filter((part) => !done.has(part)).map((part) => ({ store, part }));
};

/** The sums of a store over the last of each part. */
export const totalsOf = (parts) =>
  Object.entries(GOALS).map(([store, { kills: goal, parts: due }]) => {
    const last = lastOf(parts, store);
    const sums = SUMS.map((name) => [name, last.reduce((sum, part) => sum + part[name], 0)]);
    const total = Object.fromEntries(sums);
    const faults = last.reduce((sum, part) => sum + part.faults.length, 0);
    const whole = last.length === due && total.kills >= goal;
    return { store, goal, ...total, faults, holds: whole && faults === 0 && isClean(total) };
  });

const isClean = ({ duplicates, lost, unreported, unreviewed, unanswered }) =>
  duplicates + lost + unreported + unreviewed + unanswered === 0;

/** Adds a part to what the file holds now, so that several invocations add up. */
export const appendPart = (path, part) => {
  const parts = [...readParts(path), part];
  const record = {
    name: "crashes",
    commit: part.commit,
    paths: PATHS,
    machine: { node: process.version, cpus: availableParallelism() },
    totals: totalsOf(parts),
    parts,
  };
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(draft, path);
};

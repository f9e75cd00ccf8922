import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";

/** What is to be proved of replicas, each part in a process of its own. */
export const PARTS = Object.freeze(["alternate", "kills", "crowd"]);

/** The sources that the proof speaks of. */
const PATHS = [
  "packages/core/src",
  "packages/agent-core/src",
  "packages/store/src",
  "packages/host/src",
  "apps/mcp/src",
  "apps/http/src",
];

/** What was done so far, the last of each part; nothing if the file is not there. */
export const readParts = (path) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).parts ?? []) : [];

/** Parts that nobody has done, or that failed. */
export const missingParts = (parts) => {
  const held = parts.filter(({ faults }) => faults.length === 0).map(({ part }) => part);
  return PARTS.filter((part) => !held.includes(part));
};

/** Puts a part in the place of what was done of it before. */
export const putPart = (path, done) => {
  const others = readParts(path).filter(({ part }) => part !== done.part);
  const order = ({ part }) => PARTS.indexOf(part);
  const parts = [...others, done].sort((one, other) => order(one) - order(other));
  const record = {
    name: "replicas",
    command: "node scripts/prove-replicas.mjs",
    commit: done.commit,
    paths: PATHS,
    machine: { node: process.version, cpus: availableParallelism() },
    parts,
  };
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(draft, path);
};

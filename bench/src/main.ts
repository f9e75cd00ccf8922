import { auditLogText, measureAuditLog } from "./audit-log.ts";
import { corePairs } from "./core-pairs.ts";
import { decodePairs } from "./decode-pairs.ts";
import { ECONOMY_TASKS } from "./economy/economy-tasks.ts";
import { economyTable, measureEconomy } from "./economy/measure-economy.ts";
import { generatedText, measureGenerated } from "./economy/generated-tools.ts";
import { tokenCounter } from "@plasm/agent-core/internal";
import { controlCatalogs, goalCatalogs } from "./goals/goal-catalogs.ts";
import {
  goalsTable,
  measureGoals,
  missesText,
  readGoals,
  readGoalsOfSeveral,
  sumOf,
  taughtOf,
} from "./goals/measure-goals.ts";
import { measureSession, sessionText } from "./economy/session-costs.ts";
import { measureNotations, notationsText } from "./economy/notation-costs.ts";
import { measureTables, tablesText } from "./economy/table-costs.ts";
import { endToEndPairs } from "./end-to-end.ts";
import { loadPairs } from "./load-pairs.ts";
import { loadTable } from "./operations/load-table.ts";
import { type ManyRows, manyRowsText, measureManyRows } from "./many-rows.ts";
import { type LoadResult, measureLoad } from "./operations/measure-load.ts";
import { operationPairs } from "./operations/operation-pairs.ts";
import { type MeasureOptions, measureInTurn, measurePairs, type Pair } from "./pair.ts";
import { benchPeers, benchPeerTimes } from "./peers/bench-peers.ts";
import { resultTable, writeResult } from "./results.ts";
import { measureOpen } from "./sessions/measure-open.ts";
import { measureWaves } from "./sessions/measure-waves.ts";
import { openText, wavesText } from "./sessions/sessions-text.ts";
import { LARGE, largeRowPairs, rowPairs } from "./row-pairs.ts";
import { startPairs } from "./start-pairs.ts";
import { measureTaskSets, taskSetsText } from "./task-sets/measure-task-sets.ts";
import { tracingPairs } from "./tracing-pairs.ts";
import { measureWork, workTable } from "./work.ts";
import { ENGINE_WORKS } from "./engine-growth.ts";
import { growthTable, measureGrowth, tooFast } from "./growth.ts";

const TIME_MS = 1_000;

const WHOLE = [
  "packages/core/src",
  "packages/runtime/src",
  "packages/agent-core/src",
  "packages/store/src",
];

async function core(): Promise<void> {
  const pairs = await measurePairs(corePairs(), { time: TIME_MS });
  writeResult("core", ["packages/core/src"], { pairs });
  console.log(resultTable(pairs));
}

async function rows(): Promise<void> {
  const pairs = [
    ...(await measurePairs(rowPairs(), { time: TIME_MS })),
    ...measureInTurn(largeRowPairs(LARGE), 9),
  ];
  writeResult("rows", ["packages/core/src", "packages/runtime/src/rows"], { pairs });
  console.log(resultTable(pairs));
}

async function decode(): Promise<void> {
  const pairs = await measurePairs(decodePairs(), { time: TIME_MS, iterations: 10 });
  writeResult("decode", ["packages/runtime/src/decode"], { pairs });
  console.log(resultTable(pairs));
}

async function load(): Promise<void> {
  const loading = await loadPairs();
  try {
    const pairs = await measurePairs(loading.pairs, { time: TIME_MS, iterations: 10 });
    writeResult("load", ["packages/core/src", "packages/runtime/src/registry"], { pairs });
    console.log(resultTable(pairs));
  } finally {
    loading.close();
  }
}

/** Twenty starts of each; what a start runs is in every room. */
async function start(): Promise<void> {
  const { pairs: all, close } = startPairs();
  try {
    const pairs = await measurePairs(all, { time: 1, iterations: 20 });
    writeResult(
      "start",
      [...WHOLE, "packages/host/src", "apps/mcp/src", "apps/cli/src", "tooling/bundle"],
      { pairs },
    );
    console.log(resultTable(pairs));
  } finally {
    close();
  }
}

async function growth(): Promise<void> {
  const growths = await measureGrowth({ time: TIME_MS / 2 }, ENGINE_WORKS);
  writeResult("growth", WHOLE, { growths });
  console.log(growthTable(growths));
  const over = tooFast(growths).length;
  if (over > 0) throw new Error(`${over} of ${growths.length} grow faster than they may`);
}

/** Requests of tasks; tokens of tables, of sessions, and of another generator's tools. */
async function economy(): Promise<void> {
  const { costs } = await measureEconomy(ECONOMY_TASKS);
  const tables = await measureTables();
  const session = await measureSession();
  const generated = await measureGenerated();
  const paths = [
    "packages/core/src",
    "packages/runtime/src",
    "packages/agent-core/src",
    "catalogs",
  ];
  writeResult("economy", paths, { costs, tables, session, generated });
  const github = tables.find(({ catalog }) => catalog === "github");
  const texts = [
    economyTable(costs),
    tablesText(tables),
    sessionText(session),
    generatedText(generated, github?.rows ?? 0),
  ];
  console.log(texts.join("\n\n"));
}

/** Pairs that need servers, which end with them. */
async function served(
  name: string,
  open: () => Promise<{ readonly pairs: readonly Pair[]; close(): Promise<void> }>,
  options: MeasureOptions,
  paths: readonly string[] = WHOLE,
): Promise<void> {
  const { pairs: all, close } = await open();
  try {
    const pairs = await measurePairs(all, options);
    writeResult(name, paths, { pairs });
    console.log(resultTable(pairs));
  } finally {
    await close();
  }
}

/** 500 operations of 10 steps at the same time, on one process and on two replicas. */
async function manyOperations(): Promise<void> {
  const load = { operations: 500, steps: 10, stepMs: 4_000, rampMs: 20_000 };
  const loads: LoadResult[] = [];
  for (const on of [
    { store: "sqlite", servers: 1 } as const,
    { store: "postgres", servers: 2 } as const,
  ]) {
    loads.push(await measureLoad({ ...load, ...on }));
    writeResult(
      "many-operations",
      [...WHOLE, "packages/host/src", "apps/http/src", "apps/mcp/src"],
      { loads },
    );
  }
  console.log(loadTable(loads));
}

/** A million small rows in one run. */
async function manyRows(): Promise<void> {
  const write = (many: readonly ManyRows[]): void => {
    writeResult("many-rows", ["packages/runtime/src"], { many });
  };
  console.log(manyRowsText(await measureManyRows(1_000_000, write)));
}

/** Sessions of 100 waves over 300 entities of five catalogs. */
async function sessionWaves(): Promise<void> {
  const sizes = { catalogs: 5, entities: 60, perWave: 3, sessions: 5, block: 10 };
  const waves = await measureWaves(sizes);
  writeResult("session-waves", WHOLE, { waves });
  console.log(wavesText(waves));
}

/** 20,000 open sessions in SQLite. */
async function openSessions(): Promise<void> {
  const open = await measureOpen({ sessions: 20_000, called: 1_000 });
  writeResult("open-sessions", [...WHOLE, "apps/http/src"], { open });
  console.log(openText(open));
}

/** 600 goals as people say them, over 40 catalogs; with PLASM_MISSES=1 those of the half for tuning that were missed. */
async function goals(): Promise<void> {
  const all = await goalCatalogs();
  const measured = measureGoals(all, await tokenCounter());
  const { seen, unseen, catalogs } = measured;
  const told = readGoalsOfSeveral();
  const several = { goals: told.length, taught_named: taughtOf(told, all) };
  const among = [...all, ...(await controlCatalogs())];
  const last = measureGoals(among, await tokenCounter(), readGoals("control"));
  const control = sumOf(last.seen, last.unseen);
  writeResult("goals", ["packages/core/src/discovery"], {
    goals: { catalogs, seen, unseen, several, control },
  });
  console.log(`control: ${goalsTable(last)}`);
  console.log(goalsTable(measured));
  console.log(
    `of several things, taught all, API named\t${several.taught_named} of ${several.goals}`,
  );
  if (process.env["PLASM_MISSES"] === "1") console.log(missesText(measured));
}

/** The task sets that come with the program, in every form, by scripts that make no mistake; the program has to be built. */
async function taskSets(): Promise<void> {
  const task_sets = await measureTaskSets();
  writeResult("task-sets", ["packages/core/src", "packages/eval/src", "apps/cli/tasks"], {
    task_sets,
  });
  console.log(taskSetsText(task_sets));
}

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  core,
  rows,
  decode,
  load,
  start,
  growth,
  goals,
  economy,
  "end-to-end": () => served("end-to-end", endToEndPairs, { time: 2 * TIME_MS }),
  operations: () => served("operations", operationPairs, { time: TIME_MS / 2, iterations: 20 }),
  tracing: () =>
    served("tracing", tracingPairs, { time: 2 * TIME_MS, iterations: 20 }, [
      ...WHOLE,
      "packages/host/src",
      "apps/mcp/src",
    ]),
  "many-operations": manyOperations,
  "many-rows": manyRows,
  work: async () => console.log(workTable(await measureWork(2_000))),
  "audit-log": async () => console.log(auditLogText(await measureAuditLog(200_000))),
  notations: async () => {
    const notations = await measureNotations();
    writeResult("notations", ["packages/core/src", "catalogs"], { notations });
    console.log(notationsText(notations));
  },
  "session-waves": sessionWaves,
  "task-sets": taskSets,
  "open-sessions": openSessions,
  peers: benchPeers,
  "peer-times": benchPeerTimes,
};

/** `bench [NAME...]`: those named, else all. */
const named = process.argv.slice(2);
const unknown = named.filter((name) => BENCHES[name] === undefined);
if (unknown.length > 0) {
  console.error(
    `No benchmark ${unknown.join(", ")}. There are: ${Object.keys(BENCHES).join(", ")}.`,
  );
  process.exitCode = 2;
} else {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (named.length === 0 || named.includes(name)) await bench();
  }
}

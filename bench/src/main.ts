import { corePairs } from "./core-pairs.ts";
import { decodePairs } from "./decode-pairs.ts";
import { ECONOMY_TASKS } from "./economy/economy-tasks.ts";
import { economyTable, measureEconomy } from "./economy/measure-economy.ts";
import { endToEndPairs } from "./end-to-end.ts";
import { loadPairs } from "./load-pairs.ts";
import { measurePairs } from "./pair.ts";
import { resultTable, writeResult } from "./results.ts";
import { rowPairs } from "./row-pairs.ts";
import { growthTable, measureGrowth } from "./growth.ts";

const TIME_MS = 1_000;

const core = await measurePairs(corePairs(), { time: TIME_MS });
writeResult("core", ["packages/core/src"], { pairs: core });
console.log(resultTable(core));

const rows = await measurePairs(rowPairs(), { time: TIME_MS });
writeResult("rows", ["packages/core/src", "packages/runtime/src/rows"], { pairs: rows });
console.log(resultTable(rows));

const decoding = await measurePairs(decodePairs(), { time: TIME_MS, iterations: 10 });
writeResult("decode", ["packages/runtime/src/decode"], { pairs: decoding });
console.log(resultTable(decoding));

const loading = await loadPairs();
try {
  const pairs = await measurePairs(loading.pairs, { time: TIME_MS, iterations: 10 });
  writeResult("load", ["packages/core/src", "packages/runtime/src/registry"], { pairs });
  console.log(resultTable(pairs));
} finally {
  loading.close();
}

const growths = await measureGrowth({ time: TIME_MS / 2 });
writeResult("growth", ["packages/core/src"], { growths });
console.log(growthTable(growths));

const { costs } = await measureEconomy(ECONOMY_TASKS);
const economical = ["packages/core/src", "packages/runtime/src", "packages/agent-core/src"];
writeResult("economy", economical, { costs });
console.log(economyTable(costs));

const { pairs, close } = await endToEndPairs();
try {
  const whole = await measurePairs(pairs, { time: 2 * TIME_MS });
  const paths = [
    "packages/core/src",
    "packages/runtime/src",
    "packages/agent-core/src",
    "packages/store/src",
  ];
  writeResult("end-to-end", paths, { pairs: whole });
  console.log(resultTable(whole));
} finally {
  await close();
}

/**
 * One part of the long form: `main.ts PART WHAT SEED COUNT [SECONDS]`: `kills sqlite 7 100`,
 * `outage "disk is full" 7 10`, `loop "pages of 10 MB" 7 20`, `crowd postgres 7 500`, `big operations 7 32`, `soak sqlite 7 2400`. Says what it does on stderr, and what came of
 * it as JSON on the last line of stdout.
 */
import { LARGEST, runBigOperations } from "./big-operations.ts";
import { gatherCrowd } from "./crowd.ts";
import { holdLoop } from "./held-loop.ts";
import { killServers } from "./kills.ts";
import { tryOutage } from "./outages.ts";
import { soak } from "./soak.ts";
import type { StoreKind } from "./world.ts";

const STORES: readonly StoreKind[] = ["sqlite", "shared", "postgres"];

const [part = "", what = "", seedText = "1", countText = "10", secondsText = ""] =
  process.argv.slice(2);
const seed = Number(seedText);
const count = Number(countText);
const until =
  secondsText === "" ? Number.POSITIVE_INFINITY : performance.now() + Number(secondsText) * 1_000;
const note = (text: string): void => console.error(`${part} ${what}: ${text}`);

async function play(): Promise<object> {
  if (part === "outage") return tryOutage({ kind: what, seed, times: count, until, note });
  if (part === "loop") return holdLoop({ kind: what, seed, seconds: count, note });
  if (part === "big") return runBigOperations({ ...LARGEST, operations: count, seed, note });
  const store = STORES.find((one) => one === what);
  if (store === undefined) throw new Error(`${what} is not a store`);
  if (part === "kills") return killServers({ store, seed, kills: count, until, note });
  if (part === "crowd")
    return gatherCrowd({ store, seed, operations: count, listeners: 4 * count, note });
  if (part === "soak") return soak({ store, seed, seconds: count, note });
  throw new Error(`there is no part ${part}`);
}

console.log(JSON.stringify(await play()));

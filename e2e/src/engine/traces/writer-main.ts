/**
 * Writes facts to traces on a data directory that others write to as well: `writer-main.ts DATADIR`. Its
 * parent says which over the process channel, and at which step of a transaction it kills itself.
 */
import type { Store, StoreOps } from "@plasm/agent-core";
import { openSqliteStore } from "@plasm/store";
import { traceWriter } from "../../../../packages/agent-core/test/trace-writer.ts";
import type { WriterQuestion } from "./messages.ts";

let stepsLeft = Infinity;

/** SIGKILL leaves no time for anything. */
function step(): void {
  stepsLeft -= 1;
  if (stepsLeft <= 0) process.kill(process.pid, "SIGKILL");
}

const steppingOps = (tx: StoreOps): StoreOps => ({
  ...tx,
  get: (...at) => (step(), tx.get(...at)),
  insert: (...at) => (step(), tx.insert(...at)),
  cas: (...at) => (step(), tx.cas(...at)),
  delete: (...at) => (step(), tx.delete(...at)),
});

const stepping = (store: Store): Store => ({
  ...store,
  transaction: async (work) => {
    step();
    const result = await store.transaction((tx) => work(steppingOps(tx)));
    step();
    return result;
  },
});

const [dataDir = ""] = process.argv.slice(2);
const store = await openSqliteStore({ dataDir });
// What the store refuses here is a fault: this process ends with it.
const traces = traceWriter(stepping(store));

process.on("message", ({ noted, write, dieAt }: WriterQuestion) => {
  stepsLeft = dieAt ?? Infinity;
  for (let n = 0; n < (noted?.times ?? 0); n += 1) {
    if (noted !== null) traces.note(noted.owner, noted.fact);
  }
  void (write ? traces.flush() : Promise.resolve()).then(() => process.send?.("done"));
});
process.once("disconnect", () => void traces.stop().then(() => store.close()));
process.send?.("ready");

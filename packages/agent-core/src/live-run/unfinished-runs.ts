import type { Store, StoreOps, Stored } from "../ports.ts";
import type { RunRecord } from "../records/run-record.ts";
import type { RunPlace } from "./stored-effect-log.ts";

/** The list of all scopes' unfinished runs stands in a scope of its own, which no caller has. */
const EVERYWHERE = "";

const nameOf = (run: RunPlace): string => JSON.stringify([run.scope, run.id]);

/** Puts a run on the list of those that have not ended; part of its start (OPS-39). */
export const noteStarted = (tx: StoreOps, run: RunPlace): Promise<boolean> =>
  tx.insert("unfinished", EVERYWHERE, nameOf(run), { scope: run.scope, id: run.id });

/** Takes it off again. */
export const noteEnded = (store: StoreOps, run: RunPlace): Promise<void> =>
  store.delete("unfinished", EVERYWHERE, nameOf(run));

export interface Unfinished {
  readonly place: RunPlace;
  readonly found: Stored<RunRecord>;
}

/** The runs that have not ended, of all scopes; a note left by one that has is taken off. */
export async function unfinishedRuns(store: Store): Promise<readonly Unfinished[]> {
  const running: Unfinished[] = [];
  for (const { value } of await store.list("unfinished", EVERYWHERE, "")) {
    const place = { scope: value.scope, id: value.id };
    const found = await store.get("run", place.scope, place.id);
    if (found?.value.state === "running") running.push({ place, found });
    else await noteEnded(store, place);
  }
  return running;
}

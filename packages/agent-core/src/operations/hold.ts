import type { OperationPlace, Stored } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { hasEnded } from "./change-operation.ts";
import type { OperationDeps } from "./operation-deps.ts";
import { isFree } from "./unfinished.ts";

/** Hands over an operation that nobody runs any more, so that it goes on at once (OPS-31). */
async function takeUpIfFree(
  deps: OperationDeps,
  place: OperationPlace,
  record: OperationRecord,
): Promise<boolean> {
  if (deps.running.has(place.id) || !isFree(record, deps.store)) return false;
  await deps.queue.submit(place);
  return true;
}

/**
 * Waits until `enough` is true of an operation, it has ended, `ms` have passed, or the caller has gone;
 * gives how it stands then. Null if there is no such operation.
 */
export async function holdUntil(
  deps: OperationDeps,
  place: OperationPlace,
  enough: (record: OperationRecord) => boolean,
  ms: number,
  signal?: AbortSignal,
): Promise<Stored<OperationRecord> | null> {
  const over = new AbortController();
  const gone = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  let late = ms <= 0;
  let offered = false;
  let heard = false;
  let wake: () => void = () => undefined;
  const unlisten = deps.queue.listen(place, () => {
    heard = true;
    wake();
  });
  const timeUp = deps.ports.clock.sleep(ms, gone).then(() => {
    late = true;
  });
  try {
    for (;;) {
      heard = false;
      const found = await deps.store.get("operation", place.scope, place.id);
      if (found === null || hasEnded(found.value.state) || enough(found.value)) return found;
      if (late) return found;
      if (!offered) offered = await takeUpIfFree(deps, place, found.value);
      // What was announced since the look above is looked at again at once.
      const news = heard ? Promise.resolve() : new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([timeUp, news]);
    }
  } finally {
    unlisten();
    over.abort();
  }
}

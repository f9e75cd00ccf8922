import type { OperationPlace } from "../ports.ts";
import { isOfTrace } from "../records/trace-news.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Tells those who listen here of operations that other processes run (OPS-23). */
export function tellOverheard(deps: OperationDeps): void {
  const tell = async (place: OperationPlace): Promise<void> => {
    if (isOfTrace(place) || !deps.news.isHeard || deps.running.has(place.id)) return;
    const found = await deps.store.get("operation", place.scope, place.id);
    if (found !== null) await deps.news.tell(place, found.value);
  };
  deps.queue.overhear?.((place) => {
    tell(place).catch((cause: unknown) => deps.warn("An operation could not be told of", cause));
  });
}

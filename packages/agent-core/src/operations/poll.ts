import type { StoreOps } from "../ports.ts";
import type { OperationPlace } from "../ports.ts";
import type { PollRecord } from "../records/poll-record.ts";

/** What an acceptance tells: the first event, of which nothing has been read. */
const ACCEPTED: PollRecord = { event: 1, step: { k: 0, rows: 0 } };

/** What those who ask for an operation were told last (OPS-19). */
export async function lastPoll(store: StoreOps, place: OperationPlace): Promise<PollRecord> {
  return (await store.get("poll", place.scope, place.id))?.value ?? ACCEPTED;
}

/** Notes what was told; of two who ask at once, either may have been the last. */
export async function notePoll(
  store: StoreOps,
  place: OperationPlace,
  poll: PollRecord,
): Promise<void> {
  const found = await store.get("poll", place.scope, place.id);
  if (found === null) await store.insert("poll", place.scope, place.id, poll);
  else await store.cas("poll", place.scope, place.id, found.version, poll);
}

import type { StoreOps } from "../ports.ts";
import type { OperationPlace } from "../ports.ts";
import type { PollRecord } from "../records/poll-record.ts";

/** What an acceptance tells: the first event, of which nothing has been read. */
const ACCEPTED: PollRecord = { event: 1, step: { k: 0, rows: 0 } };

/** What those who ask for an operation were told last (OPS-19), with the record of it if there is one. */
export interface LastPoll {
  readonly told: PollRecord;
  readonly version: number | null;
}

export async function lastPoll(store: StoreOps, place: OperationPlace): Promise<LastPoll> {
  const found = await store.get("poll", place.scope, place.id);
  return { told: found?.value ?? ACCEPTED, version: found?.version ?? null };
}

/** Notes what was told; of two who ask at once, either may have been the last. */
export async function notePoll(
  store: StoreOps,
  { scope, id }: OperationPlace,
  { version }: LastPoll,
  poll: PollRecord,
): Promise<void> {
  if (version === null) await store.insert("poll", scope, id, poll);
  else await store.cas("poll", scope, id, version, poll);
}

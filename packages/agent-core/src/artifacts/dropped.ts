import type { StoreOps } from "../store-port.ts";
import type { DroppedRecord } from "../records/artifacts.ts";

/** What has numbers in a session that tell whether it was there. */
export type NumberedKind = "snapshot" | "cursor" | "operation";

const idOf = (owner: string): string => `${owner}/dropped`;

/** Notes that an owner's records of a kind up to a number were dropped: the oldest go first. */
export async function noteDropped(
  tx: StoreOps,
  scope: string,
  owner: string,
  kind: NumberedKind,
  n: number,
): Promise<void> {
  const found = await tx.get("dropped", scope, idOf(owner));
  const next: DroppedRecord = {
    ...found?.value,
    [kind]: Math.max(n, found?.value[kind] ?? 0),
    at: tx.now(),
  };
  if (found === null) await tx.insert("dropped", scope, idOf(owner), next);
  else await tx.cas("dropped", scope, found.id, found.version, next);
}

/**
 * Why what a number once named is not there, for the answer that says so; null where it never was, or has gone by its
 * age. Without a number: whether anything of that kind was dropped.
 */
export async function whyDropped(
  store: StoreOps,
  scope: string,
  owner: string,
  kind: NumberedKind,
  n = 0,
): Promise<string | null> {
  const found = await store.get("dropped", scope, idOf(owner));
  const last = found?.value[kind] ?? -1;
  if (last < n) return null;
  return "The store was full to its limit (PLASM_DATA_LIMIT), and what is oldest goes first. Run its program again.";
}

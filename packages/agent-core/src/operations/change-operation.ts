import type { OperationPlace, StoreOps, Stored } from "../ports.ts";
import type { OperationRecord, OperationState } from "../records/operation-record.ts";

/** A lease that is renewed and an event that is told move a record on; nothing else does for long. */
const ATTEMPTS = 50;

export const hasEnded = (state: OperationState): boolean =>
  state !== "accepted" && state !== "running";

/**
 * Changes an operation by compare-and-set (OPS-12): `next` gives what is to stand there, or null to
 * leave it. Gives what stands there afterwards; null if there is no such operation. Who knows what stood
 * there last gives that as `known` and saves a look, unless it has changed.
 */
export async function changeOperation(
  store: StoreOps,
  { scope, id }: OperationPlace,
  next: (record: OperationRecord) => OperationRecord | null,
  known: Stored<OperationRecord> | null = null,
): Promise<Stored<OperationRecord> | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const guessed = attempt === 0 ? known : null;
    const found = guessed ?? (await store.get("operation", scope, id));
    if (found === null) return null;
    const value = next(found.value);
    if (value === null) return found;
    if (await store.cas("operation", scope, id, found.version, value)) {
      return { id, version: found.version + 1, value };
    }
  }
  throw new Error("The record of an operation kept changing");
}

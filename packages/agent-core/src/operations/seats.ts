import { operationHandle } from "../artifacts/operation-handles.ts";
import { fail } from "../errors/failure.ts";
import type { StoreOps } from "../ports.ts";

/** OPS-14: operations that may be unfinished at a time. */
const PER_SESSION = 4;
const PER_TENANT = 32;

const seatIds = (of: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${of}#${index}`);

async function take(
  tx: StoreOps,
  scope: string,
  ids: readonly string[],
  operation: string,
): Promise<string | null> {
  for (const id of ids) {
    if (await tx.insert("seat", scope, id, { operation })) return id;
  }
  return null;
}

/** `s0_o1, s0_o2`: what sits on these seats, so that a caller knows what to wait for. */
async function handlesOn(
  tx: StoreOps,
  scope: string,
  ids: readonly string[],
  ref: string | null,
): Promise<string> {
  const handles: string[] = [];
  for (const id of ids) {
    const seat = await tx.get("seat", scope, id);
    const found = seat === null ? null : await tx.get("operation", scope, seat.value.operation);
    const n = found?.value.n ?? null;
    if (n !== null) handles.push(operationHandle(ref, n));
  }
  return handles.join(", ");
}

/** Whose operation it is to be. */
export interface SeatPlace {
  readonly scope: string;
  readonly owner: string;
  readonly ref: string | null;
}

/**
 * Takes a seat of the session and one of the tenant for an operation; a seat is a record that can be
 * inserted once, so that no two processes count to the same number (OPS-14). Throws
 * plasm-too-many-operations.
 */
export async function takeSeats(
  tx: StoreOps,
  { scope, owner, ref }: SeatPlace,
  operation: string,
): Promise<readonly string[]> {
  const own = seatIds(`session/${owner}`, PER_SESSION);
  const mine = await take(tx, scope, own, operation);
  if (mine === null) {
    const handles = await handlesOn(tx, scope, own, ref);
    const text = `${PER_SESSION} operations of this session have not ended: ${handles}. Wait for one with wait(h), or stop one with cancel(h).`;
    throw fail("plasm-too-many-operations", text);
  }
  const shared = await take(tx, scope, seatIds("tenant", PER_TENANT), operation);
  if (shared === null) {
    const text = `${PER_TENANT} operations have not ended, which is as many as may be. Try again when one of them has.`;
    throw fail("plasm-too-many-operations", text);
  }
  return [mine, shared];
}

/** Leaves seats to others. */
export async function leaveSeats(
  tx: StoreOps,
  scope: string,
  seats: readonly string[],
): Promise<void> {
  for (const seat of seats) await tx.delete("seat", scope, seat);
}

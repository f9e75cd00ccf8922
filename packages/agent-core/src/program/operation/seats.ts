import { randomInt } from "node:crypto";
import { operationHandle } from "../../artifacts/handles.ts";
import { fail } from "../../errors/problem.ts";
import type { StoreOps } from "../../store-port.ts";

/** How many operations may be unfinished at a time (OPS-14). */
export interface OperationLimits {
  readonly perSession: number;
  readonly perTenant: number;
}

/** OPS-14's own numbers. */
export const OPERATION_LIMITS: OperationLimits = { perSession: 4, perTenant: 32 };

interface Seats {
  readonly of: string;
  readonly count: number;
}

const seatId = (of: string, index: number | ""): string => `${of}#${index}`;

/** Seats that are tried blindly: more are only tried where hardly any is free. */
const BLIND_TRIES = 4;

/**
 * Takes a free seat, anywhere: were it the first one, all who come at the same time would want the same,
 * and would find as many taken as there are operations.
 */
async function take(
  tx: StoreOps,
  scope: string,
  { of, count }: Seats,
  operation: string,
): Promise<string | null> {
  const first = randomInt(count);
  const idAt = (step: number): string => seatId(of, (first + step) % count);
  for (let step = 0; step < Math.min(BLIND_TRIES, count); step += 1) {
    if (await tx.insert("seat", scope, idAt(step), { operation })) return idAt(step);
  }
  const taken = new Set((await tx.list("seat", scope, seatId(of, ""))).map(({ id }) => id));
  for (let step = 0; step < count; step += 1) {
    const id = idAt(step);
    if (!taken.has(id) && (await tx.insert("seat", scope, id, { operation }))) return id;
  }
  return null;
}

/** `s0_o1, s0_o2`: what sits on these seats, so that a caller knows what to wait for. */
async function handlesOn(
  tx: StoreOps,
  scope: string,
  { of }: Seats,
  ref: string | null,
): Promise<string> {
  const numbers: number[] = [];
  for (const { value } of await tx.list("seat", scope, seatId(of, ""))) {
    const n = (await tx.peek("operation", scope, value.operation))?.value.n ?? null;
    if (n !== null) numbers.push(n);
  }
  const ordered = numbers.toSorted((one, other) => one - other);
  return ordered.map((n) => operationHandle(ref, n)).join(", ");
}

/** Whose operation it is to be. */
export interface SeatKey {
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
  { scope, owner, ref }: SeatKey,
  operation: string,
  { perSession, perTenant }: OperationLimits,
): Promise<readonly string[]> {
  const own = { of: `session/${owner}`, count: perSession };
  const mine = await take(tx, scope, own, operation);
  if (mine === null) {
    const handles = await handlesOn(tx, scope, own, ref);
    const text = `${perSession} operations of this session have not ended: ${handles}. Wait for one with wait(h), or stop one with cancel(h).`;
    throw fail("plasm-too-many-operations", text);
  }
  const shared = await take(tx, scope, { of: "tenant", count: perTenant }, operation);
  if (shared === null) {
    const text = `${perTenant} operations have not ended, which is as many as may be. Try again when one of them has.`;
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

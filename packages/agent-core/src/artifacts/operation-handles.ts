import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { StoreOps, Stored } from "../ports.ts";
import { whyDropped } from "./dropped.ts";
import type { OperationRecord } from "../records/operation-record.ts";

const HANDLE = /^(?:(s(?:0|[1-9][0-9]*))_)?o([1-9][0-9]{0,8})$/;

/** A handle as its reader sees it: an unbound session's is told with the slot `s0` (SESS-6, OPS-17). */
export const operationHandle = (ref: string | null, n: number): string => `${ref ?? "s0"}_o${n}`;

const unknownOperation = (handle: string) =>
  fail("plasm-unknown-handle", `No operation ${named(handle)} in this session.`);

/** Where handles are looked up: whose they are, and as whom. */
export interface HandlePlace {
  readonly scope: string;
  readonly owner: string;
  readonly principal: string;
  readonly ref: string | null;
}

export const numberId = (owner: string, n: number): string => `${owner}/${n}`;

/**
 * The operation that a handle names. Foreign, invented and wrongly prefixed handles answer alike
 * (OPS-17, SESS-38): throws plasm-unknown-handle.
 */
export async function findOperation(
  store: StoreOps,
  place: HandlePlace,
  handle: string,
): Promise<Stored<OperationRecord>> {
  const [whole, prefix, digits] = HANDLE.exec(handle) ?? [];
  if (whole === undefined || (prefix !== undefined && prefix !== (place.ref ?? "s0"))) {
    throw unknownOperation(handle);
  }
  const name = await store.get("number", place.scope, numberId(place.owner, Number(digits)));
  const found =
    name === null ? null : await store.get("operation", place.scope, name.value.operation);
  const n = Number(digits);
  const why =
    found === null ? await whyDropped(store, place.scope, place.owner, "operation", n) : null;
  if (why !== null) {
    throw fail("plasm-unknown-handle", `${named(handle)} is no longer kept. ${why}`, {
      meta: { error: { code: "plasm-unknown-handle", reason: "dropped" } },
    });
  }
  if (found === null || found.value.principal !== place.principal) throw unknownOperation(handle);
  return found;
}

import type { Cursor } from "@plasm/runtime";
import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { Store, Stored, StoreOps } from "../store-port.ts";
import type { CursorRecord, CursorSource } from "../records/artifacts.ts";
import { whyDropped } from "./dropped.ts";
import type { AccountNames } from "../records/sessions.ts";
import { accountsAmong } from "../session/accounts.ts";
import type { SnapshotKey } from "./snapshots.ts";
import type { OperationRecord } from "../records/operations.ts";

const PAGE_HANDLE = /^(?:(s(?:0|[1-9][0-9]*))_)?pg([1-9][0-9]{0,8})$/;

/** A page handle as its reader sees it: an unbound session's is told with the slot `s0` (SESS-6, OPS-17). */
export const pageHandle = (ref: string | null, n: number): string => `${ref ?? "s0"}_pg${n}`;

const unknownHandle = (handle: string) =>
  fail("plasm-unknown-handle", `No page handle ${named(handle)} in this session.`);

/** Number of a handle whose prefix, if any, is the caller's own (SESS-6, OPS-17, A30). */
export function pageNumber(handle: string, ref: string | null): number {
  const match = PAGE_HANDLE.exec(handle);
  if (match === null) throw unknownHandle(handle);
  const [, prefix, digits] = match;
  if (prefix !== undefined && prefix !== (ref ?? "s0")) throw unknownHandle(handle);
  return Number(digits);
}

const idOf = (owner: string, n: number): string => `${owner}/${n}`;

export interface NewCursor {
  readonly label: string;
  readonly program: string;
  readonly commit: string;
  readonly uses?: readonly string[];
  readonly source: CursorSource;
  readonly shown: number;
  readonly replaces: number | null;
}

/** A read that goes on upstream, with the accounts that it was begun with and no others (RUN-129). */
export function upstreamSource(
  cursor: Cursor,
  marks: Readonly<Record<string, number>>,
  used: AccountNames | undefined,
): CursorSource {
  const accounts = accountsAmong(used, Object.keys(cursor.digests));
  return { kind: "upstream", cursor, marks, ...(accounts === undefined ? {} : { accounts }) };
}

/** Keeps what a page handle continues and returns the handle's number. Resolves when others see it, as a snapshot's writing does. */
export const keepCursor = (store: Store, place: SnapshotKey, cursor: NewCursor): Promise<number> =>
  store.transaction(async (tx) => {
    const n = await tx.nextNumber(place.owner, "pg");
    const record: CursorRecord = {
      n,
      session: place.session,
      principal: place.principal,
      createdAt: tx.now(),
      ...cursor,
    };
    await tx.insert("cursor", place.scope, idOf(place.owner, n), record);
    return n;
  }, "visible");

/** Reads a cursor of the caller's principal; foreign, unknown and void ones answer alike (SESS-38). */
export async function readCursor(
  store: Store,
  place: SnapshotKey,
  handle: string,
  n: number,
): Promise<Stored<CursorRecord>> {
  const found = await store.get("cursor", place.scope, idOf(place.owner, n));
  const why =
    found === null ? await whyDropped(store, place.scope, place.owner, "cursor", n) : null;
  if (why !== null) {
    throw fail("plasm-unknown-handle", `${named(handle)} is no longer kept. ${why}`, {
      meta: { error: { code: "plasm-unknown-handle", reason: "dropped" } },
    });
  }
  if (found === null || found.value.principal !== place.principal) throw unknownHandle(handle);
  return found;
}

/** Moves a cursor on; `plasm-busy` if another continuation moved it meanwhile (SESS-31). */
export async function moveCursor(
  store: Store,
  place: SnapshotKey,
  at: Stored<CursorRecord>,
  next: Pick<CursorRecord, "source" | "shown" | "replaces">,
): Promise<void> {
  const record: CursorRecord = { ...at.value, ...next };
  const moved = await store.cas("cursor", place.scope, at.id, at.version, record);
  if (!moved) throw fail("plasm-busy", "Another call is reading this page. Send it again.");
}

const OPERATION_HANDLE = /^(?:(s(?:0|[1-9][0-9]*))_)?o([1-9][0-9]{0,8})$/;

/** A handle as its reader sees it: an unbound session's is told with the slot `s0` (SESS-6, OPS-17). */
export const operationHandle = (ref: string | null, n: number): string => `${ref ?? "s0"}_o${n}`;

const unknownOperation = (handle: string) =>
  fail("plasm-unknown-handle", `No operation ${named(handle)} in this session.`);

/** Where handles are looked up: whose they are, and as whom. */
export interface HandleRef {
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
  place: HandleRef,
  handle: string,
): Promise<Stored<OperationRecord>> {
  const [whole, prefix, digits] = OPERATION_HANDLE.exec(handle) ?? [];
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

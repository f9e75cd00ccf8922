import type { EndedOperation, OperationRecord } from "../../records/operations.ts";
import type { IdRange, StoreOps } from "../../store-port.ts";
import type { OperationKey } from "../../ports.ts";

/** How an operation may end (OPS-12). */
export const ENDINGS = ["succeeded", "failed", "cancelled"] as const;
export type EndState = (typeof ENDINGS)[number];

/** Where an operation stands among all: by when it began, then by its uuid. */
export interface OperationPosition {
  readonly at: number;
  readonly name: string;
}

const KIND = "ended";
/** Digits of a time in ms, for as long as there are such times. */
const DIGITS = 16;
const uuidId = (uuid: string): string => `uuid/${uuid}`;
const positionId = (state: EndState, { at, name }: OperationPosition): string =>
  `${state}/${String(at).padStart(DIGITS, "0")}.${name}`;

/** Makes an operation that ends findable by its state and time, and by its uuid; part of its end (OPS-69). */
export async function noteEnding(
  tx: StoreOps,
  { scope, id }: OperationKey,
  state: EndState,
  { principal, startedAt, uuid }: OperationRecord,
): Promise<void> {
  const entry: EndedOperation = { operation: id, principal, startedAt, uuid };
  await tx.insert(KIND, scope, positionId(state, { at: startedAt, name: uuid }), entry);
  await tx.insert(KIND, scope, uuidId(uuid), entry);
}

/** The id of an operation's record that has ended, by its uuid; null where none is known. */
export async function endedByUuid(
  store: StoreOps,
  scope: string,
  uuid: string,
): Promise<string | null> {
  return (await store.get(KIND, scope, uuidId(uuid)))?.value.operation ?? null;
}

/** Entries that are read at a time. */
const PORTION = 100;

/** Goes through what ended in one way, the one that began last first, from below a position on. */
async function* endedAs(
  store: StoreOps,
  scope: string,
  state: EndState,
  before: OperationPosition | null,
): AsyncGenerator<EndedOperation> {
  const first = `${state}/`;
  let to = before === null ? `${state}/~` : positionId(state, before);
  let isIncluded = before === null;
  for (;;) {
    const range: IdRange = { from: first, to, limit: PORTION, newestFirst: true };
    const found = await store.range(KIND, scope, range);
    for (const { id, value } of found) if (isIncluded || id !== to) yield value;
    const last = found.at(-1);
    if (found.length < PORTION || last === undefined) return;
    to = last.id;
    isIncluded = false;
  }
}

const isLater = (a: EndedOperation, b: EndedOperation): boolean =>
  a.startedAt === b.startedAt ? a.uuid > b.uuid : a.startedAt > b.startedAt;

/** Goes through what ended in these ways, the one that began last first, and reads no more than is asked for. */
export async function* endedBefore(
  store: StoreOps,
  scope: string,
  states: readonly EndState[],
  before: OperationPosition | null,
): AsyncGenerator<EndedOperation> {
  const walks = states.map((state) => endedAs(store, scope, state, before));
  const heads = await Promise.all(walks.map(async (walk) => (await walk.next()).value ?? null));
  for (;;) {
    const left = heads.flatMap((head, index) => (head === null ? [] : [{ head, index }]));
    const [any, ...others] = left;
    if (any === undefined) return;
    const { head, index } = others.reduce((a, b) => (isLater(b.head, a.head) ? b : a), any);
    yield head;
    heads[index] = (await walks[index]?.next())?.value ?? null;
  }
}

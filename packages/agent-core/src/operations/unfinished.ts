import { randomUUID } from "node:crypto";
import type { ListedTypes, OperationPlace, Store, StoreOps } from "../ports.ts";
import { hasEnded } from "./change-operation.ts";

/** The list of all scopes' unfinished operations stands in a scope of its own, which no caller has. */
const EVERYWHERE = "";

const nameOf = ({ scope, id }: OperationPlace): string => JSON.stringify([scope, id]);

/** Puts an operation on the list of those that have not ended; part of its start (OPS-39). */
export const noteStarted = (tx: StoreOps, { scope, id }: OperationPlace): Promise<boolean> =>
  tx.insert("unfinished", EVERYWHERE, nameOf({ scope, id }), { scope, id });

/** Takes it off again. */
export const noteEnded = (store: StoreOps, place: OperationPlace): Promise<void> =>
  store.delete("unfinished", EVERYWHERE, nameOf(place));

/** Names an attempt at a run, and the process that makes it where the store tells processes apart. */
export function newAttempt({ processes }: Pick<Store, "processes">): string {
  const id = randomUUID();
  return processes === undefined ? id : `${processes.own}/${id}`;
}

/** Whether the process that makes an attempt is no more, so that its lease says nothing. */
function isOwnerGone(
  { owner }: ListedTypes["operation"],
  { processes }: Pick<Store, "processes">,
): boolean {
  const [process = "", attempt] = owner.split("/");
  return attempt !== undefined && processes?.isGone(process) === true;
}

/** Whether any process may take an operation up: nobody has, its owner is gone or its lease has lapsed (OPS-31). */
export const isFree = (record: ListedTypes["operation"], store: Store): boolean =>
  record.state === "accepted" ||
  (record.state === "running" && (record.leaseUntil <= store.now() || isOwnerGone(record, store)));

/** Whether the process of a free operation ended while it ran it, rather than leave it to others. */
export const isOrphan = ({ state, leaseUntil }: ListedTypes["operation"]): boolean =>
  state === "running" && leaseUntil > 0;

/** What is left of operations, of all scopes. */
interface Waiting {
  /** those that wait for somebody to take them up: they were accepted, or left by a process that stopped */
  readonly places: readonly OperationPlace[];
  /** those whose process ended while it ran them: one of them may be the reason */
  readonly suspects: readonly OperationPlace[];
  /** ms until the first lease of the others lapses, if it is not renewed; null if there are none */
  readonly nextMs: number | null;
}

/** Looks for operations that nobody runs, and for when the next may be one of them (OPS-31). */
export async function waitingOperations(store: Store): Promise<Waiting> {
  const places: OperationPlace[] = [];
  const suspects: OperationPlace[] = [];
  let next: number | null = null;
  for (const { value } of await store.list("unfinished", EVERYWHERE, "")) {
    const place = { scope: value.scope, id: value.id };
    const found = await store.peek("operation", place.scope, place.id);
    // A note left by an operation that has ended is taken off.
    if (found === null || hasEnded(found.value.state)) await noteEnded(store, place);
    else if (isFree(found.value, store)) {
      if (isOrphan(found.value)) suspects.push(place);
      else places.push(place);
    } else next = Math.min(next ?? Infinity, found.value.leaseUntil);
  }
  return { places, suspects, nextMs: next === null ? null : Math.max(0, next - store.now()) };
}

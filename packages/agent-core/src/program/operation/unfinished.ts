import { randomUUID } from "node:crypto";
import type { OperationKey, OperationQueue } from "../../ports.ts";
import type { ListedTypes, Store, StoreOps } from "../../store-port.ts";
import { hasEnded } from "./find-operation.ts";

/** The list of all scopes' unfinished operations stands in a scope of its own, which no caller has. */
const EVERYWHERE = "";

const nameOf = ({ scope, id }: OperationKey): string => JSON.stringify([scope, id]);

/** Puts an operation on the list of those that have not ended; part of its start (OPS-39). */
export const noteStarted = (tx: StoreOps, { scope, id }: OperationKey): Promise<boolean> =>
  tx.insert("unfinished", EVERYWHERE, nameOf({ scope, id }), { scope, id });

/** Takes it off again. */
export const noteEnded = (store: StoreOps, place: OperationKey): Promise<void> =>
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
  readonly places: readonly OperationKey[];
  /** those whose process ended while it ran them: one of them may be the reason */
  readonly suspects: readonly OperationKey[];
  /** ms until the first lease of the others lapses, if it is not renewed; null if there are none */
  readonly nextMs: number | null;
}

/** Looks for operations that nobody runs, and for when the next may be one of them (OPS-31). */
export async function waitingOperations(store: Store): Promise<Waiting> {
  const places: OperationKey[] = [];
  const suspects: OperationKey[] = [];
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

/** The least time between two looks, in ms: what was handed over takes a moment to be claimed. */
const LEAST_MS = 500;

/** The time between portions of what dead processes left, in ms. */
const PACE_MS = 2_000;

interface LeftoversOptions {
  readonly store: Store;
  readonly queue: OperationQueue;
  /** how often it looks at least, in ms */
  readonly everyMs: number;
  readonly warn: (what: string, cause: unknown) => void;
}

/**
 * Hands over the operations that nobody runs, those of processes that have died or stopped: when it starts, when a
 * lease may have lapsed, and every so often (OPS-31). It also finds runs that nobody submitted (OPS-39).
 * Of those whose process died while it ran them one comes first, then two, and so on: whichever of them ends this
 * process as well should have as few as possible beside it.
 */
export class OrphanScanner {
  readonly #options: LeftoversOptions;
  #looking: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ending: Promise<void> | null = null;
  #portion = 1;

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  start(): void {
    this.#looking = this.#look();
  }

  /** Lets the queue rest, then hands over what this process itself leaves, so that others go on at once. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#options.queue.rest();
    await this.#looking;
    await this.#handOver().catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { everyMs, warn } = this.#options;
    const nextMs = await this.#handOver().catch((cause: unknown) => {
      if (this.#ending === null) warn("Abandoned operations could not be looked for", cause);
      return null;
    });
    if (this.#ending !== null) return;
    const inMs = Math.min(everyMs, Math.max(LEAST_MS, nextMs ?? everyMs));
    this.#timer = setTimeout(() => this.start(), inMs).unref();
  }

  /** Gives the ms until a lease may lapse, from when there may be more. */
  async #handOver(): Promise<number | null> {
    const { store, queue } = this.#options;
    const { places, suspects, nextMs } = await waitingOperations(store);
    const now = suspects.slice(0, this.#portion);
    for (const place of [...places, ...now]) await queue.submit(place);
    const isLast = suspects.length <= now.length;
    this.#portion = isLast ? 1 : this.#portion * 2;
    return isLast ? nextMs : PACE_MS;
  }
}

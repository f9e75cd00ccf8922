import type { OperationKey, OperationQueue } from "../../ports.ts";
import type { StoreOps } from "../../store-port.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { lineOf, statusOf } from "./status.ts";
import { operationHandle } from "../../artifacts/handles.ts";
import { type Caller, principalOf } from "../../identity/caller.ts";
import { isOpenedOn } from "../../session/connections.ts";
import { isOfTrace } from "../../records/traces.ts";

/** One event, for connections of the principal whose operation it is (OPS-23). */
export interface OperationNote {
  readonly scope: string;
  readonly principal: string;
  /** the logical session that it is of, else the execute session */
  readonly holder: string;
  /** the slot under which the principal has that one */
  readonly ref: string | null;
  readonly line: string;
  readonly n: number;
  /** on acceptance: the ref */
  readonly c?: string;
}

/** Operations whose last event is remembered, so that none is told twice. */
const REMEMBERED = 1_000;

/** Tells events of operations as they happen, each once, in order; best effort (OPS-23). */
export class OperationNews {
  readonly #told = new Map<string, number>();
  readonly #listeners = new Set<(note: OperationNote) => void>();
  readonly #refOf: (principal: string, record: OperationRecord) => Promise<string | null>;

  /** `refOf` gives the slot under which a principal has an operation's session. */
  constructor(refOf: (principal: string, record: OperationRecord) => Promise<string | null>) {
    this.#refOf = refOf;
  }

  /** Calls `heard` for each event until the function it gives is called. */
  listen(heard: (note: OperationNote) => void): () => void {
    this.#listeners.add(heard);
    return () => void this.#listeners.delete(heard);
  }

  /** Tells what an operation's record says now, if it has a handle and somebody listens. */
  async tell({ scope, id }: OperationKey, record: OperationRecord): Promise<void> {
    const { n, principal, event, holder } = record;
    const name = JSON.stringify([scope, id]);
    if (n === null || this.#listeners.size === 0 || !this.#isNew(name, event)) return;
    const ref = await this.#refOf(principal, record);
    // A later one has overtaken it.
    if (this.#told.get(name) !== event) return;
    const told = statusOf(record, record.step, null);
    const accepted = told.signal === "+" ? { c: record.ref } : {};
    const line = lineOf(operationHandle(ref, n), told);
    const note = { scope, principal, holder, ref, line, n: event, ...accepted };
    for (const heard of this.#listeners) heard(note);
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  #isNew(name: string, event: number): boolean {
    if (event <= (this.#told.get(name) ?? 0)) return false;
    this.#told.delete(name);
    this.#told.set(name, event);
    for (const oldest of this.#told.keys()) {
      if (this.#told.size <= REMEMBERED) break;
      this.#told.delete(oldest);
    }
    return true;
  }
}

/** What subscriptions are served from. */
interface EventSource {
  readonly news: OperationNews;
  readonly store: StoreOps;
  readonly warn: (what: string, cause: unknown) => void;
}

/** Where events of other processes come in. */
interface RemoteEvents {
  readonly queue: OperationQueue;
  /** the operations that this process runs, by id: it reports those itself */
  readonly running: { has(id: string): boolean };
}

/** Stops hearing; resolves when all that had happened before was told. */
export type StopHearing = () => Promise<void>;

/**
 * Calls `heard` with each event of the caller's operations that concerns its connection: of sessions that
 * were opened on it, and of the one that its call names, if any (OPS-23). In order, best effort.
 */
export function subscribeToOperations(
  deps: EventSource,
  caller: Caller,
  heard: (note: OperationNote) => void,
  session: string | null,
): StopHearing {
  const { connection, scope } = caller;
  const principal = principalOf(caller);
  const opened = new Set<string>();
  const isOpened = async (holder: string): Promise<boolean> => {
    if (connection === null) return false;
    if (!opened.has(holder) && (await isOpenedOn(deps.store, connection, holder))) {
      opened.add(holder);
    }
    return opened.has(holder);
  };
  let pending: Promise<void> | null = null;
  const hear = async (note: OperationNote, before: Promise<void> | null): Promise<void> => {
    const concerns = await isOpened(note.holder);
    await before;
    if (concerns) heard(note);
  };
  const unlisten = deps.news.listen((note) => {
    if (note.scope !== scope || note.principal !== principal) return;
    const named = session !== null && (note.ref === session || note.holder === session);
    // Nothing is looked up of what the call itself is about, so that it is told before its answer.
    if (pending === null && (named || opened.has(note.holder))) return heard(note);
    const told = named
      ? (pending ?? Promise.resolve()).then(() => heard(note))
      : hear(note, pending);
    const settled: Promise<void> = told
      .catch((cause: unknown) => deps.warn("An operation could not be told of", cause))
      .finally(() => {
        if (pending === settled) pending = null;
      });
    pending = settled;
  });
  return async () => {
    unlisten();
    await pending;
  };
}

/** Tells those who listen here of operations that other processes run (OPS-23). */
export function relayRemoteEvents(deps: EventSource & RemoteEvents): void {
  const tell = async (place: OperationKey): Promise<void> => {
    if (isOfTrace(place) || !deps.news.isHeard || deps.running.has(place.id)) return;
    const found = await deps.store.get("operation", place.scope, place.id);
    if (found !== null) await deps.news.tell(place, found.value);
  };
  deps.queue.overhear?.((place) => {
    tell(place).catch((cause: unknown) => deps.warn("An operation could not be told of", cause));
  });
}

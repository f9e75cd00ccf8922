import type { OperationPlace } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { lineOf, toldOf } from "./lines.ts";
import { operationHandle } from "../artifacts/operation-handles.ts";

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
  async tell({ scope, id }: OperationPlace, record: OperationRecord): Promise<void> {
    const { n, principal, event, holder } = record;
    const name = JSON.stringify([scope, id]);
    if (n === null || this.#listeners.size === 0 || !this.#isNew(name, event)) return;
    const ref = await this.#refOf(principal, record);
    // A later one has overtaken it.
    if (this.#told.get(name) !== event) return;
    const told = toldOf(record, record.step, null);
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

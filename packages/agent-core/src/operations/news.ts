import type { OperationPlace } from "../ports.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { lineOf, toldOf } from "./lines.ts";
import { operationHandle } from "../artifacts/operation-handles.ts";

/** One event, for connections of the principal whose operation it is (OPS-23). */
export interface OperationNote {
  readonly scope: string;
  readonly principal: string;
  readonly line: string;
  readonly n: number;
  /** on acceptance: the ref */
  readonly c?: string;
}

/** Tells events of this process's operations as they happen; best effort (OPS-23). */
export class OperationNews {
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
  async tell({ scope }: OperationPlace, record: OperationRecord): Promise<void> {
    const { n, principal } = record;
    if (n === null || this.#listeners.size === 0) return;
    const handle = operationHandle(await this.#refOf(principal, record), n);
    const told = toldOf(record, record.step, null);
    const accepted = told.signal === "+" ? { c: record.ref } : {};
    const note = { scope, principal, line: lineOf(handle, told), n: record.event, ...accepted };
    for (const heard of this.#listeners) heard(note);
  }
}

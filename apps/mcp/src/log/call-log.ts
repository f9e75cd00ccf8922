import { tokenCounter, type Caller } from "@plasm/agent-core";
import type { CallName, CallNote } from "./call-note.ts";
import { callSpan } from "./call-span.ts";

/** One record per call, on every surface alike (SURF-28). */
export interface CallRecord {
  readonly name: CallName;
  /** the caller's tenant scope */
  readonly tenant: string;
  /** how the call named its session, if it did */
  readonly ref: string | null;
  /** `ok`, or the code of the problem */
  readonly outcome: string;
  readonly ms: number;
  /** o200k tokens of the text that was answered */
  readonly tokensOut: number;
}

export type CallLog = (record: CallRecord) => void;

/** Runs one call and writes its record when it is done, if it has a name by then. */
export async function logCall<T>(
  log: CallLog | undefined,
  caller: Caller,
  name: CallName | null,
  work: (note: CallNote) => Promise<T>,
): Promise<T> {
  const note: CallNote = { name, ref: null, outcome: "ok", text: "" };
  const began = performance.now();
  const { scope: tenant } = caller;
  const result = await (name === null
    ? work(note)
    : callSpan(name, tenant, note, () => work(note)));
  if (log === undefined || note.name === null) return result;
  const ms = Math.round(performance.now() - began);
  const count = await tokenCounter();
  const { ref, outcome, text } = note;
  log({ name: note.name, tenant, ref, outcome, ms, tokensOut: count(text) });
  return result;
}

import { tokenCounter, type Caller } from "@plasm/agent-core";
import type { CallName, CallNote } from "./call-note.ts";
import { callSpan } from "./call-span.ts";

/** One record per call, on every surface alike (SURF-28). */
export interface CallRecord {
  readonly name: CallName;
  /** the caller's tenant scope; null where it is not known who calls */
  readonly tenant: string | null;
  /** how the call named its session, if it did */
  readonly ref: string | null;
  /** `ok`, or the code of the problem */
  readonly outcome: string;
  /** method and route of what was refused */
  readonly asked?: string;
  readonly ms: number;
  /** o200k tokens of the text that was answered */
  readonly tokensOut: number;
}

/** Where records of calls go. */
export type CallLog = (record: CallRecord) => void;

/** Characters of a ref that a record repeats; callers may send anything under its name. */
const LONGEST_REF = 100;

const shownRef = (ref: string | null): string | null =>
  ref === null || ref.length <= LONGEST_REF ? ref : `${ref.slice(0, LONGEST_REF)}…`;

/** Runs one call and writes its record when it is done, if it has a name by then. */
export async function logCall<T>(
  log: CallLog | undefined,
  caller: Pick<Caller, "scope"> | null,
  name: CallName | null,
  work: (note: CallNote) => Promise<T>,
): Promise<T> {
  const note: CallNote = { name, ref: null, outcome: "ok", text: "" };
  const began = performance.now();
  const tenant = caller?.scope ?? null;
  const result = await (name === null
    ? work(note)
    : callSpan(name, tenant, note, () => work(note)));
  if (log === undefined || note.name === null) return result;
  const ms = Math.round(performance.now() - began);
  const count = await tokenCounter();
  const { name: _, text, ref, ...noted } = note;
  const tokensOut = count(text);
  log({ ...noted, name: note.name, tenant, ref: shownRef(ref), ms, tokensOut });
  return result;
}

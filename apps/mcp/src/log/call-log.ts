import { createHash } from "node:crypto";
import { tokenCounter, type Caller } from "@plasm/agent-core";
import type { CallName, CallNote } from "./call-note.ts";
import { callSpan } from "./call-span.ts";

/** One record per call, on every surface alike (SURF-28). */
export interface CallRecord {
  readonly name: CallName;
  /** the caller's tenant scope; null where it is not known who calls */
  readonly tenant: string | null;
  /** the slot that the call named its session by, else `#` and 12 hex digits of a hash of what named it */
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

const SLOT = /^s\d{1,9}$/;

/**
 * A ref as a record shows it. A slot is nobody's key; a path, a uuid or whatever else a caller sends leads to a session, and
 * who reads logs is to follow a session, not to enter it (SESS-9).
 */
const shownRef = (ref: string | null): string | null =>
  ref === null || SLOT.test(ref)
    ? ref
    : `#${createHash("sha256").update(ref).digest("hex").slice(0, 12)}`;

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

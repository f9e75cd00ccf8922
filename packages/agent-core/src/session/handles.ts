import { fail } from "../errors/problem.ts";
import { named } from "../errors/arguments.ts";
import type { LossReason, SessionKey } from "../records/sessions.ts";

const REF = /^s(0|[1-9][0-9]{0,8})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const slotRef = (slot: number): string => `s${slot}`;

/** The slot a ref names, or null if the text is no ref. */
export function slotOfRef(ref: string): number | null {
  const digits = REF.exec(ref)?.[1];
  return digits === undefined ? null : Number(digits);
}

export const isUuid = (text: string): boolean => UUID.test(text);

export const unknownSession = (ref: string) =>
  fail(
    "plasm-unknown-session",
    `No session ${named(ref)}. Call plasm_context first with intent and seeds.`,
  );

/** The same where a session is named by its pair, as HTTP does: no tool is to be called there. */
export const unknownPair = () =>
  fail("plasm-unknown-session", "No such session. POST /execute opens one.");

export const lostPair = (reason: LossReason) =>
  fail("plasm-session-lost", lostPairText(reason), { meta: { reason } });

/** How a call names its session: by ref (or uuid), or by the pair of SESS-9. */
export type SessionAddress =
  | { readonly kind: "ref"; readonly ref: string }
  | ({ readonly kind: "pair" } & SessionKey);

const gone = (session: string, reason: LossReason): string =>
  reason === "expired" ? `${session} expired.` : `${session} is gone (${reason}).`;

/** What a program gets on a session that is gone (SESS-26). */
export function lostText(ref: string, reason: LossReason): string {
  return `${gone(`Session ${ref}`, reason)} Call plasm_context with the same intent and seeds; all e#, m#, p# change.`;
}

/** The same where a session is named by its pair, as HTTP does. */
const lostPairText = (reason: LossReason): string =>
  `${gone("The session", reason)} POST /execute opens a new one; all e#, m#, p# change.`;

import { fail } from "../errors/failure.ts";
import { named } from "../errors/named.ts";
import type { LossReason } from "../records/logical-session.ts";
import { lostPairText } from "./notices.ts";

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

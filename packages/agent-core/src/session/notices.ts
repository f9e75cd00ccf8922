import type { LossReason, PastLoss } from "../records/logical-session.ts";

const gone = (session: string, reason: LossReason): string =>
  reason === "expired" ? `${session} expired.` : `${session} is gone (${reason}).`;

/** What a program gets on a session that is gone (SESS-26). */
export function lostText(ref: string, reason: LossReason): string {
  return `${gone(`Session ${ref}`, reason)} Call plasm_context with the same intent and seeds; all e#, m#, p# change.`;
}

/** The same where a session is named by its pair, as HTTP does. */
export const lostPairText = (reason: LossReason): string =>
  `${gone("The session", reason)} POST /execute opens a new one; all e#, m#, p# change.`;

/** What precedes contract and table after a loss (SESS-27). */
export const recoveryNotice = (ref: string, loss: PastLoss): string =>
  `NOTICE: the earlier session of ${ref} is gone (${loss.reason}). ` +
  "Every e#, m#, p# seen before is void. Use only the table below.";

/** The same, where the new table may have been lost on the way (SESS-25). */
export const repeatedNotice = (ref: string, loss: PastLoss): string =>
  `NOTICE: the earlier session of ${ref} is gone (${loss.reason}). ` +
  "Every e#, m#, p# seen before is void. If its new table did not reach you, replay:true sends it.";

/** What a session stays although a call asks for something else (SESS-15); none of it, no line. */
export function keptNotice(kept: readonly string[]): readonly string[] {
  if (kept.length === 0) return [];
  const fixed = kept.length === 1 ? "it is fixed" : "both are fixed";
  return [`${kept.join(", ")}: ${fixed} when a session opens.`];
}

/** The end of an answer without tables, by what the server knows of the connection (SESS-19). */
export function replayHint(connection: "seen" | "unseen" | "none"): string | null {
  switch (connection) {
    case "seen":
      return null;
    case "unseen":
      return "This connection has not seen the tables; replay:true sends them.";
    case "none":
      return "replay:true sends the tables again.";
  }
}

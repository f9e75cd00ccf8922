import { canonicalJson } from "@plasm/core";
import { v5 } from "uuid";
import { fail } from "../errors/problem.ts";
import { refuseNoText } from "../errors/arguments.ts";

/** What an intent is, for who gives none (SESS-1). */
export const WANTED_INTENT = "one sentence that says the goal";

const MAX_LENGTH = 4_096;
/** Fixed for ever: logical session ids are made in this namespace (SESS-2). */
const NAMESPACE = "5f0c9f1e-8d6b-4f62-9a3a-6f1c0b7d2e45";

// Control characters but newline; the expression names what SESS-1 forbids.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** No character, and nothing an id could be made from (SESS-2). */
const HALF_A_PAIR = /\p{Surrogate}/u;

/** Refuses an intent that is blank, too long or no clean text; it is never changed (SESS-1). */
export function checkIntent(intent: unknown): string {
  if (typeof intent !== "string") {
    throw refuseNoText("intent", intent, WANTED_INTENT);
  }
  if (intent.trim() === "") {
    throw fail("plasm-bad-request", "intent is blank: say the goal in one sentence.");
  }
  const length = Array.from(intent).length;
  if (length > MAX_LENGTH) {
    throw fail(
      "plasm-bad-request",
      `intent has ${length} characters; at most ${MAX_LENGTH} are allowed.`,
    );
  }
  if (CONTROL.test(intent)) {
    throw fail(
      "plasm-bad-request",
      "intent holds a control character; only newlines are allowed beside text.",
    );
  }
  if (HALF_A_PAIR.test(intent)) {
    throw fail("plasm-bad-request", "intent holds half a surrogate pair: send whole characters.");
  }
  return intent;
}

/**
 * The id of the logical session (scope, intent): the same on every transport and replica (SESS-2). Where
 * calls are delegated each principal has its own, so that no handle or snapshot of one reaches another (SESS-38).
 */
export const logicalId = (scope: string, intent: string, principal: string | null = null): string =>
  v5(canonicalJson(principal === null ? [scope, intent] : [scope, intent, principal]), NAMESPACE);

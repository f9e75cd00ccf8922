import { fail } from "../errors/failure.ts";
import { mayActFor, type Caller } from "./caller.ts";

/**
 * A caller as it acts for the user that its `principal` argument names: itself, or one that its credential
 * lists under `act_as` (SURF-24). Throws plasm-policy-denied, or plasm-bad-request if it is no text.
 */
export function actingFor(caller: Caller, principal: unknown): Caller {
  if (principal === undefined) return caller;
  if (typeof principal !== "string" || principal === "") {
    throw fail("plasm-bad-request", "principal is the name of a user, as text.");
  }
  if (!mayActFor(caller, principal)) {
    throw fail(
      "plasm-policy-denied",
      "This caller may not act as another principal. Leave principal out.",
    );
  }
  return principal === caller.subject ? caller : { ...caller, actingFor: principal };
}

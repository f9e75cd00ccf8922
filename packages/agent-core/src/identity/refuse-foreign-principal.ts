import { fail } from "../errors/failure.ts";
import type { Caller } from "./caller.ts";

/**
 * A `principal` argument may name the caller alone as long as no credential can list others under
 * `act_as` (SURF-24). Throws plasm-policy-denied, or plasm-bad-request if it is no text.
 */
export function refuseForeignPrincipal(caller: Caller, principal: unknown): void {
  if (principal === undefined) return;
  if (typeof principal !== "string") {
    throw fail("plasm-bad-request", "principal is the name of a user, as text.");
  }
  if (principal === caller.subject) return;
  throw fail(
    "plasm-policy-denied",
    "This caller may not act as another principal. Leave principal out.",
  );
}

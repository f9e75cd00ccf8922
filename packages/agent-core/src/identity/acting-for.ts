import { fail } from "../errors/failure.ts";
import { mayActFor, type Caller } from "./caller.ts";

/**
 * A caller as it acts for the user that its `principal` argument names: itself, or one that its credential
 * lists under `act_as` (SURF-24). Where calls do not use the credentials of users, another user's name would change
 * nothing but what is told of the call, and is refused. Throws plasm-policy-denied, or plasm-bad-request if it is no text.
 */
export function actingFor(
  caller: Caller,
  principal: unknown,
  delegation: (caller: Caller) => { readonly delegated: boolean },
): Caller {
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
  if (principal === caller.subject) return caller;
  if (!delegation({ ...caller, actingFor: principal }).delegated) {
    throw fail(
      "plasm-policy-denied",
      "principal is not enabled here: calls use the deployment's credentials, not those of users. Leave principal out, or let the operator set PLASM_CREDENTIALS=user.",
    );
  }
  return { ...caller, actingFor: principal };
}

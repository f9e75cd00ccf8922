import { compileProgram, type Policy } from "@plasm/core";
import { refuseForbidden } from "../artifacts/refuse-forbidden.ts";
import { fail } from "../errors/failure.ts";
import type { SessionKey } from "../records/execute-session.ts";
import type { Located } from "../session/locate.ts";

/** What a handle goes on with: a program, where it was read, and the catalogs of its rows. */
export interface Continued {
  readonly program: string;
  readonly session: SessionKey;
  readonly entryIds: readonly string[];
}

/**
 * Judges a continuation by the policy as it is now: its catalogs, and each capability of its program as
 * long as what it was written in means the same in the session (SURF-25). Throws plasm-policy-denied.
 */
export function refuseContinuing({ view }: Located, of: Continued): void {
  refuseForbidden(view.exposure.policy, of.entryIds);
  if (of.session.sessionId !== view.session.sessionId) return;
  // A policy that says nothing of catalogs forbids nothing that a program says.
  if (view.exposure.policy.apis === undefined) return;
  const compiles = (policy: Policy): boolean =>
    compileProgram(of.program, { ...view.exposure, policy }).kind !== "errors";
  // A name that a later seed made ambiguous is an error, too, and none of policy's.
  if (compiles(view.exposure.policy) || !compiles({})) return;
  throw fail(
    "plasm-policy-denied",
    "Policy no longer allows what this goes on with. Whoever runs this server decides on it.",
  );
}

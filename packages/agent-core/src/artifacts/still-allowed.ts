import { compileProgram, type Policy } from "@plasm/core";
import { mayUseApi, mayUseCapability } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import type { SessionKey } from "../records/sessions.ts";
import type { ResolvedSession } from "../session/locate.ts";

/** What rows or bytes were made by: `entry_id/capability` of each. */
type Uses = readonly string[];

/** Whether policy denies a capability by name; what it says of effects is no matter of what was read. */
function isDenied(policy: Policy, use: string): boolean {
  const [entryId = "", name = ""] = use.split("/");
  return !mayUseCapability(policy, entryId, { name, kind: "query" });
}

/** Whether policy forbids one of these catalogs now, or a capability that was used (SURF-25). */
export const isForbidden = (
  policy: Policy,
  entryIds: readonly string[],
  uses: Uses = [],
): boolean =>
  !entryIds.every((entryId) => mayUseApi(policy, entryId)) ||
  uses.some((use) => isDenied(policy, use));

/** Rows of what policy allows no more are shown no more (SURF-25). Throws plasm-policy-denied. */
export function refuseForbidden(
  policy: Policy,
  entryIds: readonly string[],
  uses: Uses = [],
): void {
  if (!isForbidden(policy, entryIds, uses)) return;
  throw fail(
    "plasm-policy-denied",
    "Policy no longer allows what these rows are of. Whoever runs this server decides on it.",
  );
}

/** Whether bytes that several capabilities gave are shown: as long as one of them is allowed. */
export const areBytesAllowed = (policy: Policy, uses: Uses): boolean =>
  uses.length === 0 || uses.some((use) => !isDenied(policy, use));

/** Throws plasm-policy-denied for bytes that are shown no more. */
export function refuseForbiddenBytes(policy: Policy, uses: Uses): void {
  if (!areBytesAllowed(policy, uses)) refuseForbidden(policy, [], uses);
}

/** What a handle goes on with: a program, where it was read, and the catalogs of its rows. */
interface Continued {
  readonly program: string;
  readonly session: SessionKey;
  readonly entryIds: readonly string[];
  /** the capabilities that it calls, where its program does not say them */
  readonly uses?: readonly string[] | undefined;
}

/**
 * Judges a continuation by the policy as it is now: its catalogs, and each capability of its program as
 * long as what it was written in means the same in the session (SURF-25). Throws plasm-policy-denied.
 */
export function refuseContinuing({ view }: ResolvedSession, of: Continued): void {
  refuseForbidden(view.exposure.policy, of.entryIds);
  if (of.session.sessionId !== view.session.sessionId) return;
  // A policy that says nothing of catalogs forbids nothing that a program says.
  if (view.exposure.policy.apis === undefined) return;
  refuseForbidden(view.exposure.policy, [], of.uses);
  const compiles = (policy: Policy): boolean =>
    compileProgram(of.program, { ...view.exposure, policy }).kind !== "errors";
  // A name that a later seed made ambiguous is an error, too, and none of policy's.
  if (compiles(view.exposure.policy) || !compiles({})) return;
  throw fail(
    "plasm-policy-denied",
    "Policy no longer allows what this goes on with. Whoever runs this server decides on it.",
  );
}

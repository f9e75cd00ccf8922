import { mayUseApi, mayUseCapability, type Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";

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

/** Bytes that several capabilities gave are shown as long as one of them is allowed. */
export function refuseForbiddenBytes(policy: Policy, uses: Uses): void {
  if (uses.length === 0 || uses.some((use) => !isDenied(policy, use))) return;
  refuseForbidden(policy, [], uses);
}

import { mayUseApi, type Policy } from "@plasm/core";
import { fail } from "../errors/failure.ts";

/** Whether policy forbids one of these catalogs now (SURF-25). */
export const isForbidden = (policy: Policy, entryIds: readonly string[]): boolean =>
  !entryIds.every((entryId) => mayUseApi(policy, entryId));

/** Rows of a catalog that policy allows no more are shown no more (SURF-25). Throws plasm-policy-denied. */
export function refuseForbidden(policy: Policy, entryIds: readonly string[]): void {
  if (!isForbidden(policy, entryIds)) return;
  throw fail(
    "plasm-policy-denied",
    "Policy no longer allows a catalog that these rows are of. Whoever runs this server decides on it.",
  );
}

import { fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { CatalogRegistry } from "../ports.ts";
import type { SeedGroup } from "./seeds.ts";

/** Whether calls use the credentials of the end user, and of whom (SURF-24). */
export interface Delegation {
  readonly delegated: boolean;
  /** null where calls are not delegated, or the caller stands for no user */
  readonly principal: string | null;
}

/** Whose calls a caller's are. */
export type DelegationOf = (caller: Caller) => Delegation;

/**
 * A caller that stands for no user opens nothing on catalogs whose calls need the user's credentials
 * (SURF-24). Throws plasm-principal-required.
 */
export function requirePrincipal(
  { delegated, principal }: Delegation,
  groups: readonly SeedGroup[],
  registry: CatalogRegistry,
): void {
  if (!delegated || principal !== null) return;
  const needy = groups
    .map(({ entryId }) => entryId)
    .filter((id) => (registry.get(id)?.catalog.cgs.auth.scheme ?? "none") !== "none");
  if (needy.length === 0) return;
  throw fail(
    "plasm-principal-required",
    `Calls of ${needy.join(", ")} use the credentials of a user, and this caller stands for none. Give principal, the user to act for.`,
  );
}

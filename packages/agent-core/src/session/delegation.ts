import { fail } from "../errors/problem.ts";
import { type Caller, mayActFor, principalOf } from "../identity/caller.ts";
import type { CatalogRegistry } from "../ports.ts";
import type { StoreOps } from "../store-port.ts";
import type { CatalogSeeds } from "./seeds.ts";
import { isUuid, type SessionAddress, slotOfRef } from "./handles.ts";

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
  groups: readonly CatalogSeeds[],
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

/** The user a session is of, where calls are delegated; null for none, and for no session of this scope. */
async function userOfSession(
  store: StoreOps,
  caller: Caller,
  address: SessionAddress,
): Promise<string | null> {
  if (address.kind === "pair") {
    return (await store.session(caller.scope, address))?.subject ?? null;
  }
  const slot = slotOfRef(address.ref);
  const uuid = slot === null ? address.ref : await store.logicalAtSlot(principalOf(caller), slot);
  if (uuid === null || !isUuid(uuid)) return null;
  return (await store.get("logical", caller.scope, uuid))?.value.subject ?? null;
}

/**
 * A caller as it acts in a session that it names: for the user whose session that is, if its credential
 * still lists that user (SURF-24). For any other session it stays as it is, and finds nothing there (SESS-38).
 */
export async function actingIn(
  store: StoreOps,
  caller: Caller,
  address: SessionAddress,
): Promise<Caller> {
  const { subject, service = false, actAs = [] } = caller;
  if (actAs.length === 0) return caller;
  const user = await userOfSession(store, caller, address);
  if (user === null || !mayActFor(caller, user)) return caller;
  return user === subject && !service ? caller : { ...caller, actingFor: user };
}

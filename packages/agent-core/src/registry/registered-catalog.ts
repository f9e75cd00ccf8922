import type { Catalog } from "@plasm/core";
import type { CredentialScope } from "@plasm/runtime";
import type { RegisteredCatalog } from "../ports.ts";

/** Whether a credential is at hand for a catalog's calls, or none is needed. */
export type HasCredential = (catalog: Catalog, scope?: CredentialScope) => boolean;

/** A catalog on offer, with the text of its files (RUN-183). */
export const registeredCatalog = (
  { catalog, domain, mappings }: Pick<RegisteredCatalog, "catalog" | "domain" | "mappings">,
  hasCredential: HasCredential,
): RegisteredCatalog => ({
  catalog,
  domain,
  mappings,
  // Asked each time: one may be stored while the server runs.
  get credentials() {
    return hasCredential(catalog);
  },
  credentialsFor: (scope) => hasCredential(catalog, scope),
});

import type { CatalogAdmin, Keys, PolicyAdmin } from "@plasm/agent-core";

/** What the routes for administrators work with. MCP and the engine have no part in it (SURF-16). */
export interface Administrators {
  readonly keys: Pick<Keys, "recordOf">;
  readonly policies: PolicyAdmin;
  readonly catalogs: CatalogAdmin;
}

async function nobody(): Promise<never> {
  throw new Error("Nobody administrates here");
}

/** A deployment without administrators: no key is known, so that nothing is ever changed. */
export const NO_ADMINISTRATORS: Administrators = Object.freeze({
  keys: { recordOf: async () => null },
  policies: { put: nobody },
  catalogs: { import: nobody, withdraw: nobody },
});

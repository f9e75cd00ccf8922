import type { Engine, Store } from "@plasm/agent-core";
import {
  catalogAdmin,
  liveRegistry,
  type CatalogAdmin,
  type HasCredential,
  type LiveRegistry,
} from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import {
  effectiveBackends,
  type CatalogTexts,
  importedRefusal,
  type LoadOptions,
  openCatalogTexts,
  variablesOf,
  type VariableRules,
} from "@plasm/runtime";
import type { Catalogs } from "./directory-catalogs.ts";
import type { DirectoryVariables } from "./secrets.ts";

/** What a host offers, and who adds to it. */
export interface HostCatalogs {
  readonly registry: LiveRegistry;
  readonly admin: CatalogAdmin;
}

/** What catalogs are opened with. */
export interface Opening {
  readonly loading: LoadOptions;
  readonly hasCredential: HasCredential;
  /** which variables imported catalogs may name */
  readonly variables: DirectoryVariables;
  readonly warn: (what: string, cause: unknown) => void;
}

/** The catalogs of directories and those that were imported into the store (RUN-180, SESS-12). */
export async function hostCatalogs(
  store: Store,
  files: Pick<Catalogs, "registry">,
  { loading, hasCredential, variables, warn }: Opening,
): Promise<HostCatalogs> {
  const open = (texts: CatalogTexts) => openCatalogTexts(texts, loading);
  const registry = liveRegistry({ store, files: files.registry, open, hasCredential, warn });
  await registry.refresh();
  variables.offers(registry.list);
  const refusal = (catalog: Catalog) => refusedVariables(variables, catalog);
  return { registry, admin: catalogAdmin({ store, registry, open, refusal }) };
}

/** Why a catalog cannot be imported: it names variables that are not its own. Null where it can. */
function refusedVariables(rules: VariableRules, { entryId, cgs }: Catalog): string | null {
  const refused = variablesOf(cgs).flatMap((name) => {
    const why = importedRefusal(rules, entryId, name);
    return why === null ? [] : [`${name}: ${why}`];
  });
  if (refused.length === 0) return null;
  return `auth names variables of the environment that ${entryId} may not read. ${refused.join(". ")}. Name one of its own, store the secret with plasm auth, or have the operator list it in PLASM_CATALOG_ENV.`;
}

/** An engine that knows, whenever it is asked for catalogs, what any process on the store has imported. */
export function onFreshCatalogs(engine: Engine, { refresh }: LiveRegistry): Engine {
  const fresh =
    <Args extends readonly unknown[], T>(call: (...args: Args) => T | Promise<T>) =>
    async (...args: Args): Promise<T> => {
      await refresh();
      return call(...args);
    };
  return {
    ...engine,
    context: fresh(engine.context),
    discover: fresh(engine.discover),
    registry: fresh(engine.registry),
    registryEntry: fresh(engine.registryEntry),
    readResource: fresh(engine.readResource),
  };
}

/** Backends by entry id, those of catalogs that come later among them: a lookup reads the environment. */
class LateBackends extends Map<string, string> {
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(
    known: ReadonlyMap<string, string>,
    env: Readonly<Record<string, string | undefined>>,
  ) {
    super(known);
    this.#env = env;
  }

  override get(entryId: string): string | undefined {
    return super.get(entryId) ?? effectiveBackends([entryId], this.#env).get(entryId);
  }

  override has(entryId: string): boolean {
    return this.get(entryId) !== undefined;
  }
}

/** The backends that the deployment sets (RUN-004), for these catalogs and for those imported later. */
export const backendsOf = (
  entryIds: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> => new LateBackends(effectiveBackends(entryIds, env), env);

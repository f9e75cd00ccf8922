import {
  type Capability,
  type Catalog,
  discover,
  type Entity,
  type JsonObject,
  type Policy,
  type Relation,
} from "@plasm/core";
import {
  everydayWords,
  capabilitiesOf,
  compareCodePoints,
  innerCapabilities,
  mayUseApi,
  mayUseCapability,
  shownDropped,
} from "@plasm/core/internal";
import { credentialHelp, type CredentialScope } from "@plasm/runtime";
import { fail } from "../errors/problem.ts";
import { named, refuseNoText } from "../errors/arguments.ts";
import type { CatalogRegistry, PolicyProvider, RegisteredCatalog } from "../ports.ts";
import type { CatalogOrigin } from "../records/sessions.ts";
import type { DiscoveryOutcome } from "../outcome.ts";
import type { Caller } from "../identity/caller.ts";

/** A catalog that a caller may use (RUN-183). */
export type RegistryRow = {
  readonly entry_id: string;
  readonly label: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly version: number;
  readonly digest: string;
  readonly entities: number;
  readonly capabilities: number;
  readonly credentials: boolean;
  /** how to supply them, where they are missing */
  readonly credentials_needed?: ReturnType<typeof credentialHelp>;
  /** what the files have and the catalog has not, with why */
  readonly not_loaded?: readonly { readonly part: string; readonly why: string }[];
};

/** A step from rows of an entity to rows of another: a relation, or a field that refers to one. */
type RelationRow = {
  readonly relation: string;
  readonly target: string;
  readonly cardinality: "one" | "many";
  readonly description: string;
};

/** An entity with what can be done with it, and where it leads. */
type EntityRow = {
  readonly entity: string;
  readonly description: string;
  readonly capabilities: readonly {
    readonly label: string;
    readonly kind: string;
    readonly description: string;
  }[];
  readonly relations: readonly RelationRow[];
};

/** The same catalog with its entities in place of their number. */
export type RegistryEntryView = Omit<RegistryRow, "entities"> & {
  readonly entities: readonly EntityRow[];
  /** what it was made of; absent where nothing was kept of that */
  readonly origin?: CatalogOrigin;
};

/** For whom the registry is shown: what they may use, and whose credentials their calls have. */
export interface RegistryReader {
  readonly policy: Policy;
  readonly credentials: CredentialScope;
}

/** Whether a reader may know of a capability: of a view only with all that it is made of (SURF-26). */
const isShown = (policy: Policy, catalog: Catalog, capability: Capability): boolean =>
  [capability, ...innerCapabilities(catalog, capability)].every((each) =>
    mayUseCapability(policy, catalog.entryId, each),
  );

/** What the files have and the catalog has not, with why; nothing where it is whole (RUN-180). */
function notLoaded(catalog: Catalog, policy: Policy): Pick<RegistryRow, "not_loaded"> {
  const parts = shownDropped(policy, catalog).map(({ part, why }) => ({ part, why }));
  return parts.length === 0 ? {} : { not_loaded: parts };
}

function row(registered: RegisteredCatalog, reader: RegistryReader): RegistryRow {
  const { catalog } = registered;
  const { cgs } = catalog;
  const credentials = registered.credentialsFor?.(reader.credentials) ?? registered.credentials;
  const shown = [...cgs.capabilities.values()].filter((one) =>
    isShown(reader.policy, catalog, one),
  );
  return {
    entry_id: catalog.entryId,
    label: cgs.label,
    description: cgs.description,
    tags: [...cgs.tags],
    aliases: [...cgs.registryAliases],
    version: cgs.version,
    digest: catalog.digest,
    entities: cgs.entities.size,
    capabilities: shown.length,
    credentials,
    ...(credentials ? {} : { credentials_needed: credentialHelp(catalog) }),
    ...notLoaded(catalog, reader.policy),
  };
}

/** The catalogs a policy permits, by entry id (RUN-183). */
export const listRegistry = (
  registry: CatalogRegistry,
  reader: RegistryReader,
): readonly RegistryRow[] =>
  registry
    .list()
    .filter((one) => mayUseApi(reader.policy, one.catalog.entryId))
    .toSorted((a, b) => compareCodePoints(a.catalog.entryId, b.catalog.entryId))
    .map((one) => row(one, reader));

/** The steps of an entity by name; one whose rows a forbidden capability reads is not shown (SURF-26). */
function relationRows(
  catalog: Catalog,
  policy: Policy,
  { relations, fields }: Entity,
): readonly RelationRow[] {
  const isReadable = ({ materialize }: Relation): boolean => {
    if (materialize === undefined || !("capability" in materialize)) return true;
    const capability = catalog.cgs.capabilities.get(materialize.capability);
    return capability === undefined || isShown(policy, catalog, capability);
  };
  const references = [...fields.values()].flatMap(({ name, type, description }) =>
    type.kind !== "entity_ref" || relations.has(name)
      ? []
      : [{ relation: name, target: type.target, cardinality: "one" as const, description }],
  );
  return [
    ...[...relations.values()]
      .filter(isReadable)
      .map(({ name, target, cardinality, description }) => ({
        relation: name,
        target,
        cardinality,
        description,
      })),
    ...references,
  ].toSorted((a, b) => compareCodePoints(a.relation, b.relation));
}

function entityRow(catalog: Catalog, policy: Policy, entity: Entity): EntityRow {
  const { name, description } = entity;
  const capabilities = capabilitiesOf(catalog.cgs, name)
    .filter((one) => isShown(policy, catalog, one))
    .map((one) => ({
      label: one.label,
      kind: one.kind,
      description: one.description,
    }));
  return {
    entity: name,
    description,
    capabilities,
    relations: relationRows(catalog, policy, entity),
  };
}

/** One permitted catalog with its entities and capabilities; a forbidden one answers as unknown. */
export async function registryEntry(
  registry: CatalogRegistry,
  reader: RegistryReader,
  entryId: string,
): Promise<RegistryEntryView> {
  const { policy } = reader;
  const registered = mayUseApi(policy, entryId) ? registry.get(entryId) : undefined;
  if (registered === undefined)
    throw fail("plasm-unknown-catalog", `No catalog ${named(entryId)}.`);
  const { catalog } = registered;
  const entities = [...catalog.cgs.entities.values()]
    .filter((one) => !one.abstract)
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
    .map((one) => entityRow(catalog, policy, one));
  const origin = (await registered.origin?.()) ?? null;
  return { ...row(registered, reader), entities, ...(origin === null ? {} : { origin }) };
}

/** A search for seeds as a surface hands it in, before any check (TEACH-36). */
export interface DiscoverArguments {
  readonly intent?: unknown;
  readonly apis?: unknown;
  readonly limit?: unknown;
}

const MAX_LIMIT = 32;

function checkLimit(limit: unknown): number | undefined {
  if (limit === undefined) return undefined;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) {
    return limit;
  }
  throw fail("plasm-bad-request", `limit is a whole number from 1 to ${MAX_LIMIT}.`);
}

function checkApis(apis: unknown): readonly string[] | undefined {
  if (apis === undefined) return undefined;
  if (Array.isArray(apis) && apis.every((api) => typeof api === "string")) return apis;
  throw fail("plasm-bad-request", "apis is a list of catalog names.");
}

/** Finds entities for an intent among the catalogs the caller may use (TEACH-36 to TEACH-40). */
export async function discoverSeeds(
  registry: CatalogRegistry,
  policies: PolicyProvider,
  caller: Caller,
  request: DiscoverArguments,
): Promise<DiscoveryOutcome> {
  const { intent } = request;
  if (typeof intent !== "string" || intent.trim() === "") {
    const given = typeof intent === "string" ? undefined : intent;
    throw refuseNoText("intent", given, "the goal in one sentence");
  }
  const apis = checkApis(request.apis);
  const limit = checkLimit(request.limit);
  const catalogs = registry.list().map((one) => one.catalog);
  const found = discover(
    {
      intent,
      synonyms: everydayWords(),
      ...(limit === undefined ? {} : { limit }),
      ...(apis === undefined ? {} : { apis }),
    },
    catalogs,
    await policies.policyOf(caller.scope),
  );
  if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
  const options = found.options.map((option): JsonObject => ({ ...option }));
  const others = found.others.map((one): JsonObject => ({ ...one }));
  const further = found.further.map((one): JsonObject => ({ ...one }));
  const named = {
    ...(others.length === 0 ? {} : { others }),
    ...(further.length === 0 ? {} : { further }),
    ...(found.elsewhere.length === 0 ? {} : { elsewhere: found.elsewhere }),
  };
  return {
    kind: "discovery",
    text: found.text,
    meta: { options, omitted: found.omitted, ...named },
  };
}

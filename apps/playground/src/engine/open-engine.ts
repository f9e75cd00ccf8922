import {
  type AgentSession,
  createAgentSession,
  createEngine,
  memoryStore,
  registeredCatalog,
} from "@plasm/agent-core";
import type { Capability, Catalog } from "@plasm/core";
import {
  type CatalogTexts,
  openCatalogTexts,
  rowLimits,
  systemClock,
  systemIds,
} from "@plasm/runtime";
import { type InPageApi, pageTransport } from "./page-transport.ts";

/** A catalog, and what answers its requests. */
export interface PageCatalog {
  readonly texts: CatalogTexts;
  readonly api: InPageApi;
}

/** A conversation with an engine of this page. */
export interface PageEngine {
  readonly session: AgentSession;
  /** entry id → its entities */
  readonly entities: ReadonlyMap<string, readonly PageEntity[]>;
}

/** An entity that programs can be about. */
export interface PageEntity {
  readonly name: string;
  /** whether it can be read without saying which: all of it, or the only one */
  readonly isOpen: boolean;
}

const READS: ReadonlySet<string> = new Set(["query", "singleton"]);

const opensIt = ({ kind, parameters }: Capability): boolean =>
  READS.has(kind) && parameters.every(({ required }) => !required);

function entitiesOf({ cgs }: Catalog): readonly PageEntity[] {
  const capabilities = [...cgs.capabilities.values()];
  const names = new Set(capabilities.map(({ entity }) => entity));
  const open = new Set(capabilities.filter(opensIt).map(({ entity }) => entity));
  return [...names].toSorted().map((name) => ({ name, isOpen: open.has(name) }));
}

const MIB = 1024 * 1024;
/** What rows may take is a share of a heap of this size: no page can ask for its own. */
const HEAP = 512 * MIB;

/** What changes something runs once the person at the page has approved its plan (SURF-25). */
const POLICY = { approval: { operator: ["all"] } };

/** The origin that requests of a catalog go to: a name that no network has (RFC 6761). */
const originOf = (entryId: string): string =>
  `https://${entryId.replaceAll(/[^a-z0-9-]+/g, "-")}.invalid`;

async function opened({ texts }: PageCatalog) {
  const { catalog, diagnostics } = await openCatalogTexts(texts);
  if (catalog !== null) return registeredCatalog({ ...texts, catalog }, () => true);
  const [first] = diagnostics;
  throw new Error(first === undefined ? "The catalog does not load." : first.message);
}

/**
 * Opens an engine in this page on catalogs whose APIs are in it, too (SURF-58); `others` answers at all other origins,
 * those that give tokens among them. Throws where a catalog does not load.
 */
export async function openPageEngine(
  catalogs: readonly PageCatalog[],
  others?: InPageApi,
): Promise<PageEngine> {
  const entries = await Promise.all(catalogs.map(opened));
  const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
  const policy = {
    apis: Object.fromEntries(entries.map(({ catalog }) => [catalog.entryId, POLICY])),
  };
  const apis = new Map(catalogs.map(({ texts, api }) => [originOf(texts.entryId), api]));
  const store = memoryStore();
  const engine = createEngine({
    store,
    registry: { list: () => entries, get: (entryId) => byId.get(entryId) },
    policies: { policyOf: () => policy },
    backends: new Map(entries.map(({ catalog: { entryId } }) => [entryId, originOf(entryId)])),
    rows: rowLimits({}, HEAP),
    ports: {
      transport: pageTransport(apis, others),
      // Nobody checks them: an API in this page answers whoever asks.
      secrets: { env: () => "none", hosted: () => Promise.resolve("none") },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  return {
    session: createAgentSession(engine, undefined, { store }),
    entities: new Map(entries.map(({ catalog }) => [catalog.entryId, entitiesOf(catalog)])),
  };
}

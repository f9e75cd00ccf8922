import {
  type AgentSession,
  createAgentSession,
  createEngine,
  memoryStore,
  registeredCatalog,
} from "@plasm/agent-core";
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
  /** entry id → the entities that programs can begin with */
  readonly entities: ReadonlyMap<string, readonly string[]>;
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

/** Opens an engine in this page on catalogs whose APIs are in it, too (SURF-58). Throws where a catalog does not load. */
export async function openPageEngine(catalogs: readonly PageCatalog[]): Promise<PageEngine> {
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
      transport: pageTransport(apis),
      // Nobody checks them: an API in this page answers whoever asks.
      secrets: { env: () => "none", hosted: () => Promise.resolve("none") },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  const entities = entries.map(({ catalog }): [string, readonly string[]] => {
    const names = [...catalog.cgs.capabilities.values()].map(({ entity }) => entity);
    return [catalog.entryId, [...new Set(names)].toSorted()];
  });
  return {
    session: createAgentSession(engine, undefined, { store }),
    entities: new Map(entities),
  };
}

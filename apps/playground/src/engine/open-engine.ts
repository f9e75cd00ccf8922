import {
  type AgentSession,
  createAgentSession,
  createEngine,
  memoryStore,
  registeredCatalog,
} from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import { type CatalogTexts, openCatalogTexts, rowLimits, systemClock, systemIds } from "@plasm/runtime";
import { type InPageApi, pageTransport } from "./page-transport.ts";

/** A catalog, and what answers its requests. */
export interface PageCatalog {
  readonly texts: CatalogTexts;
  readonly api: InPageApi;
}

const MIB = 1024 * 1024;
/** What rows may take is a share of a heap of this size: no page can ask for its own. */
const HEAP = 512 * MIB;

/** What changes something runs once the person at the page has approved its plan. */
const POLICY: Policy = { default: { approval: { operator: ["all"] } } } as unknown as Policy;

/** The origin that requests of a catalog go to; a name that no network has (RFC 6761). */
const originOf = (entryId: string): string => `https://${entryId.replaceAll("_", "-")}.invalid`;

async function opened({ texts }: PageCatalog) {
  const { catalog, diagnostics } = await openCatalogTexts(texts);
  if (catalog !== null) return registeredCatalog({ catalog, ...texts }, () => true);
  const [first] = diagnostics;
  throw new Error(first === undefined ? "The catalog does not load." : first.message);
}

/** Opens an engine in this page on catalogs whose APIs are in it, too. Throws where a catalog does not load. */
export async function openPageEngine(catalogs: readonly PageCatalog[]): Promise<AgentSession> {
  const entries = await Promise.all(catalogs.map(opened));
  const byId = new Map(entries.map((entry) => [entry.catalog.entryId, entry]));
  const store = memoryStore();
  const engine = createEngine({
    store,
    registry: { list: () => entries, get: (entryId) => byId.get(entryId) },
    policies: { policyOf: () => POLICY },
    backends: new Map(entries.map(({ catalog: { entryId } }) => [entryId, originOf(entryId)])),
    rows: rowLimits({}, HEAP),
    ports: {
      transport: pageTransport(
        new Map(catalogs.map(({ texts, api }) => [originOf(texts.entryId), api])),
      ),
      secrets: { env: () => undefined, hosted: () => Promise.resolve(undefined) },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  return createAgentSession(engine, undefined, { store });
}

import type { Authenticator } from "@plasm/agent-core/internal";
import { MCP_PATH, servedOrigin } from "./http.ts";
import { VERSION } from "./version.ts";

/** Below the address of MCP, where the extension reserves the place. */
const CARD_PATH = `${MCP_PATH}/server-card`;
/** Where clients look that know a domain alone. */
const CATALOG_PATH = "/.well-known/ai-catalog.json";

const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const NAME = "plasm";

/** Versions of MCP that `/mcp` answers in, the newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = Object.freeze([
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/** The host as names of servers have it: an address is no such name. */
const publisherOf = ({ hostname }: URL): string =>
  /^[\d.]+$|^\[/.test(hostname) ? "localhost" : hostname;

/** What a client asks its person for; who has issuers is signed in by them (RFC 9728), and is asked for nothing. */
function headersOf({ mode, issuers }: Authenticator): readonly object[] {
  if (mode === "off" || issuers.length > 0) return [];
  const description = "Bearer and an API key of this server";
  return [{ name: "Authorization", description, isRequired: mode === "required", isSecret: true }];
}

/** A document for who has not connected yet, and who may be a page of any origin where the server has an address of its own. */
function answer(type: string, content: object, isPublic: boolean): Response {
  const open = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "Content-Type",
  };
  const headers = { "content-type": type, "cache-control": "public, max-age=3600" };
  return new Response(JSON.stringify(content), {
    headers: { ...headers, ...(isPublic ? open : {}) },
  });
}

type Document = (request: Request, auth: Authenticator, origin?: string) => Response;

const serverCard: Document = (request, auth, origin) => {
  const address = new URL(servedOrigin(request, origin));
  const headers = headersOf(auth);
  const remote = {
    type: "streamable-http",
    url: `${address.origin}${MCP_PATH}`,
    supportedProtocolVersions: PROTOCOL_VERSIONS,
    ...(headers.length === 0 ? {} : { headers }),
  };
  const card = {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${publisherOf(address).split(".").toReversed().join(".")}/${NAME}`,
    version: VERSION,
    title: "Plasm",
    description: "Agents use APIs by small programs that are reviewed before they run.",
    remotes: [remote],
  };
  return answer(CARD_TYPE, card, origin !== undefined);
};

const aiCatalog: Document = (request, _auth, origin) => {
  const address = new URL(servedOrigin(request, origin));
  const entry = {
    identifier: `urn:air:${publisherOf(address)}:${NAME}`,
    displayName: "Plasm",
    type: CARD_TYPE,
    url: `${address.origin}${CARD_PATH}`,
  };
  return answer(CATALOG_TYPE, { specVersion: "1.0", entries: [entry] }, origin !== undefined);
};

/**
 * What clients read of a server before they connect, by its path (SURF-68): its card, as the extension
 * `io.modelcontextprotocol/server-card` has it, and the AI catalog that leads to the card. Both say nothing of tenants, catalogs or tools.
 */
export const SERVER_CARDS: ReadonlyMap<string, Document> = new Map([
  [CARD_PATH, serverCard],
  [CATALOG_PATH, aiCatalog],
]);

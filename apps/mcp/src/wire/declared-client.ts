import type { ConnectionClient } from "@plasm/host";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import { showsCards } from "../card.ts";

/** What a client said that it can do with its person. */
export interface DeclaredClient extends Required<ConnectionClient> {
  /** it asks its person to fill in forms (elicitation of mode form) */
  readonly fillsForms: boolean;
}

/** Reads the capabilities of a client. Elicitation without a mode means forms. */
export function clientIn(capabilities: unknown): DeclaredClient {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  const modes = typeof elicitation === "object" && elicitation !== null ? elicitation : null;
  const { url } = (modes ?? {}) as { readonly url?: unknown };
  return {
    leadsToUrls: typeof url === "object" && url !== null,
    fillsForms: modes !== null && ("form" in modes || !("url" in modes)),
    showsCards: showsCards(capabilities),
  };
}

/** How a server is told of its client. */
interface Told {
  /** 2026-07-28 is spoken, else one of the 2025 protocols */
  readonly modern: boolean;
  /** the connection can be written to at any time */
  readonly standing: boolean;
  /** what was kept of a connection of the 2025 protocols over HTTP, whose client is asked nothing in the middle of a call */
  readonly kept: (() => Promise<ConnectionClient>) | undefined;
}

/** What the client of a request said: in the request itself, when its connection began, or as was kept of that. */
export async function declaredBy(
  server: Server,
  { modern, standing, kept }: Told,
  { mcpReq }: RequestContext,
): Promise<DeclaredClient> {
  if (modern) {
    const envelope = new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
    return clientIn(envelope.get(CLIENT_CAPABILITIES_META_KEY));
  }
  if (standing) return clientIn(server.getClientCapabilities());
  return { ...clientIn({}), ...(await kept?.()) };
}

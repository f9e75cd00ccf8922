import { FastMCP } from "fastmcp";
import { fromOpenAPI } from "fastmcp/openapi";
import type { McpPeer } from "./mcp-side.ts";
import { operationOf, type PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { RestTools } from "./rest-side.ts";

/** As many tools as the documents have operations. */
const ALL = 10_000;

/** One FastMCP server with a tool for each operation of both documents. */
export async function fastmcpServer(
  { github: { url }, apis, token }: PeersWorld,
  { github, quay }: Pick<PeerDocuments, "github" | "quay">,
): Promise<FastMCP> {
  // A ping that goes unanswered for a while says nothing of a server in this process.
  const server = new FastMCP({ name: "peers", version: "1.0.0", ping: { enabled: false } });
  // A copy each: the bundler writes into what it is given.
  const spec = (document: object) => structuredClone(document) as Record<string, unknown>;
  const all = { maxTools: ALL, fetch };
  const headers = { authorization: `Bearer ${token}` };
  await fromOpenAPI({ server, spec: spec(github), baseUrl: url, headers, ...all });
  await fromOpenAPI({ server, spec: spec(quay), baseUrl: apis.quay.url, ...all });
  return server;
}

/** The name that FastMCP gives an operation. */
export const slug = (operationId: string): string =>
  operationId.replaceAll(/[^a-zA-Z0-9_]+/g, "_").slice(0, 51);

/** FastMCP's own way from an OpenAPI document to tools, by way of its client. */
export function fastmcpTools(documents: PeerDocuments, peer: McpPeer): RestTools {
  return {
    name: "fastmcp",
    definitions: peer.definitions,
    callOf: ({ vendor, operation, path, query, body = {} }) => {
      const name = slug(operationOf(documents[vendor], operation).operationId);
      // A body that may be of several forms is one argument; members of others are arguments themselves.
      const takes = peer.tools.get(name) ?? [];
      const apart = Object.keys(body).every((member) => takes.includes(member));
      return { name, args: { ...path, ...query, ...(apart ? body : { body }) } };
    },
    call: ({ name, args }) => peer.call(name, args),
    close: () => peer.close(),
  };
}

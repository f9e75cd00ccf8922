import { join } from "node:path";
import { generatedTransport, generateServer } from "./generated-server.ts";
import { connectPeer, type McpPeer } from "./mcp-side.ts";
import { operationOf, type PeerDocuments } from "./document.ts";
import type { Vendor } from "./peer-task.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { RestTools } from "./rest-side.ts";

/** The name that the generator gives an operation. */
const sanitized = (operationId: string): string => operationId.replaceAll(/[^a-z0-9_-]/gi, "_");

/** openapi-mcp-generator's servers, one for each document, since it takes one. */
export async function generatedTools(
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<RestTools> {
  const start = async (vendor: Vendor, baseUrl: string): Promise<McpPeer> => {
    const dir = join(world.dir, `generated-${vendor}`);
    const source = await generateServer(documents[vendor], baseUrl, dir);
    return connectPeer(generatedTransport(source, world.token));
  };
  const peers: Readonly<Record<Vendor, McpPeer>> = {
    github: await start("github", world.github.url),
    quay: await start("quay", world.apis.quay.url),
  };
  return {
    name: "openapi-mcp-generator",
    definitions: peers.github.definitions + peers.quay.definitions,
    callOf: ({ vendor, operation, path, query, body }) => ({
      name: sanitized(operationOf(documents[vendor], operation).operationId),
      args: { ...path, ...query, ...(body === undefined ? {} : { requestBody: body }) },
    }),
    call: ({ name, args }, { vendor }) => peers[vendor].call(name, args),
    close: async () => {
      await peers.github.close();
      await peers.quay.close();
    },
  };
}

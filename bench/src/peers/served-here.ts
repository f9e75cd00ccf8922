import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { connectPeer, type McpPeer } from "./mcp-side.ts";
import type { PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";
import { type ServedSide, serveSide } from "./serve-side.ts";

/** A side served in this process, by a pair of transports. */
export async function servedHere(
  side: ServedSide,
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<McpPeer> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const end = await serveSide(side, world, documents, far);
  const peer = await connectPeer(near);
  return {
    ...peer,
    close: async () => {
      await peer.close();
      await end();
    },
  };
}

import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";

/** A side's server at one end of a connection; ends it when called. */
type Serve = (
  world: PeersWorld,
  documents: PeerDocuments,
  far: Transport,
) => Promise<() => Promise<void>>;

/** Servers by the name of their side; a process loads no package of a side that it does not serve. */
const SERVERS = {
  plasm: async (world, _documents, far) => {
    const { plasmHost } = await import("./plasm-side.ts");
    const { connectTransport } = await import("@plasm/mcp");
    const host = await plasmHost(world);
    const server = connectTransport(far, host);
    return async () => {
      await server.close();
      await host.close();
    };
  },
  codemode: async (world, documents, far) => {
    const { codemodeServer } = await import("./codemode-side.ts");
    const { mergedDocument } = await import("./document.ts");
    const server = codemodeServer(world, mergedDocument(documents));
    await server.connect(far);
    return () => server.close();
  },
  fastmcp: async (world, documents, far) => {
    const { fastmcpServer } = await import("./fastmcp-tools.ts");
    const server = await fastmcpServer(world, documents);
    // It answers nothing more before its client has said hello.
    void server.connect(far);
    return () => server.stop();
  },
} as const satisfies Readonly<Record<string, Serve>>;

/** The sides whose server can be put at the end of a connection. */
export type ServedSide = keyof typeof SERVERS;

export const SERVED_SIDES = Object.keys(SERVERS) as readonly ServedSide[];

/** Serves a side at one end of a connection. */
export const serveSide = (side: ServedSide, ...to: Parameters<Serve>): ReturnType<Serve> =>
  SERVERS[side](...to);

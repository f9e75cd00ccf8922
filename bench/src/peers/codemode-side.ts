import { openApiMcpServer } from "@cloudflare/codemode/mcp";
import { type CodemodeStyle, searchesFor } from "./codemode-learning.ts";
import { sendRequest } from "./codemode-request.ts";
import type { McpPeer } from "./mcp-side.ts";
import { nodeExecutor } from "./node-executor.ts";
import { mergedDocument, type PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { Side } from "./side.ts";
import { callText, type Exchange, rowsOf } from "./transcript.ts";

async function exchange(
  peer: McpPeer,
  phase: Exchange["phase"],
  turn: number,
  code: string,
): Promise<Exchange> {
  const tool = phase === "learn" ? "search" : "execute";
  return { phase, turn, call: callText(tool, { code }), text: await peer.call(tool, { code }) };
}

/** Codemode's OpenAPI server over one document of both vendors, on an executor of this process; one a connection. */
export function codemodeServer(world: PeersWorld, document: object) {
  const { github, apis, token } = world;
  const backends = { github: github.url, quay: apis.quay.url, token };
  return openApiMcpServer({
    spec: document as Record<string, unknown>,
    executor: nodeExecutor,
    request: (options) => sendRequest(options, backends),
  });
}

/** Conversations with codemode, by way of its client, which searches in this style. */
export function codemodeSide(
  world: PeersWorld,
  documents: PeerDocuments,
  style: CodemodeStyle,
  peer: McpPeer,
): Side {
  const document = mergedDocument(documents);
  return {
    name: style === "lean" ? "codemode" : "codemode, as documented",
    definitions: peer.definitions,
    play: async (task, { learnt }) => {
      const exchanges: Exchange[] = [];
      const missing = task.operations.filter((name) => !learnt.has(name));
      const searches = missing.length === 0 ? [] : searchesFor(style, document, missing);
      for (const code of searches) {
        exchanges.push(await exchange(peer, "learn", exchanges.length, code));
      }
      for (const name of missing) learnt.add(name);
      const before = world.requests();
      const done = await exchange(peer, "work", exchanges.length, task.code);
      exchanges.push(done);
      const requests = world.requests() - before;
      const rows = await (task.after?.(world) ?? rowsOf(JSON.parse(done.text)));
      return { exchanges, rows, requests };
    },
    close: () => peer.close(),
  };
}

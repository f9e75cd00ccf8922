import { codemodeSide } from "./codemode-side.ts";
import { fastmcpTools } from "./fastmcp-tools.ts";
import { fetchTools } from "./fetch-tools.ts";
import { generatedTools } from "./generated-tools.ts";
import type { PeerDocuments } from "./peer-documents.ts";
import type { PeersWorld } from "./peers-world.ts";
import { plasmSide } from "./plasm-side.ts";
import { restSide } from "./rest-side.ts";
import { servedHere } from "./serve-side.ts";
import type { Side } from "./side.ts";

/** Plasm first, then its peers, the bare fetch last; in this process, or `served` by others; all on one world. */
export const openSides = async (
  world: PeersWorld,
  documents: PeerDocuments,
  served: typeof servedHere = servedHere,
): Promise<readonly Side[]> => [
  plasmSide(world, await served("plasm", world, documents)),
  codemodeSide(world, documents, "lean", await served("codemode", world, documents)),
  restSide(world, fastmcpTools(documents, await served("fastmcp", world, documents))),
  restSide(world, fetchTools(world)),
];

/** What a run of all measures besides: codemode asked as it says itself, and a peer with processes of its own. */
export const openMoreSides = async (
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<readonly Side[]> => [
  codemodeSide(world, documents, "documented", await servedHere("codemode", world, documents)),
  restSide(world, await generatedTools(world, documents)),
];

/** Ends them. */
export async function closeSides(sides: readonly Side[]): Promise<void> {
  for (const side of sides) await side.close();
}

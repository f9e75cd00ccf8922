import { codemodeSide } from "./codemode-side.ts";
import { fastmcpTools } from "./fastmcp-tools.ts";
import { fetchTools } from "./fetch-tools.ts";
import { generatedTools } from "./generated-tools.ts";
import type { PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";
import { plasmSide } from "./plasm-side.ts";
import { restSide, type RestTools } from "./rest-side.ts";
import { servedHere } from "./served-here.ts";
import { servedApart } from "./side-process.ts";
import type { Side } from "./side.ts";

/** Sides that may do a task at the same time, and those tools of theirs that a model calls for each request. */
interface Opened {
  readonly sides: readonly Side[];
  readonly tools: readonly RestTools[];
}

/** Plasm first, then its peers, the bare fetch last; all on one world. */
async function open(
  world: PeersWorld,
  documents: PeerDocuments,
  served: typeof servedHere,
): Promise<Opened> {
  const plasm = plasmSide(world, await served("plasm", world, documents));
  const codemode = await served("codemode", world, documents);
  const lean = codemodeSide(world, documents, "lean", codemode);
  const fastmcp = fastmcpTools(documents, await served("fastmcp", world, documents));
  const tools = [fastmcp, fetchTools(world)];
  return { sides: [plasm, lean, ...tools.map((each) => restSide(world, each))], tools };
}

/** The sides in this process: Plasm first, then its peers, the bare fetch last. */
export const openSides = async (
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<readonly Side[]> => (await open(world, documents, servedHere)).sides;

/** Sides that are timed; the last of each is the bare fetch. */
export interface TimedSides {
  readonly atOnce: readonly Side[];
  /** a tool per operation as hosts use it that send calls one by one; they end with the sides above, whose servers they ask */
  readonly oneByOne: readonly Side[];
}

/** The same, served by processes of their own. */
export async function openTimedSides(
  world: PeersWorld,
  documents: PeerDocuments,
): Promise<TimedSides> {
  const { sides, tools } = await open(world, documents, servedApart);
  return { atOnce: sides, oneByOne: tools.map((each) => restSide(world, each, true)) };
}

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

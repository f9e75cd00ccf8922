import { TOKENIZERS } from "./count-tokens.ts";
import { costsOf, type SideTotal, type TaskCost, totalsOf } from "./measure-tokens.ts";
import { closeSides, openMoreSides, openSides } from "./open-sides.ts";
import type { PeerDocuments } from "./document.ts";
import { peerDocuments } from "./peer-documents.ts";
import { type Goal, tokenGoals } from "./peers-goals.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { type Played, playAll, playTogether } from "./play-tasks.ts";
import type { Side } from "./side.ts";
import { storedTranscripts } from "./store-transcripts.ts";
import { PEER_TASKS } from "./tasks/all-tasks.ts";
import { type WholeDocument, wholeDocument } from "./whole-document.ts";

/** Tokens, turns and requests of all sides. */
export interface PeerTokens {
  readonly totals: readonly SideTotal[];
  /** all tasks in one conversation, in which nothing is learnt twice: definitions once, then the rest */
  readonly together: readonly { readonly side: string; readonly tokens: number }[];
  /** what Plasm's contract takes, once a session, at its longest */
  readonly contract: number;
  readonly whole: WholeDocument;
  readonly goals: readonly Goal[];
  readonly costs: readonly TaskCost[];
}

export interface MeasuredPeers {
  readonly tokens: PeerTokens;
  readonly transcripts: readonly object[];
}

/** Tokens of the longest contract: what stands before the first table. */
function contractOf(played: readonly Played[]): number {
  const texts = played
    .filter(({ side }) => side.name === "plasm")
    .flatMap(({ transcript }) => transcript.exchanges)
    .filter(({ text }) => text.startsWith("logical_session_ref"))
    .map(({ text }) => text.slice(0, text.search(/\n\n\w+: /)));
  return Math.max(...texts.map((text) => TOKENIZERS.o200k(text)));
}

/** One conversation that does every task; sides that learn nothing need none, theirs are added up. */
async function together(
  world: PeersWorld,
  sides: readonly Side[],
  costs: readonly TaskCost[],
): Promise<PeerTokens["together"]> {
  const sums: { readonly side: string; readonly tokens: number }[] = [];
  for (const side of sides) {
    const own = costs.filter((cost) => cost.side === side.name);
    const learns = own.some(({ tokens }) => tokens.o200k.learn > 0);
    const done = learns ? costsOf(await playTogether(world, side, PEER_TASKS)) : own;
    const said = done.reduce((sum, { tokens }) => sum + tokens.o200k.learn + tokens.o200k.work, 0);
    sums.push({ side: side.name, tokens: (done[0]?.tokens.o200k.definitions ?? 0) + said });
  }
  return sums;
}

async function measureOn(
  world: PeersWorld,
  documents: PeerDocuments,
  sides: readonly Side[],
): Promise<MeasuredPeers> {
  const played = await playAll(world, sides, PEER_TASKS);
  const costs = costsOf(played);
  const totals = totalsOf(costs);
  const contract = contractOf(played);
  const talks = await together(world, sides, costs);
  const measured = { totals, costs, together: talks, contract };
  const goals = tokenGoals(measured);
  const tokens = { ...measured, whole: await wholeDocument(documents), goals };
  return { tokens, transcripts: storedTranscripts(played) };
}

/** Lets every side do every task, checks every answer, and counts. */
export async function measurePeers(): Promise<MeasuredPeers> {
  const world = await startPeersWorld();
  const sides: Side[] = [];
  try {
    const documents = peerDocuments();
    sides.push(...(await openSides(world, documents)));
    sides.push(...(await openMoreSides(world, documents)));
    return await measureOn(world, documents, sides);
  } finally {
    await closeSides(sides);
    await world.close();
  }
}

import { join } from "node:path";
import { GITHUB } from "@plasm/e2e/github-document";
import { type Host, openHost } from "@plasm/host";
import { fixtureCatalogDir } from "@plasm/testkit";
import { guessWords } from "./guess-words.ts";
import type { McpPeer } from "./mcp-side.ts";
import type { PeerTask } from "./peer-task.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { Memory, Side } from "./side.ts";
import { callText, type Exchange, type Phase, type Rows } from "./transcript.ts";

/** A cell as it was before its line ends were written out. */
const plain = (cell: string): string => cell.replaceAll(String.raw`\n`, "\n");

/** Rows of all tables in a text, without their heads. */
function tabledRows(text: string): Rows {
  const tables = [...text.matchAll(/```tsv\n([^`]*)```/g)].map(([, table = ""]) => table);
  return tables.flatMap((table) =>
    table
      .split("\n")
      .slice(1)
      .filter((line) => line !== "")
      .map((line) => line.split("\t").map(plain)),
  );
}

class Conversation {
  readonly exchanges: Exchange[] = [];
  readonly #peer: McpPeer;
  #turn = 0;

  constructor(peer: McpPeer) {
    this.#peer = peer;
  }

  async say(phase: Phase, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const text = await this.#peer.call(tool, args);
    this.exchanges.push({ phase, turn: this.#turn, call: callText(tool, args), text });
    this.#turn += 1;
    return text;
  }
}

/** How many results of discovery lead to all that a task needs. */
async function limitFor(peer: McpPeer, intent: string, seeds: readonly string[]): Promise<number> {
  const lines = (await peer.call("discover_capabilities", { intent, limit: 32 }))
    .split("\n")
    .slice(2);
  const ranks = seeds.map((seed) => lines.findIndex((line) => line.startsWith(`${seed}\t`)) + 1);
  if (ranks.includes(0)) throw new Error(`"${intent}" does not lead to ${seeds.join(", ")}`);
  return Math.max(...ranks);
}

type Seeds = PeerTask["plasm"]["seeds"];

/** Seeds as the words of the question name them; null where it has no word for one. */
function guessed(question: string, seeds: Seeds): readonly { readonly entity: string }[] | null {
  const words = seeds.map(([, entity]) => guessWords(question, entity));
  const found = words.flatMap((entity) => (entity === null ? [] : [{ entity }]));
  return found.length === words.length ? found : null;
}

/** Seeds that discovery tells of, asked for no more results than lead to them. */
async function discovered(peer: McpPeer, talk: Conversation, question: string, seeds: Seeds) {
  const keys = seeds.map((seed) => seed.join("\t"));
  const limit = await limitFor(peer, question, keys);
  await talk.say("learn", "discover_capabilities", { intent: question, limit });
  return seeds.map(([api, entity]) => ({ api, entity }));
}

/** Opens a session by the question's own words, else finds seeds first; `names` is the shorter notation. */
async function learn(
  peer: McpPeer,
  talk: Conversation,
  { question, plasm }: PeerTask,
  memory: Memory,
): Promise<void> {
  const missing = plasm.seeds.filter((seed) => !memory.learnt.has(seed.join("\t")));
  if (missing.length === 0) return;
  const guess = guessed(question, missing);
  const seeds = guess ?? (await discovered(peer, talk, question, missing));
  const { intent, onlyReads } = memory;
  const asked = { intent, seeds, notation: "names", ...(onlyReads ? { read_only: true } : {}) };
  const text = await talk.say("learn", "plasm_context", asked);
  memory.ref = /^logical_session_ref (\S+)/m.exec(text)?.[1] ?? "";
  for (const seed of missing) memory.learnt.add(seed.join("\t"));
}

async function work(talk: Conversation, task: PeerTask, ref: string): Promise<string> {
  const { program, force } = task.plasm;
  const asked = { logical_session_ref: ref, program };
  // A busy machine answers with a handle instead of rows, unless asked to wait.
  const waiting = { wait: true, ...(force === undefined ? {} : { force }) };
  if (task.after === undefined) return talk.say("work", "plasm_run", { ...asked, ...waiting });
  // A program with effects runs under the ref of its plan, which is all that says what runs.
  const planned = await talk.say("work", "plasm", asked);
  const commit = /^plan \w+ (pc\d+)/m.exec(planned)?.[1];
  const alone = { logical_session_ref: ref, plan_commit_ref: commit };
  return talk.say("work", "plasm_run", { ...alone, ...waiting });
}

/** The host of both catalogs. */
export const plasmHost = (world: PeersWorld): Promise<Host> =>
  openHost({
    dataDir: join(world.dir, "plasm"),
    catalogs: [GITHUB, fixtureCatalogDir("quay")],
    env: {
      PLASM_BACKEND_GITHUB: world.github.url,
      GITHUB_TOKEN: world.token,
      PLASM_BACKEND_QUAY: world.apis.quay.url,
    },
  });

/** Conversations with Plasm, by way of its client. */
export function plasmSide(world: PeersWorld, peer: McpPeer): Side {
  return {
    name: "plasm",
    definitions: peer.definitions,
    play: async (task, memory) => {
      const talk = new Conversation(peer);
      await learn(peer, talk, task, memory);
      const before = world.requests();
      const text = await work(talk, task, memory.ref ?? "");
      const requests = world.requests() - before;
      const rows = await (task.after?.(world) ?? tabledRows(text));
      return { exchanges: talk.exchanges, rows, requests };
    },
    close: () => peer.close(),
  };
}

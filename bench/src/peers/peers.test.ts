import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { costsOf, type SideTotal, totalsOf } from "./measure-tokens.ts";
import { fetchTools } from "./fetch-tools.ts";
import { closeSides, openSides } from "./open-sides.ts";
import { documentsFor, peerDocuments } from "./peer-documents.ts";
import { type PeersWorld, startPeersWorld } from "./peers-world.ts";
import { type Played, playAll, playTask } from "./play-tasks.ts";
import { restSide } from "./rest-side.ts";
import type { Side } from "./side.ts";
import { storedTranscripts } from "./store-transcripts.ts";
import { PEER_TASKS } from "./tasks/all-tasks.ts";

/** One of each kind, and one that changes something. */
const NAMES = [
  "one issue",
  "a new issue",
  "where a boat is registered",
  "who commented",
  "boats of an issue's author",
];
const TASKS = PEER_TASKS.filter(({ name }) => NAMES.includes(name));

let world: PeersWorld;
let sides: readonly Side[] = [];
let played: readonly Played[];
let totals: readonly SideTotal[];

beforeAll(async () => {
  world = await startPeersWorld();
  sides = await openSides(world, documentsFor(peerDocuments(), TASKS));
  played = await playAll(world, sides, TASKS);
  totals = totalsOf(costsOf(played));
}, 120_000);

afterAll(async () => {
  await closeSides(sides);
  await world.close();
});

const all = (side: string): SideTotal => {
  const found = totals.find((each) => {
    return each.side === side && each.kind === "all" && each.tokenizer === "o200k";
  });
  if (found === undefined) throw new Error(`nothing of ${side}`);
  return found;
};

test("there are thirty tasks, of four kinds", () => {
  expect(PEER_TASKS).toHaveLength(30);
  expect(new Set(PEER_TASKS.map(({ name }) => name)).size).toBe(30);
  expect(new Set(PEER_TASKS.map(({ kind }) => kind)).size).toBe(4);
});

test("each side does each task, and gives the servers' own answer", () => {
  expect(played).toHaveLength(TASKS.length * sides.length);
});

test("one by one, a call is sent when the one before is answered, and the answer is the same", async () => {
  const task = TASKS.find(({ name }) => name === "who commented");
  if (task === undefined) throw new Error("nothing to play");
  const most = async (isOneByOne: boolean): Promise<number> => {
    let [now, peak] = [0, 0];
    const tools = fetchTools(world);
    const call: typeof tools.call = async (...asked) => {
      now += 1;
      peak = Math.max(peak, now);
      return tools.call(...asked).finally(() => (now -= 1));
    };
    await playTask(world, restSide(world, { ...tools, call }, isOneByOne), task);
    return peak;
  };
  expect(await most(true)).toBe(1);
  expect(await most(false)).toBeGreaterThan(1);
});

test("a wrong answer is found", async () => {
  const side = sides.at(-1);
  const [task] = TASKS;
  if (side === undefined || task === undefined) throw new Error("nothing to play");
  const planted = { ...task, oracle: () => [["a title of nothing", "open"]] };
  await expect(playTask(world, side, planted)).rejects.toThrow("a title of nothing");
});

describe("in tokens", () => {
  test("what stands before a conversation is least with Plasm, the bare fetch apart", () => {
    const others = sides.filter(({ name }) => !["plasm", "fetch"].includes(name));
    for (const { name } of others) {
      expect(all("plasm").definitions).toBeLessThan(all(name).definitions);
    }
  });

  test("once all is known, Plasm's are fewest of all that do several calls", () => {
    const multi = (side: string): number =>
      totals
        .filter(
          ({ kind, tokenizer }) => kind !== "one call" && kind !== "all" && tokenizer === "o200k",
        )
        .reduce((sum, each) => sum + (each.side === side ? each.warm : 0), 0);
    expect(multi("plasm")).toBeLessThanOrEqual(0.6 * multi("codemode"));
    expect(multi("plasm")).toBeLessThan(0.1 * multi("fastmcp"));
  });
});

test("a fan-out of 20 is two turns on Plasm, and 21 requests on every side", () => {
  const fanOuts = costsOf(played).filter(({ kind }) => kind === "fan-out of 20");
  expect(fanOuts.map(({ requests }) => requests)).toEqual(sides.map(() => 21));
  expect(fanOuts.find(({ side }) => side === "plasm")?.turns).toBe(2);
});

test.each([
  ["labels", ["plasm_context", "plasm_run"]],
  ["reviewers by name", ["discover_capabilities", "plasm_context", "plasm_run"]],
])("Plasm's calls for %s, by whether the question names what it needs", async (name, calls) => {
  const side = sides.find((each) => each.name === "plasm");
  const task = PEER_TASKS.find((each) => each.name === name);
  if (side === undefined || task === undefined) throw new Error("nothing to play");
  const { transcript } = await playTask(world, side, task);
  const names = transcript.exchanges.map(({ call }) => (JSON.parse(call) as { name: string }).name);
  expect(names).toEqual(calls);
});

test("stored transcripts are compact, and say what they leave out", () => {
  const stored = JSON.stringify(storedTranscripts(played));
  expect(stored.length).toBeLessThan(played.length * 6_000);
  expect(stored).toContain('"more":18');
});

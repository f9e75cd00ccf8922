import { describe, expect, test } from "vitest";
import type { AgentClient, Seed } from "../harness/agent-client.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { MCP_SURFACES, SURFACES } from "../harness/surfaces.ts";
import { timesIn } from "../harness/times-in.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

/** The part `effects` in the words of the specification (TEACH-33). */
const EFFECTS =
  "Methods change data: E(id).m(p=v), E.m(p=v); per row: a => E(_.p).m(p=_.p). All run, in order.";

/** A row that teaches a mutation: a method call on an entity or on its rows. */
const METHOD = /^e\d+(?:\([^)]*\))?\.m\d+\(/m;

const times = (text: string): number => timesIn(text, EFFECTS);

/** Only quay's boats and the yard's parts have writes. */
const WITHOUT = [seedsOf("yard", "Boat"), seedsOf("quay", "Visit"), seedsOf("quay", "Person")];
const WITH = seedsOf("quay", "Boat");
const AFTER = [
  seedsOf("quay", "Log"),
  seedsOf("quay", "Paper", "Office"),
  seedsOf("yard", "Part"),
  [...seedsOf("yard", "Boat"), ...WITH],
];

/** What each of several calls on one intent answers. */
async function textsOf(
  agent: AgentClient,
  intent: string,
  calls: readonly (readonly Seed[])[],
  notation: "names" | "symbols" = "symbols",
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const seeds of calls) {
    texts.push((await agent.context({ intent, seeds, notation })).text);
  }
  return texts;
}

describe.each(SURFACES)("%s", (surface) => {
  test("TEACH-32 effects comes with the first wave that teaches a mutation, and never again", async () => {
    const agent = await world().agent(surface);
    const texts = await textsOf(agent, `${surface}: parts`, [...WITHOUT, WITH, ...AFTER]);
    const before = texts.slice(0, WITHOUT.length);
    const [first = "", ...later] = texts.slice(WITHOUT.length);
    for (const text of before) expect(text).not.toMatch(METHOD);
    expect(first).toMatch(METHOD);
    expect(texts.map(times)).toEqual([...before.map(() => 0), 1, ...later.map(() => 0)]);
    // Ahead of the heading and the table (TEACH-27), and behind no part that was sent before.
    expect(first.indexOf(EFFECTS)).toBeLessThan(first.indexOf("Added from quay: "));
    expect(first).not.toContain("Write Plasm programs");
  });

  test("TEACH-32 a session that begins with a mutation has it in its first wave alone", async () => {
    const agent = await world().agent(surface);
    const calls = [WITH, ...WITHOUT, ...AFTER];
    const texts = await textsOf(agent, `${surface}: parts at once`, calls);
    expect(texts.map(times)).toEqual(calls.map((_seeds, at) => (at === 0 ? 1 : 0)));
  });

  test("TEACH-26 the same in names", async () => {
    const agent = await world().agent(surface);
    const calls = [seedsOf("yard", "Boat"), WITH, seedsOf("quay", "Person")];
    const texts = await textsOf(agent, `${surface}: parts in names`, calls, "names");
    expect(texts.map(times)).toEqual([0, 1, 0]);
  });

  test("SESS-20 a replay has it once, whatever was taught since", async () => {
    const agent = await world().agent(surface);
    const intent = `${surface}: parts again`;
    await textsOf(agent, intent, [seedsOf("yard", "Boat"), WITH, seedsOf("quay", "Person")]);
    const { text } = await agent.context({ intent, seeds: WITH, replay: true });
    expect(times(text)).toBe(1);
  });
});

/** TEACH-32: once a symbol space, not once a connection. */
test("another surface that goes on with the session is not sent it again", async () => {
  const intent = "parts on all surfaces";
  const counts: number[] = [];
  for (const [at, surface] of MCP_SURFACES.entries()) {
    const agent = await world().agent(surface);
    const seeds = at === 0 ? seedsOf("yard", "Boat") : WITH;
    if (at === 0) await openSession(agent, intent, seeds);
    else counts.push(times((await agent.context({ intent, seeds })).text));
  }
  expect(counts).toEqual([1, 0, 0]);
});

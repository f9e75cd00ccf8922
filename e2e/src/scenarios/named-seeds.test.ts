import { describe, expect, test } from "vitest";
import type { AgentClient, ContextArguments, Seed } from "../harness/agent-client.ts";
import { openTalk } from "../harness/callers.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

/** Words of a goal; quay alone has visits and people, the yard alone has parts. */
const WORDS: readonly Seed[] = [{ entity: "visits" }, { entity: "People" }, { entity: "Part" }];
const MEANT = [
  { seed: "visits", api: "quay", entity: "Visit" },
  { seed: "People", api: "quay", entity: "Person" },
  { seed: "Part", api: "yard", entity: "Part" },
];
const NAMED: readonly Seed[] = MEANT.map(({ api, entity }) => ({ api, entity }));

const PROGRAM = 'Visit{boat=b1}.limit(2)[day]\nPerson("ann")[login]';
const RAN = /^Visit · 2 rows$/m;

const withoutRef = (text: string): string =>
  text.replace(/^logical_session_ref s\d+\n/, "").trimEnd();

/** The tables of the same seeds, named. */
async function tablesOf(caller: string): Promise<string> {
  const agent = await world().newAgent("HTTP");
  const { text } = await agent.context({ intent: `named, for ${caller}`, seeds: NAMED });
  expect(text).toMatch(/\nquay: Person, Visit\n[^]*\nAdded from yard: Part\n/);
  return withoutRef(text);
}

const refused = (agent: AgentClient, opening: ContextArguments): Promise<string> =>
  agent.context(opening).then(
    () => "it was opened",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

/** Wrong guesses, and none at all, are answered with what discovery finds. */
async function seeWrongGuesses(agent: AgentClient): Promise<void> {
  const intent = "spare parts by maker";
  const { options } = (await agent.discover({ intent })) as {
    readonly options: readonly { readonly api: string; readonly entity: string }[];
  };
  const rows = options.slice(0, 5).map(({ api, entity }) => `${api}\t${entity}\t`);
  expect(rows).toContain("yard\tPart\t");
  const none = await refused(agent, { intent, seeds: [] });
  expect(none).toMatch(/^seeds is missing: [^\n]*\nDiscovery finds for this intent:\n/);
  const wrong = await refused(agent, { intent, seeds: [...WORDS, { entity: "Zeppelin" }] });
  expect(wrong).toMatch(/^No catalog has an entity Zeppelin\.\nDiscovery finds for this intent:\n/);
  for (const row of rows) {
    expect(none).toContain(row);
    expect(wrong).toContain(row);
  }
  const several = await refused(agent, { intent, seeds: [...WORDS, { entity: "boats" }] });
  expect(several).toBe(
    'boats may be {"api":"quay","entity":"Boat"}, {"api":"yard","entity":"Boat"}: seed the one that is meant.',
  );
}

describe("a session opens in one step, by the words of its goal (SURF-7, TEACH-40)", () => {
  test.each(SURFACES)("%s", async (surface) => {
    const agent = await world().newAgent(surface);
    const opening = { intent: `goal of ${surface}`, seeds: WORDS };
    const { text, meta } = await agent.context(opening);
    expect(withoutRef(text)).toBe(await tablesOf(surface));
    expect(meta).toMatchObject({ reused: false, resolved_seeds: MEANT });
    expect((await agent.run(meta.logical_session_ref, PROGRAM)).text).toMatch(RAN);
    await seeWrongGuesses(agent);
    const again = await agent.context(opening);
    expect(again.meta).toMatchObject({ reused: true, waves: [], resolved_seeds: MEANT });
    // Another catalog has such a name, too: what the session holds is meant.
    await agent.context({ ...opening, seeds: [{ api: "yard", entity: "Boat" }] });
    const held = await agent.context({ ...opening, seeds: [{ entity: "Boat" }] });
    expect(held.meta).toMatchObject({
      waves: [],
      resolved_seeds: [{ seed: "Boat", api: "yard", entity: "Boat" }],
    });
  });

  test("command line", async () => {
    const talk = await openTalk("command line", world(), { intent: "goal", seeds: WORDS });
    expect(withoutRef(talk.taught)).toBe(await tablesOf("the command line"));
    const { outcome, text } = await talk.run(PROGRAM);
    expect([outcome, text]).toEqual(["done", expect.stringMatching(RAN)]);
    await talk.close();
  });
});

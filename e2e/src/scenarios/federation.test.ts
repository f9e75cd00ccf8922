import { beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { allPages } from "../harness/all-pages.ts";
import { openSession, seedsOf, type OpenSession } from "../harness/open-session.ts";
import { sampleData, type SampleData } from "../harness/sample-data.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { withSymbols } from "../harness/taught-symbols.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
let data: SampleData;

beforeAll(async () => {
  data = await sampleData(world().apis);
});

const quay = seedsOf("quay", "Boat", "Visit");
const yard = seedsOf("yard", "Boat");

describe.each(SURFACES)("%s, one session over quay and yard", (surface) => {
  async function open(what: string): Promise<OpenSession & { readonly agent: Agent }> {
    const agent = await world().agent(surface);
    const intent = `${surface}: ${what}`;
    const session = await openSession(agent, intent, [...yard, ...quay]);
    return { ...session, agent };
  }
  type Agent = Awaited<ReturnType<ReturnType<typeof world>["agent"]>>;

  test("A32 A33 the catalogs stay apart, each under its heading", async () => {
    const { meta, symbols, text } = await open("headings");
    expect(meta.catalog_entry_ids).toEqual(["quay", "yard"]);
    expect(meta.waves.map(({ n, mode, entry_id }) => [n, mode, entry_id])).toEqual([
      [1, "open", "quay"],
      [2, "federate", "yard"],
    ]);
    expect([...symbols.entities]).toEqual([
      ["quay.Boat", "e1"],
      ["quay.Visit", "e2"],
      ["yard.Boat", "e3"],
    ]);
    expect(text).toContain("Added from yard: e3 Boat");
    expect(text).toMatch(/\[e3\] yard\.Boat/);
  });

  test("A37 each Boat's rows come from its own API", async () => {
    const { agent, ref, symbols } = await open("both boats");
    const { apis } = world();
    apis.forgetRequests();
    const run = await agent.run(
      ref,
      withSymbols('e(quay.Boat)("b1")[id, name]\ne(yard.Boat)(7)[id, dock]', symbols),
    );
    expect(run.results.map(({ rows }) => rows)).toEqual([
      [{ id: "b1", name: "Alma" }],
      data.yardBoats.filter(({ id }) => id === 7),
    ]);
    const sent = apis.requests.map(({ api, path }) => `${api}${path}`);
    expect(sent.toSorted()).toEqual(["quay/boats/b1", "yard/boats/7"]);
  });

  test("A37 an unqualified Boat is refused, naming both", async () => {
    const { agent, ref } = await open("ambiguous");
    const failure = await failureOf(agent.run(ref, "Boat"));
    expect(failure.problem.errors.map(({ code }) => code)).toEqual(["ambiguous_entity"]);
    expect(failure.message).toMatch(/e1.*quay/);
    expect(failure.message).toMatch(/e3.*yard/);
  });

  test("A32 pages of the one and pages of the other concatenate to the whole of each", async () => {
    const { agent, ref, symbols } = await open("pages");
    for (const [entity, all] of [
      ["quay.Boat", data.boats],
      ["yard.Boat", data.yardBoats],
    ] as const) {
      const run = await agent.run(ref, withSymbols(`e(${entity})[id]`, symbols));
      const rows = await allPages(agent, ref, run);
      expect(rows).toEqual(all.map(({ id }) => ({ id })));
    }
  });

  test("A24 seeds in any order give one text", async () => {
    const { text, meta } = await open("order");
    const agent = await world().newAgent(surface);
    const turned = [...quay, ...yard, ...quay].toReversed();
    const other = await openSession(agent, `${surface}: order turned`, turned);
    const withoutRef = (one: string) => one.replace(/^logical_session_ref s\d+\n/, "");
    expect(withoutRef(other.text)).toBe(withoutRef(text));
    expect(other.meta.execute_binding.prompt_hash).toBe(meta.execute_binding.prompt_hash);
  });
});

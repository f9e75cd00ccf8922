import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { CONTEXT_CALLERS, contextCaller, type ContextCaller, type Seed } from "./context-caller.ts";
import { useGateWorld } from "./use-gate-world.ts";

const HOUR = 3_600_000;

const world = useGateWorld({ catalogs: ["quay", "yard"] });

const BOAT: readonly Seed[] = [{ api: "quay", entity: "Boat" }];
const PERSON: readonly Seed[] = [{ api: "quay", entity: "Person" }];
const PART: readonly Seed[] = [{ api: "yard", entity: "Part" }];

/** The flags of SESS-24: what no path leaves out, and what comes with a new space of symbols. */
const SAME = { stale_binding_recovered: false, new_symbol_space: false };
const FRESH = {
  stale_binding_recovered: false,
  new_symbol_space: true,
  discard_cached_plasm_symbols: true,
};
const recoveredFrom = (previous: JsonObject) => ({
  ...FRESH,
  stale_binding_recovered: true,
  previous_execute: previous["execute_binding"],
  reason: "expired",
});

describe.each(CONTEXT_CALLERS)("%s", (name) => {
  const caller = (what: string): Promise<ContextCaller> => contextCaller(world(), name, what);

  it("A26 B21 B24 open, open again, expand, federate and replay say whether symbols stand", async () => {
    const agent = await caller("all paths");
    expect((await agent.open(BOAT))["continuity"]).toEqual(FRESH);
    const again = [
      await agent.open(BOAT),
      await agent.open(BOAT, { notation: "names" }),
      await agent.extend(BOAT),
      await agent.extend(PERSON),
      await agent.extend(PART),
      await agent.extend(BOAT, { replay: true }),
    ];
    for (const meta of again) {
      expect(meta["continuity"]).toEqual(SAME);
      expect(meta["reused"]).toBe(true);
    }
    expect(again.map(({ domain_revision: revision }) => revision)).toEqual([1, 1, 1, 2, 3, 3]);
  });

  it("A26 B21 B24 so do recovery, its repetition, and what comes after a program", async () => {
    const agent = await caller("lost");
    const first = await agent.open(BOAT);
    world().advance(HOUR + 1);
    const recovery = await agent.open(BOAT);
    expect(recovery["continuity"]).toEqual(recoveredFrom(first));
    expect(recovery["execute_binding"]).not.toEqual(first["execute_binding"]);
    expect((await agent.open(BOAT))["continuity"]).toEqual(recoveredFrom(first));
    expect((await agent.extend(PERSON))["continuity"]).toEqual(recoveredFrom(first));
    expect((await agent.plan('e1("b1")')).code).toBeNull();
    expect((await agent.open(BOAT))["continuity"]).toEqual(SAME);
  });

  it("B3 20 calls on a live binding, whatever they seed: one pair, never opened twice", async () => {
    const agent = await caller("one pair");
    const seeds: readonly Seed[] = [
      ...["Boat", "Log", "Office", "Paper", "Person", "Visit"].map((entity) => ({
        api: "quay",
        entity,
      })),
      ...["Boat", "Part"].map((entity) => ({ api: "yard", entity })),
    ];
    // Single entities, some anew, then pairs across catalogs.
    const calls = Array.from({ length: 20 }, (_, call) =>
      [seeds[(call * 3) % 8], seeds[(call * 5 + 1) % 8]].flatMap((one, index) =>
        one === undefined || (call < 10 && index > 0) ? [] : [one],
      ),
    );
    const [first = [], ...others] = calls;
    const answers = [await agent.open(first)];
    for (const [index, seeded] of others.entries()) {
      answers.push(await (index % 3 === 0 ? agent.open(seeded) : agent.extend(seeded)));
    }
    const pairs = answers.map((meta) => JSON.stringify(meta["execute_binding"]));
    expect([answers.length, new Set(pairs).size]).toEqual([20, 1]);
    const waves = answers.map((meta) => meta["waves"] as readonly JsonObject[]);
    const modes = waves.map((sent) => sent.map(({ mode }) => mode));
    expect(modes[0]).toEqual(["open"]);
    expect(new Set(modes.slice(1).flat())).toEqual(new Set(["expand", "federate"]));
    const taught = waves
      .flat()
      .flatMap(({ entry_id: api, entities }) =>
        (entities as readonly string[]).map((entity) => `${api as string}.${entity}`),
      );
    expect(taught.toSorted()).toEqual(seeds.map(({ api, entity }) => `${api}.${entity}`));
  });
});

describe("SESS-40 on a connection that held the tables of the lost session", () => {
  it("A26 B21 B24 its own next context counts as the recovery, whoever recovered", async () => {
    const intent = "MCP on a connection";
    const [one, other] = await Promise.all([
      contextCaller(world(), intent, "two connections"),
      contextCaller(world(), intent, "two connections"),
    ]);
    const first = await one.open(BOAT);
    expect((await other.open(BOAT, { replay: true }))["continuity"]).toEqual(SAME);
    world().advance(HOUR + 1);
    expect((await one.open(BOAT))["continuity"]).toEqual(recoveredFrom(first));
    expect((await other.open(BOAT))["continuity"]).toEqual(recoveredFrom(first));
    await one.plan('e1("b1")');
    expect((await other.open(BOAT))["continuity"]).toEqual(SAME);
  });
});

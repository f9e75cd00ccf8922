import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { headingOf, rowsOf, tableLines, teach } from "../../test/teach.ts";
import { exposeSeeds } from "./expose-seeds.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { promptHash, promptText } from "./wave-text.ts";

const catalogs = fixtureCatalogs("orchard", "depot", "quay", "yard");

/** The entities whose rows a wave has: what its code starts from. */
const entitiesIn = (wave: Parameters<typeof rowsOf>[0]) =>
  new Set(rowsOf(wave).flatMap(([left]) => /^e\d+/.exec(left)?.[0] ?? []));

test("wave 1 holds exactly the seeded entities, no neighbours (A2, TEACH-29)", () => {
  const { waves } = teach(catalogs, [[["orchard", "Tree"]]]);
  expect(headingOf(waves[0])).toBe("orchard: e1 Tree");
  expect(entitiesIn(waves[0])).toEqual(new Set(["e1"]));
  expect(tableLines(waves[0]).join("\n")).not.toContain("Harvest");
});

test("more entities come in later waves, nothing is sent twice (A3, A11)", () => {
  const { waves } = teach(catalogs, [
    [["quay", "Boat"]],
    [["quay", "Person", "Visit"]],
    [["yard", "Boat", "Part"]],
  ]);
  expect(waves).toHaveLength(3);
  const rows = waves.flatMap(({ text }) => rowsOf({ text }).map((cells) => cells.join("\t")));
  expect(new Set(rows).size).toBe(rows.length);
  const parts = waves.flatMap((wave) => wave.parts);
  expect(new Set(parts).size).toBe(parts.length);
});

test("one call with two catalogs: the first is the primary, the rest federate (SESS-16, A23)", () => {
  const { waves } = teach(catalogs, [
    [
      ["quay", "Boat"],
      ["depot", "Crate"],
    ],
  ]);
  expect(waves.map(({ n, mode, entryId }) => `${n} ${mode} ${entryId}`)).toEqual([
    "1 open depot",
    "2 federate quay",
  ]);
  expect(waves.map(headingOf)).toEqual(["depot: e1 Crate", "Added from quay: e2 Boat"]);
});

test("heads name their catalog from the first wave after which there are two (TEACH-22)", () => {
  const { waves } = teach(catalogs, [[["yard", "Boat"]], [["quay", "Boat"]], [["yard", "Part"]]]);
  const names = waves.flatMap(({ text }) =>
    rowsOf({ text }).flatMap(
      ([, meaning]) => /(?:\w+\.)?\b(?:Boat|Part)\b/.exec(meaning)?.[0] ?? [],
    ),
  );
  expect(names).toEqual(["Boat", "quay.Boat", "yard.Part"]);
});

test("rows that earlier entities gain: references first, then relations (TEACH-27)", () => {
  const { waves } = teach(catalogs, [[["orchard", "Tree"]], [["orchard", "Harvest", "Plot"]]]);
  expect(tableLines(waves[1]).slice(-2)).toEqual([
    "p5  plot e3",
    "e1($).p1  [e2] harvests · what it gave",
  ]);
});

test("a gained reference names its place where the taught type is another (TEACH-27)", () => {
  const catalog = buildCatalog("shop", {
    entities: {
      Ash: { fields: { id: "str", plot: "str" } },
      Birch: { fields: { id: "str", plot: "→Cedar" } },
      Cedar: { fields: { id: "int" } },
      Date: { fields: { id: "str", plot: "→Cedar" } },
    },
    capabilities: Object.fromEntries(
      ["Ash", "Birch", "Cedar", "Date"].map((entity) => [
        `${entity.toLowerCase()}_get`,
        { kind: "get", entity },
      ]),
    ),
  });
  const shop = new Map([["shop", catalog]]);
  const late = teach(shop, [[["shop", "Ash"]], [["shop", "Birch"]], [["shop", "Cedar"]]]).waves;
  expect(tableLines(late[1])[0]).toBe("p2  e2: Cedar(int)");
  expect(tableLines(late[2]).slice(-1)).toEqual(["p2  e2: e3"]);
  const shared = teach(shop, [[["shop", "Birch", "Date"]], [["shop", "Cedar"]]]).waves;
  expect(tableLines(shared[1]).slice(-1)).toEqual(["p2  plot e3"]);
});

test("a relation that cannot be followed is untaught when its target is exposed (RUN-051, TEACH-24)", () => {
  const catalog = buildCatalog("shop", {
    entities: {
      Ash: {
        fields: { id: "str" },
        relations: {
          leaves: { target: "Leaf", cardinality: "many" },
          roots: { target: "Leaf", cardinality: "many", materialize: { kind: "unavailable" } },
          tips: {
            target: "Leaf",
            cardinality: "many",
            materialize: { kind: "query_scoped", capability: "leaf_query", param: "tree" },
          },
        },
      },
      Leaf: { fields: { id: "str" } },
    },
    capabilities: {
      ash_get: { kind: "get", entity: "Ash" },
      leaf_query: { kind: "query", entity: "Leaf", params: { "tree?": "→Ash" } },
    },
  });
  const shop = new Map([["shop", catalog]]);
  const calls = [[["shop", "Ash"]], [["shop", "Leaf"]]] as const;
  const { waves } = teach(shop, calls);
  expect(waves.map((wave) => wave.untaught)).toEqual([
    [],
    [
      { capability: "Ash.leaves", reason: "not_plannable" },
      { capability: "Ash.roots", reason: "not_plannable" },
    ],
  ]);
  expect(tableLines(waves[1]).slice(-1)).toEqual(["e1($).p4  [e2] tips"]);
  const denied = teach(shop, calls, { policy: { apis: { shop: { deny: ["leaf_query"] } } } });
  expect(denied.waves[1]?.untaught).toContainEqual({ capability: "Ash.tips", reason: "policy" });
});

test("prompt text is the waves one after the other; the hash is of wave 1 alone (TEACH-30, P13, A20)", () => {
  const { waves } = teach(catalogs, [[["orchard", "Tree"]], [["depot", "Crate"]]]);
  expect(promptText(waves)).toBe(`${waves[0]?.text}${waves[1]?.text}`);
  expect(promptHash("abc")).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(promptHash(waves[0]?.text ?? "")).toMatch(/^[0-9a-f]{64}$/);
});

test("a policy that changed since does not change what counts as taught (SURF-25, TEACH-20)", () => {
  const setup = { catalogs, notation: "symbols" as const, features: ALL_FEATURES };
  const seeds = (entity: string) => [{ entryId: "orchard", entities: [entity] }];
  const strict = { apis: { orchard: { effects: false } } };
  const first = exposeSeeds({ ...setup, policy: strict, exposure: null, seeds: seeds("Tree") });
  expect(first.waves[0]?.parts).toEqual(["core", "search", "continuations"]);
  expect(first.waves[0]?.text).not.toContain("on date");
  const later = exposeSeeds({
    ...setup,
    policy: {},
    exposure: { log: first.log, sent: first.waves },
    seeds: seeds("Harvest"),
  });
  expect(later.waves[0]?.parts).toEqual(["text", "effects"]);
  expect(later.waves[0]?.text).not.toContain("prune");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { rowFaults } from "../../test/row-faults.ts";
import { type Call, headingOf, rowsOf, tableLines, teach } from "../../test/teach.ts";
import { ALL_FEATURES, CURRENT_FEATURES } from "../policy/policy.ts";
import { effectKind } from "../policy/may-use.ts";
import { executableRows, type TaughtRow } from "../../test/executable-rows.ts";

const orchard = fixtureCatalogs("orchard", "depot");
const only = { readOnly: true };

test("a session that only reads teaches the worked example without its effects (TEACH-25, TEACH-8)", () => {
  const { waves } = teach(orchard, [[["orchard", "Tree"]]], only);
  expect(headingOf(waves[0])).toBe("orchard: e1 Tree");
  // p3, the slot of prune alone, has no row; every number is the one of a session that may change data.
  expect(tableLines(waves[0])).toEqual([
    "p2  id int",
    "p4  planted date",
    "p5  plot Plot(str)",
    "p7  species str",
    "p8  state budding|bearing|dormant",
    "e1[p2,p4,p5,p7,p8]  [e1] Tree · opt p5 p8 · one tree in the orchard",
    "e1($)  e1",
    "e1~$  [e1] search · opt p8",
  ]);
  expect(waves[0]?.untaught).toEqual([
    { capability: "tree_create", reason: "policy" },
    { capability: "tree_delete", reason: "policy" },
    { capability: "tree_prune", reason: "policy" },
    { capability: "tree_update", reason: "policy" },
  ]);
  expect(waves[0]).toMatchObject({ e: [1, 1], m: [1, 7], p: [1, 8] });
});

test.each([
  [true, "result ([E] rows, E one row), wire name"],
  [false, "result ([E] rows, E one row, () nothing), wire name"],
])("TEACH-25 read_only %s: only effects give nothing", (readOnly, said) => {
  const { waves } = teach(orchard, [[["orchard", "Tree"]]], { readOnly });
  expect(waves[0]?.text).toContain(said);
});

test.each<[string, Call[], boolean, string[]]>([
  ["effects are not due", [[["orchard", "Tree"]]], true, []],
  ["effects are due", [[["orchard", "Tree"]]], false, ["effects"]],
  ["text that is only shown or written is not due", [[["orchard", "Harvest"]]], true, []],
  ["text that is written is due", [[["orchard", "Harvest"]]], false, ["text", "effects"]],
])("TEACH-32 %s", (_, calls, readOnly, due) => {
  const { waves } = teach(orchard, calls, { readOnly });
  const parts = waves.flatMap((wave) => wave.parts);
  expect(parts.filter((part) => part === "text" || part === "effects")).toEqual(due);
});

test("TEACH-32 structured text that a read takes is due in a session that only reads", () => {
  const catalog = buildCatalog("shop", {
    entities: { Item: { fields: { id: "str", note: "markdown" } } },
    capabilities: {
      item_query: { kind: "query", entity: "Item", params: { "like?": "markdown" } },
    },
  });
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Item"]]], only);
  expect(waves[0]?.parts).toContain("text");
});

test("an entity without reads gets its row of metadata (TEACH-15)", () => {
  const catalog = buildCatalog("shop", {
    entities: { Mail: { description: "a letter", fields: { id: "str" } } },
    capabilities: {
      mail_create: { kind: "create", entity: "Mail", params: { to: "str" } },
      mail_send: { kind: "action", entity: "Mail" },
    },
  });
  const { waves } = teach(new Map([["shop", catalog]]), [[["shop", "Mail"]]], only);
  expect(rowsOf(waves[0])).toEqual([["e1", "Mail · no reads · a letter"]]);
  expect(waves[0]?.parts).toEqual(["core"]);
});

test("a relation is taught with its target, as in any session (TEACH-27)", () => {
  const calls: Call[] = [[["orchard", "Tree"]], [["orchard", "Harvest"]]];
  const lines = teach(orchard, calls, only).waves.flatMap(tableLines);
  expect(lines).toContain("e1($).p1  [e2] harvests · what it gave");
  expect(lines.filter((line) => /\.m\d+\(/.test(line))).toEqual([]);
});

test("policy and the session must both allow (SURF-25)", () => {
  const policy = { apis: { orchard: { deny: ["tree_search"] } } };
  const { waves } = teach(orchard, [[["orchard", "Tree"]]], { readOnly: true, policy });
  expect(waves[0]?.untaught.map(({ capability }) => capability)).toEqual([
    "tree_create",
    "tree_delete",
    "tree_prune",
    "tree_search",
    "tree_update",
  ]);
});

const seeds = fc
  .shuffledSubarray(
    ["north", "south"].flatMap((id) => ENTITIES.map((entity) => [id, entity] as const)),
    { minLength: 1 },
  )
  .map((pairs) => pairs.map((pair): Call => [pair]));

test("P22: any catalogs, any seeds: the same numbers, the reads alone, nothing dropped silently", () => {
  const setting = fc.constantFrom("symbols" as const, "names" as const);
  fc.assert(
    fc.property(arbitraryCatalogSet(), seeds, setting, (catalogs, calls, notation) => {
      const full = teach(catalogs, calls, { notation });
      const reads = teach(catalogs, calls, { notation, readOnly: true });
      expect(reads.exposure.symbols).toEqual(full.exposure.symbols);
      const kindOf = (entryId: string, name: string | null) =>
        catalogs.get(entryId)?.cgs.capabilities.get(name ?? "")?.kind ?? "get";
      const isRead = ({ entity, capability }: TaughtRow) =>
        effectKind(kindOf(entity.entryId, capability)) === null;
      // Which row writes a compound key out depends on the rows before it.
      const said = ({ kind, wave, entity, capability, relation, result }: TaughtRow) => {
        return { kind, wave, entity, capability, relation, result };
      };
      expect(executableRows(reads.exposure, ALL_FEATURES).map(said)).toEqual(
        executableRows(full.exposure, ALL_FEATURES).filter(isRead).map(said),
      );
      for (const [at, { entryId, untaught }] of reads.waves.entries()) {
        const more = untaught.filter(({ reason }) => reason === "policy");
        const kinds = more.map(({ capability }) => effectKind(kindOf(entryId, capability)));
        expect(kinds).not.toContain(null);
        const others = untaught.filter((each) => !more.includes(each));
        expect(full.waves[at]?.untaught).toEqual(expect.arrayContaining(others));
      }
    }),
    { numRuns: 40 },
  );
});

test("P20: every row of a session that only reads plans to its own read (TEACH-19)", () => {
  const { exposure } = teach(
    fixtureCatalogs("quay", "orchard"),
    [[["quay", "Boat", "Person", "Log", "Visit"]], [["orchard", "Tree", "Harvest"]]],
    only,
  );
  expect(executableRows(exposure, CURRENT_FEATURES).length).toBeGreaterThan(10);
  expect(rowFaults(exposure, CURRENT_FEATURES)).toEqual([]);
});

import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { NO_SYMBOLS } from "./symbols.ts";
import { appendWave, foldWaves, staleWave, type WaveEntry } from "./waves.ts";
import { type SymbolMap, taughtNames } from "./symbols.ts";

const catalogs = fixtureCatalogs("orchard", "depot");

function logOf(...seeds: readonly (readonly [string, readonly string[]])[]): readonly WaveEntry[] {
  return seeds.reduce<readonly WaveEntry[]>(
    (log, [entryId, entities]) => appendWave(log, catalogs, { entryId, entities }).log,
    [],
  );
}

/** A map as the log table of the worked example writes it: `1 Tree`, `8 create`, `9 day`. */
function added(log: readonly WaveEntry[]): readonly string[] {
  const listed = (symbols: SymbolMap, from: SymbolMap) =>
    [
      symbols.entities.map((key) => key.entity).slice(from.entities.length),
      symbols.methods.map((key) => key.label).slice(from.methods.length),
      symbols.names.slice(from.names.length),
    ].map((names, at) => {
      const first = [from.entities, from.methods, from.names][at]?.length ?? 0;
      return names.map((name, index) => `${first + index + 1} ${name}`).join(" ");
    });
  return log.map((_, at) => {
    const before = foldWaves(log.slice(0, at), catalogs);
    return listed(foldWaves(log.slice(0, at + 1), catalogs), before).join(" | ");
  });
}

test("the log of the worked example and its fold, literally (A7, A8, A9, TEACH-2, TEACH-4, TEACH-5)", () => {
  const log = logOf(
    ["orchard", ["Tree"]],
    ["orchard", ["Harvest"]],
    ["depot", ["Harvest", "Crate"]],
  );
  expect(log.map(({ entryId, entities }) => `${entryId} [${entities.join(", ")}]`)).toEqual([
    "orchard [Tree]",
    "orchard [Harvest]",
    "depot [Crate, Harvest]",
  ]);
  expect(added(log)).toEqual([
    "1 Tree | 1 create 2 delete 3 get 4 prune 5 query 6 search 7 update | 1 harvests 2 id 3 on 4 planted 5 plot 6 q 7 species 8 state",
    "2 Harvest | 8 create 9 get 10 query | 9 day 10 kg 11 note 12 tree 13 tree_id",
    "3 Crate 4 Harvest | 11 get 12 query 13 accept 14 get 15 query | 14 crate_ids 15 crates 16 label 17 received",
  ]);
});

test("a symbol is keyed by catalog and entity, a name by nothing (TEACH-1, SESS-21)", () => {
  const { entities, methods, names } = foldWaves(
    logOf(["orchard", ["Harvest"]], ["depot", ["Harvest"]]),
    catalogs,
  );
  expect(entities).toEqual([
    { entryId: "orchard", entity: "Harvest" },
    { entryId: "depot", entity: "Harvest" },
  ]);
  expect(methods.filter(({ label }) => label === "get").map(({ entryId }) => entryId)).toEqual([
    "orchard",
    "depot",
  ]);
  expect(names.filter((name) => name === "kg")).toEqual(["kg"]);
});

const union = (ref: (type: string) => string) => ({
  type: "union",
  variants: [
    {
      name: "insert",
      wire: { field: "op", value: "insert" },
      fields: [{ name: "at", value_ref: ref("int"), wire_json_path: ["pos", "x"] }],
    },
    { name: "drop", wire: { field: "op", value: "drop" }, fields: [] },
  ],
});

const nestedInput = (ref: (type: string) => string) => ({
  output: { type: "side_effect", description: "moved" },
  input_schema: {
    input_type: {
      type: "object",
      fields: [
        { name: "ops", input_type: { type: "array", element_type: union(ref) } },
        {
          name: "label",
          input_type: { type: "object", fields: [{ name: "colour", value_ref: ref("str") }] },
        },
      ],
    },
  },
});

test("names that get a p# (TEACH-3)", () => {
  const catalog = buildCatalog("shop", {
    entities: {
      Part: {
        key: ["maker", "no"],
        fields: { maker: "str", no: "int" },
        relations: { boxes: { target: "Part", cardinality: "many" } },
      },
    },
    capabilities: {
      part_get: { kind: "get", entity: "Part" },
      part_move: {
        kind: "action",
        entity: "Part",
        path: ["maker", "no", "depot"],
        more: nestedInput,
      },
    },
  });
  const fields = ["maker", "no"];
  const inputs = ["at", "colour", "depot", "label", "op", "ops"];
  expect(new Set(taughtNames(catalog, "Part"))).toEqual(new Set([...fields, "boxes", ...inputs]));
});

test("a session is stale when a wave's content is gone or another (TEACH-4)", () => {
  const log = logOf(["orchard", ["Tree"]], ["depot", ["Crate"]]);
  expect(staleWave(log, catalogs)).toBeNull();
  const orchard = fixtureCatalogs("orchard");
  expect(staleWave(log, orchard)).toBe(log[1]);
  const changed = new Map([...catalogs].map(([id, each]) => [id, { ...each, digest: "other" }]));
  expect(staleWave(log, changed)).toBe(log[0]);
  expect(() => foldWaves(log, orchard)).toThrow("No catalog depot");
  expect(() => foldWaves(log, changed)).toThrow("not the one this wave was made of");
});

test("no wave, no symbol", () => {
  expect(foldWaves([], catalogs)).toBe(NO_SYMBOLS);
});

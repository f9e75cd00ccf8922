import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fullPlan } from "../../test/bill-of.ts";
import { errorsOf } from "../../test/plan-of.ts";
import type { PlanNode } from "./ir.ts";

/** Pairs of a dancer and a tune, listed by either; tunes have a get by their name, too. */
const hall = exposureOf([
  buildCatalog("hall", {
    entities: {
      Dancer: { fields: { id: "str", name: "str", born: "int" } },
      Tune: { key: ["name"], fields: { name: "str", beat: "slow|fast", bars: "int" } },
      Pair: { fields: { id: "str", dancer: "→Dancer", tune: "→Tune", second: "→Dancer" } },
      Note: { fields: { id: "str", pair: "→Pair", text: "str" } },
    },
    capabilities: {
      dancer_query: { kind: "query", entity: "Dancer", params: { "name?": "str" } },
      dancer_get: { kind: "get", entity: "Dancer" },
      tune_query: { kind: "query", entity: "Tune", params: { "beat?": "slow|fast" } },
      tune_get: { kind: "get", entity: "Tune" },
      pair_of: { kind: "query", entity: "Pair", params: { dancer: "→Dancer" } },
      pair_to: { kind: "query", entity: "Pair", params: { tune: "→Tune", "second?": "→Dancer" } },
      pair_all: { kind: "query", entity: "Pair" },
      pair_get: { kind: "get", entity: "Pair" },
      note_query: { kind: "query", entity: "Note", params: { pair: "→Pair" } },
    },
  }),
]);

const nodes = (text: string): readonly PlanNode[] => fullPlan(text, hall).nodes;
const calls = (text: string): readonly string[] =>
  nodes(text).map((node) => ("capability" in node ? String(node.capability) : node.kind));

const column = (path: string) => ({ from: "n1", path: [path], type: "str", many: true });

describe("RUN-114: which identities are sent", () => {
  test.each([
    ["by one reference", 'Pair{dancer.name="Ann"}', ["dancer_query", "pair_of"]],
    ["by the other", "Pair{tune.beat=slow}", ["tune_query", "pair_to"]],
    [
      "of two, the first by name",
      'Pair{tune.beat=slow, dancer.name="Ann"}',
      ["dancer_query", "pair_of", "tune_get", "compute"],
    ],
    [
      "however they are written",
      'Pair{dancer.name="Ann", tune.beat=slow}',
      ["dancer_query", "pair_of", "tune_get", "compute"],
    ],
    [
      "the list that a given one chooses stays",
      "Pair{dancer=x, tune.beat=slow}",
      ["pair_of", "tune_get", "compute"],
    ],
    [
      "none that a list cannot be sent",
      'Pair{second.name="Ann"}',
      ["pair_all", "dancer_get", "compute"],
    ],
    ["none of conditions no list takes", "Pair{tune.bars>9}", ["pair_all", "tune_get", "compute"]],
    [
      "conditions beside are tested there",
      "Pair{tune.beat=slow, tune.bars>9}",
      ["tune_query", "pair_to"],
    ],
    [
      "a key of the other rows is no list",
      'Pair{tune.name="reel"}',
      ["pair_all", "tune_get", "compute"],
    ],
    [
      "a key beside a condition neither",
      'Pair{tune.name="reel", tune.beat=slow}',
      ["pair_all", "tune_get", "compute"],
    ],
    [
      "a list called by its label stays",
      "Pair.all().filter{tune.beat=slow}",
      ["pair_all", "tune_get", "compute"],
    ],
    [
      "a row of its own key stays",
      "Pair{id=p, tune.beat=slow}",
      ["pair_get", "tune_get", "compute"],
    ],
  ])("%s: %s", (_, text, expected) => {
    expect(calls(text)).toEqual(expected);
  });

  test("the other rows are a list with the conditions on them, of which the key is wanted", () => {
    expect(nodes("Pair{tune.beat=slow, tune.bars>9}.limit(3)")).toMatchObject([
      {
        kind: "query",
        effect_class: "read",
        stage: 0,
        args: { beat: { lit: "slow" } },
        filter: { op: ">", path: ["bars"], value: { lit: 9 } },
        limit: null,
        wanted: ["bars", "name"],
        result: { card: "many", entity: "Tune", columns: null },
      },
      { kind: "query", args: { tune: column("name") }, filter: null, limit: 3 },
    ]);
  });

  test("what is left is tested behind the rows, a limit behind that", () => {
    const text = 'Pair{dancer.name="Ann", tune.beat=slow}.limit(3)';
    expect(nodes(text)).toMatchObject([
      { kind: "query" },
      { kind: "query", args: { dancer: column("id") }, limit: null },
      { kind: "join", path: ["tune"], wanted: ["beat"] },
      { op: { filter: { op: "=", path: ["tune", "beat"], value: { lit: "slow" } } } },
      { op: { limit: 3 } },
    ]);
  });

  test("mistakes in conditions on other rows are told once", () => {
    expect(errorsOf("Pair{dancer.name=$}", hall).map(({ code }) => code)).toEqual(["placeholder"]);
    expect(errorsOf("Pair{tune.beat=quick}", hall).map(({ code }) => code)).toEqual([
      "argument_invalid",
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec, type CatalogSpec } from "../../test/build-catalog.ts";
import { codesOf, planOf } from "../../test/plan-of.ts";
import { swept } from "../../test/swept.ts";
import { tableLines, teach } from "../../test/teach.ts";
import type { Notation } from "../symbols/exposure.ts";

const NOTATIONS: readonly Notation[] = ["symbols", "names"];

function taught(spec: CatalogSpec) {
  const catalogs = new Map([["port", buildCatalog("port", spec)]]);
  const calls = [[["port", ...Object.keys(spec.entities)] as const]];
  const { waves, exposure } = teach(catalogs, calls, { notation: "names" });
  const faults = NOTATIONS.flatMap((notation) => swept(catalogs, calls, notation).faults);
  return { rows: tableLines(waves[0]), untaught: waves[0]?.untaught, exposure, faults };
}

const list = (params: Readonly<Record<string, string>>): CapabilitySpec => ({
  kind: "query",
  entity: "Crane",
  params,
});

describe("17.16 relations whose list requires more than the row they start from (TEACH-19, RUN-053)", () => {
  const port = (
    materialize: object,
    cranes: CapabilitySpec,
    cardinality = "many",
  ): CatalogSpec => ({
    entities: {
      Dock: {
        fields: { id: "str" },
        relations: { cranes: { target: "Crane", cardinality, materialize } },
      },
      Crane: { fields: { id: "str", kg: "int" } },
    },
    capabilities: {
      dock_get: { kind: "get", entity: "Dock" },
      crane_get: { kind: "get", entity: "Crane" },
      crane_list: cranes,
    },
  });
  const scoped = { kind: "query_scoped", capability: "crane_list", param: "dock" };

  test("are shown with conditions, which are sent beside the anchor", () => {
    const { rows, exposure, faults } = taught(
      port(scoped, list({ dock: "→Dock", side: "left|right", "age?": "int" })),
    );
    expect(rows).toContain("Dock($).cranes{side=$}  [Crane]");
    expect(faults).toEqual([]);
    const plan = planOf('Dock("a").cranes{side=left}', exposure);
    expect(plan.nodes).toMatchObject([
      {
        kind: "relation",
        capability: "crane_list",
        anchor: { id: { lit: "a" } },
        args: { side: { lit: "left" } },
      },
    ]);
  });

  test("are not taught where the request would not carry what they require", () => {
    const { rows, untaught } = taught(
      port(scoped, {
        ...list({ dock: "→Dock", side: "str" }),
        mapping: {
          method: "GET",
          path: [
            { type: "literal", value: "x" },
            { type: "var", name: "dock" },
          ],
        },
      }),
    );
    expect(rows.filter((row) => row.includes(".cranes"))).toEqual([]);
    expect(untaught).toContainEqual({ capability: "Dock.cranes", reason: "not_plannable" });
  });

  test("by a get with an argument that nothing binds are neither taught nor planned", () => {
    const materialize = {
      kind: "get_scoped_bindings",
      capability: "crane_list",
      bindings: { dock: "id" },
    };
    const params = { dock: "str", side: "str" };
    const { rows, exposure, faults } = taught(
      port(materialize, { kind: "singleton", entity: "Crane", params, path: [] }, "one"),
    );
    expect(rows.filter((row) => row.includes(".cranes"))).toEqual([]);
    expect(faults).toEqual([]);
    expect(codesOf('Dock("a").cranes', exposure)).toEqual(["relation_unavailable 1:11"]);
  });

  test("start from the row of whoever asks where neither a key nor a list gives one (17.2)", () => {
    const embedded = { kind: "from_parent_get", path: [{ key: "cranes" }, { wildcard: true }] };
    const { rows, faults } = taught({
      entities: {
        Crane: { fields: { id: "str" } },
        Dock: {
          fields: { id: "str" },
          relations: { cranes: { target: "Crane", cardinality: "many", materialize: embedded } },
        },
      },
      capabilities: {
        crane_get: { kind: "get", entity: "Crane" },
        dock_mine: { kind: "singleton", entity: "Dock", path: [] },
      },
    });
    expect(rows).toContain("Dock.mine().cranes  [Crane]");
    expect(faults).toEqual([]);
  });
});

describe("17.16 several types of one slot", () => {
  test("in conditions on two lists: each row says its own where it is not that of E{} (TEACH-21)", () => {
    const { rows, faults } = taught({
      entities: { Crane: { fields: { id: "str" } }, Dock: { fields: { id: "str" } } },
      capabilities: {
        dock_get: { kind: "get", entity: "Dock" },
        crane_query: list({ "side?": "left|right" }),
        crane_query_on: list({ dock: "→Dock", side: "int" }),
      },
    });
    expect(rows).toContain("Crane[id]  [Crane] · opt side");
    expect(rows).toContain("Crane{dock=Dock($), side=$}  [Crane] query-on · here side int");
    expect(rows).toContain("side  left|right");
    expect(faults).toEqual([]);
  });

  test("that is said in a row is said again once it is an entity of the session (TEACH-27)", () => {
    const spec: CatalogSpec = {
      entities: { Crane: { fields: { id: "str" } }, Dock: { fields: { id: "int" } } },
      capabilities: {
        dock_get: { kind: "get", entity: "Dock" },
        crane_query: list({ "on?": "str" }),
        crane_query_of: list({ of: "str", on: "→Dock" }),
      },
    };
    const catalogs = new Map([["port", buildCatalog("port", spec)]]);
    const calls = [[["port", "Crane"] as const], [["port", "Dock"] as const]];
    const { waves } = teach(catalogs, calls, { notation: "names" });
    expect(tableLines(waves[0])).toContain(
      "Crane{of=$, on=$}  [Crane] query-of · here on Dock(int)",
    );
    expect(tableLines(waves[1])).toContain(
      "Crane{of=$, on=Dock($)}  [Crane] query-of · here on Dock",
    );
    for (const notation of NOTATIONS) expect(swept(catalogs, calls, notation).faults).toEqual([]);
  });
});

describe("17.16 members of what a row shows", () => {
  const edit = (input_type: (ref: (type: string) => string) => object): CatalogSpec => ({
    entities: { Crane: { fields: { id: "str" } } },
    capabilities: {
      crane_get: { kind: "get", entity: "Crane" },
      crane_edit: {
        kind: "action",
        entity: "Crane",
        more: (ref) => ({
          output: { type: "side_effect", description: "edits" },
          input_schema: { input_type: input_type(ref) },
        }),
      },
    },
  });

  test("are optional behind the slots they are in, never as arguments (TEACH-16, TEACH-18)", () => {
    const { rows, exposure, faults } = taught(
      edit((ref) => ({
        type: "object",
        fields: [
          {
            name: "parts",
            required: true,
            input_type: {
              type: "array",
              element_type: {
                type: "union",
                variants: [
                  {
                    name: "put",
                    wire: { field: "op", value: "put" },
                    fields: [
                      { name: "at", value_ref: ref("int"), required: true },
                      { name: "note", value_ref: ref("str") },
                      {
                        name: "box",
                        input_type: {
                          type: "object",
                          fields: [{ name: "note", value_ref: ref("int") }],
                        },
                      },
                    ],
                  },
                  { name: "cut", wire: { field: "op", value: "cut" }, fields: [] },
                ],
              },
            },
          },
          { name: "note", value_ref: ref("bool") },
        ],
      })),
    );
    expect(rows.filter((row) => row.startsWith("Crane($).edit"))).toEqual([
      "Crane($).edit(parts=[{op: put, at: $}])  () · opt note parts.note parts.box · here parts.note str",
      "Crane($).edit(parts=[{op: put, at: $, box: {}}])  () · opt note parts.note parts.box.note · here parts.note str, parts.box.note int",
      "Crane($).edit(parts=[{op: cut}])  () · opt note",
    ]);
    expect(faults).toEqual([]);
    expect(codesOf('Crane("a").edit(parts=[{op: cut}], at=1)', exposure)).toEqual([
      "argument_unknown 1:36",
    ]);
  });
});

describe("17.16 keys that no other row tells", () => {
  const method: CapabilitySpec = {
    kind: "action",
    entity: "Crane",
    more: () => ({ output: { type: "side_effect", description: "turns" } }),
  };

  test("of one part have their name once where no column shows it (TEACH-20)", () => {
    const { rows, faults } = taught({
      entities: { Crane: { fields: { id: "int" } } },
      capabilities: { crane_turn: method, crane_lift: method },
    });
    expect(rows).toEqual([
      "id  int",
      "Crane  no reads",
      "Crane(id=$).lift()  ()",
      "Crane($).turn()  ()",
    ]);
    expect(faults).toEqual([]);
  });

  test("stand in references where no row of the entity has one", () => {
    const { rows, faults } = taught({
      entities: {
        Crane: { fields: { id: "str" } },
        Slip: { key: ["dock", "no"], fields: { dock: "str", no: "int" } },
      },
      capabilities: {
        crane_query: list({ "slip?": "→Slip" }),
        slip_query: { kind: "query", entity: "Slip" },
      },
    });
    expect(rows).toContain("slip  Slip(dock=str, no=int)");
    expect(faults).toEqual([]);
  });
});

test("17.16 rules that arguments have to satisfy are said in their row (RUN-016, TEACH-19)", () => {
  const { rows, faults } = taught({
    entities: { Crane: { fields: { id: "str" } } },
    capabilities: {
      crane_create: {
        kind: "create",
        entity: "Crane",
        more: (ref) => ({
          input_schema: {
            input_type: {
              type: "object",
              fields: [
                { name: "code", value_ref: ref("str"), required: true },
                { name: "kg", value_ref: ref("int") },
                { name: "tons", value_ref: ref("num") },
                {
                  name: "legs",
                  input_type: {
                    type: "array",
                    element_type: { type: "value", field_type: "string" },
                    min_length: 3,
                    max_length: 4,
                  },
                },
              ],
            },
            validation: {
              predicates: [
                { field_path: "code", operator: "pattern", value: "^[A-Z]{3}-[0-9]+$" },
                { field_path: "kg", operator: "min_value", value: 1000 },
              ],
              cross_field_rules: [
                { rule_type: "exactly_one", fields: ["kg", "tons"] },
                { rule_type: "implies", fields: ["legs", "tons"] },
              ],
            },
          },
        }),
      },
    },
  });
  expect(rows.at(-1)).toBe(
    "Crane.create(code=$)  Crane · opt kg tons legs · rules legs length >= 3; legs length <= 4; " +
      "code matches ^[A-Z]{3}-[0-9]+$; kg >= 1000; exactly one of kg tons; legs needs tons",
  );
  expect(faults).toEqual([]);
});

test("17.16 rows without a key show their columns where they are reached (TEACH-15, CAT-040)", () => {
  const hooks = {
    target: "Hook",
    cardinality: "many",
    materialize: { kind: "from_parent_get", path: [{ key: "hooks" }, { wildcard: true }] },
  };
  const { rows, faults } = taught({
    entities: {
      Crane: { fields: { id: "str" }, relations: { hooks } },
      Hook: {
        fields: { size: "int", crane: "→Crane" },
        more: { abstract: true, id_field: undefined },
      },
    },
    capabilities: { crane_get: { kind: "get", entity: "Crane" } },
  });
  expect(rows).toEqual([
    "crane  Crane",
    "id  str",
    "size  int",
    "Crane($)[id]  Crane",
    "Crane($).hooks[crane,size]  [Hook]",
    "Hook  no reads",
  ]);
  expect(faults).toEqual([]);
});

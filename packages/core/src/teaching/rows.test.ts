import { expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec } from "../../test/build-catalog.ts";
import { rowsOf, teach, type TeachOptions } from "../../test/teach.ts";

type Capabilities = Readonly<Record<string, Omit<CapabilitySpec, "entity">>>;

const FIELDS = { id: "str", name: "str", owner: "→Person", size: "int" };

/** The executable rows of an entity Boat with these capabilities, by wire names, types left out. */
function boatRows(capabilities: Capabilities, options: TeachOptions = {}, more: object = {}) {
  const catalog = buildCatalog("quay", {
    entities: {
      Boat: { description: "a boat", fields: FIELDS, more },
      Person: { fields: { id: "str" } },
    },
    capabilities: {
      ...Object.fromEntries(
        Object.entries(capabilities).map(([name, spec]) => [
          `boat_${name}`,
          { ...spec, entity: "Boat" },
        ]),
      ),
      person_get: { kind: "get", entity: "Person" },
    },
  });
  const { waves } = teach(new Map([["quay", catalog]]), [[["quay", "Boat"]]], {
    notation: "names",
    ...options,
  });
  const code = rowsOf(waves[0]).filter(([left]) => left.startsWith("Boat") || left === "e1");
  return { rows: code.map(([left, right]) => `${left}  ${right}`), wave: waves[0] };
}

const get = { kind: "get" };
const COLUMNS = "[id,name,owner,size]";

test("the head is the query with the fewest required slots, ties by label (TEACH-15)", () => {
  const { rows } = boatRows({
    query_b: { kind: "query", params: { size: "int" } },
    query_a: { kind: "query", params: { name: "str" } },
    query_c: { kind: "query", params: { name: "str", size: "int" } },
    get,
  });
  expect(rows).toEqual([
    `Boat{name=$}${COLUMNS}  [Boat] · a boat`,
    "Boat($)  Boat",
    "Boat{size=$}  [Boat] query-b",
    "Boat{name=$, size=$}  [Boat] query-c",
  ]);
});

test("without a query the get heads, else the search, else there is a row of metadata (TEACH-15)", () => {
  expect(boatRows({ get, search: { kind: "search", params: { q: "str" } } }).rows).toEqual([
    `Boat($)${COLUMNS}  Boat · a boat`,
    "Boat~$  [Boat] search",
  ]);
  expect(
    boatRows({ search: { kind: "search", params: { q: "str", "size?": "int" } } }).rows,
  ).toEqual([`Boat~$${COLUMNS}  [Boat] · opt size · a boat`]);
  expect(boatRows({ delete: { kind: "delete" } }).rows).toEqual([
    "Boat  no reads · a boat",
    "Boat($).delete()  ()",
  ]);
});

test("columns are what some read fills; domain_projection_examples: false leaves them out (TEACH-14)", () => {
  const partial = { query: { kind: "query", more: () => ({ provides: ["size", "id"] }) } };
  expect(boatRows(partial).rows).toEqual(["Boat[id,size]  [Boat] · a boat"]);
  const both = { ...partial, get: { kind: "get", more: () => ({ provides: ["name"] }) } };
  expect(boatRows(both).rows[0]).toBe("Boat[id,name,size]  [Boat] · a boat");
  const { rows } = boatRows(
    { query: { kind: "query" } },
    {},
    { domain_projection_examples: false },
  );
  expect(rows).toEqual(["Boat  [Boat] · a boat"]);
});

test("left cells show what is required, in declared order; a method with options alone shows .. (TEACH-16)", () => {
  const { rows } = boatRows({
    get,
    create: { kind: "create", params: { "size?": "int", owner: "→Person", name: "str" } },
    update: { kind: "update", params: { "size?": "int", "name?": "str" } },
    mend: { kind: "action", params: { size: "int", "name?": "str" }, more: sideEffect },
  });
  expect(rows.slice(1)).toEqual([
    "Boat.create(owner=$, name=$)  Boat · opt size",
    "Boat($).mend(size=$)  () · opt name",
    "Boat($).update(..)  () · opt size name",
  ]);
});

test("a read the resolver would not pick from its slots is taught by label (TEACH-17)", () => {
  const { rows } = boatRows({
    query_a: { kind: "query", params: { name: "str" } },
    query_b: { kind: "query", params: { name: "str" } },
    query_c: { kind: "query", params: { name: "str", "size?": "int" } },
    latest: { kind: "singleton" },
    get,
    get_full: { kind: "get", params: { "size?": "int" } },
    get_at: { kind: "get", params: { size: "int" } },
  });
  expect(rows).toEqual([
    `Boat.query-a(name=$)${COLUMNS}  [Boat] · a boat`,
    "Boat($)  Boat",
    "Boat($).get-at(size=$)  Boat",
    "Boat($).get-full(..)  Boat · opt size",
    "Boat.latest()  Boat",
    "Boat.query-b(name=$)  [Boat]",
    "Boat.query-c(name=$)  [Boat] · opt size",
  ]);
});

test("the get of an identity is chosen by RUN-042, the others are called by label", () => {
  const gets = { get, load: { kind: "get" } };
  expect(boatRows(gets).rows).toEqual([`Boat($)${COLUMNS}  Boat · a boat`, "Boat($).load()  Boat"]);
  expect(boatRows(gets, {}, { primary_read: "boat_load" }).rows).toEqual([
    `Boat($)${COLUMNS}  Boat · a boat`,
    "Boat($).get()  Boat",
  ]);
});

test("methods show the row they need, and no other (TEACH-35, A12)", () => {
  const op = (variables: object) => ({
    transport: "graphql",
    method: "POST",
    path: [{ type: "literal", value: "graphql" }],
    body: { type: "object", fields: [["variables", variables]] },
  });
  const bound = (key: string, name: string) => ({
    type: "object",
    fields: [[key, { type: "var", name }]],
  });
  const { rows } = boatRows({
    by_path: { kind: "update", params: { "name?": "str" } },
    by_key: { kind: "update", mapping: op(bound("boatId", "id")) },
    by_any: { kind: "update", params: { name: "str" }, mapping: op(bound("name", "name")) },
    bare: { kind: "action", path: [], params: { name: "str" }, more: sideEffect },
  });
  expect(rows.slice(1)).toEqual([
    "Boat.bare(name=$)  ()",
    "Boat($).by-any(name=$)  ()",
    "Boat($).by-key()  ()",
    "Boat($).by-path(..)  () · opt name",
  ]);
});

test("results: rows of an entity, one row, nothing, free form (TEACH-21, RUN-040)", () => {
  const output = (shape: object) => ({ kind: "action", more: () => ({ output: shape }) });
  const mapped = { method: "POST", path: [{ type: "var", name: "id" }], response: "single" };
  const { rows } = boatRows({
    a: output({ type: "side_effect", description: "done" }),
    b: output({ type: "entity", entity_type: "Boat" }),
    c: output({ type: "collection", entity_type: "Boat" }),
    d: output({ type: "entity", entity_type: "Person" }),
    e: output({ type: "status", success_indicators: ["ok"] }),
    f: { ...output({ type: "custom", schema: {} }), mapping: mapped },
    g: { kind: "update", mapping: mapped },
    h: { kind: "update", more: () => ({ provides: ["name"] }) },
  });
  expect(rows.slice(1)).toEqual([
    "Boat($).a()  ()",
    "Boat($).b()  Boat",
    "Boat($).c()  [Boat]",
    "Boat($).d()  Person",
    "Boat($).e()  ()",
    "Boat($).f()  {…}",
    "Boat($).g()  Boat",
    "Boat($).h()  Boat",
  ]);
});

test("policy hides rows, and untaught names them (TEACH-8, TEACH-24)", () => {
  const capabilities = {
    query: { kind: "query" },
    query_by: { kind: "query", params: { name: "str" } },
    get,
    update: { kind: "update", params: { "size?": "int" } },
    delete: { kind: "delete" },
  };
  const policy = { apis: { quay: { deny: ["boat_query", "boat_delete"] } } };
  const { rows, wave } = boatRows(capabilities, { policy });
  expect(rows).toEqual([
    `Boat{name=$}${COLUMNS}  [Boat] · a boat`,
    "Boat($)  Boat",
    "Boat($).update(..)  () · opt size",
  ]);
  expect(wave?.untaught).toEqual([
    { capability: "boat_delete", reason: "policy" },
    { capability: "boat_query", reason: "policy" },
  ]);
  expect(wave?.m).toEqual([1, 5]);
});

test("what cannot be written or planned is untaught with its reason (TEACH-24)", () => {
  const nested = (ref: (type: string) => string) => ({
    output: { type: "side_effect", description: "done" },
    input_schema: {
      input_type: {
        type: "object",
        fields: [
          {
            name: "grid",
            required: true,
            input_type: {
              type: "array",
              element_type: {
                type: "array",
                element_type: { type: "value", field_type: "integer" },
              },
            },
          },
          { name: "size", value_ref: ref("int") },
        ],
      },
    },
  });
  const unread = {
    kind: "query",
    params: { name: "str" },
    mapping: { method: "GET", path: [{ type: "literal", value: "boats" }] },
  };
  const { wave } = boatRows({ get, lay: { kind: "action", more: nested }, query: unread });
  expect(wave?.untaught).toEqual([
    { capability: "boat_lay", reason: "unexpressible_input" },
    { capability: "boat_query", reason: "not_plannable" },
  ]);
});

function sideEffect(): object {
  return { output: { type: "side_effect", description: "done" } };
}

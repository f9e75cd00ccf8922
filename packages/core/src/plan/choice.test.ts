import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { errorsOf, nodesOf, planOf } from "../../test/plan-of.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { foldWaves } from "../symbols/waves.ts";

/** A mill with what the fixtures lack: ties, list parameters, roles, compound keys, several gets. */
const mill = buildCatalog("mill", {
  entities: {
    Sack: {
      fields: {
        id: "int",
        farm: "→Farm",
        grade: "a|b",
        kg: "num",
        when: "datetime",
        tags: "[str]",
        note: "str",
      },
      key: ["id"],
      relations: {
        loaves: { target: "Loaf", cardinality: "many" },
        crumbs: { target: "Crumb", cardinality: "many" },
        siblings: {
          target: "Sack",
          cardinality: "many",
          materialize: {
            kind: "query_scoped_bindings",
            capability: "sack_of",
            bindings: { of: "note" },
          },
        },
      },
    },
    Farm: { key: ["county", "name"], fields: { county: "str", name: "str", ha: "num" } },
    Loaf: { fields: { id: "int", sack: "→Sack" } },
    Crumb: { fields: { id: "int", sack: "→Sack", loaf: "→Loaf" } },
    Clock: { fields: { id: "str", now: "datetime" } },
  },
  capabilities: {
    sack_query: {
      kind: "query",
      entity: "Sack",
      paged: true,
      params: { "grade?": "a|b", "tags?": "[str]", "order?": "asc|desc", "when?": "datetime" },
      roles: { order: "sort_direction" },
      more: () => ({ provides: ["id", "farm", "grade"] }),
    },
    sack_of_farm: { kind: "query", entity: "Sack", params: { farm: "→Farm" } },
    sack_of: { kind: "query", entity: "Sack", params: { of: "str" } },
    sack_get: { kind: "get", entity: "Sack", more: () => ({ provides: ["id", "grade", "kg"] }) },
    sack_full: { kind: "get", entity: "Sack", more: () => ({ provides: ["id", "kg", "note"] }) },
    farm_get: { kind: "get", entity: "Farm" },
    farm_by_x: { kind: "query", entity: "Farm", params: { x: "str" } },
    farm_at_x: { kind: "query", entity: "Farm", params: { x: "str" } },
    loaf_of_sack: {
      kind: "query",
      entity: "Loaf",
      params: { sack: "→Sack" },
      roles: { sack: "scope" },
    },
    loaf_get: { kind: "get", entity: "Loaf" },
    crumb_one: { kind: "query", entity: "Crumb", params: { sack: "→Sack", loaf: "→Loaf" } },
    clock_now: { kind: "singleton", entity: "Clock" },
  },
});

const catalogs = new Map([["mill", mill]]);
const log = [
  { entryId: "mill", digest: mill.digest, entities: ["Clock", "Crumb", "Farm", "Loaf", "Sack"] },
];
const exposure: Exposure = {
  catalogs,
  log,
  symbols: foldWaves(log, catalogs),
  notation: "symbols",
  policy: {},
};
const nodes = (text: string): readonly object[] => nodesOf(text, exposure);

test.each([
  [
    "17.5 any of several values of a list is tested: APIs differ in what they make of them (RUN-111)",
    "Sack{tags in [x, y]}",
    { args: {}, filter: { op: "in", path: ["tags"], value: { lit: ["x", "y"] } } },
  ],
  [
    "17.5 a list parameter takes one value, sent (RUN-111)",
    "Sack{tags in [x]}",
    { capability: "sack_query", args: { tags: { lit: ["x"] } }, filter: null },
  ],
  [
    "17.5 each of several values of a list is sent and tested",
    "Sack{tags=[x, y]}",
    {
      capability: "sack_query",
      args: { tags: { lit: ["x", "y"] } },
      filter: { op: "=", path: ["tags"], value: { lit: ["x", "y"] } },
    },
  ],
  [
    "a control parameter is set by name and bounds nothing (RUN-111)",
    "Sack{order=desc}.sort(grade)",
    { args: { order: { lit: "desc" } }, filter: null },
  ],
  [
    "a date is sent in its wire form, tested in its own precision (RUN-016, RUN-113)",
    "Sack{when=2026-01-05, any{when=2026-01-05}}",
    {
      args: { when: { lit: "2026-01-05T00:00:00Z" } },
      filter: { op: "=", path: ["when"], value: { lit: "2026-01-05" } },
    },
  ],
  [
    "a compound reference is sent with all its parts (LANG-040)",
    "Sack{farm=Farm(county=kent, name=hill)}",
    { capability: "sack_of_farm", args: { farm: { lit: { county: "kent", name: "hill" } } } },
  ],
  [
    "a compound reference as text (RUN-012)",
    'Sack{farm="kent/hill"}',
    { args: { farm: { lit: { county: "kent", name: "hill" } } } },
  ],
  [
    "a key that is no parameter, by its type (LANG-027, LANG-040)",
    'Sack{id="7"}',
    { kind: "get", key: { id: { lit: 7 } } },
  ],
  ["the read called by label (TEACH-17)", 'Farm.by-x(x="1")', { capability: "farm_by_x" }],
  [
    "a get without identity by its label",
    "Clock.now()",
    { kind: "get", capability: "clock_now", key: {}, missing: "error" },
  ],
])("%s: %s", (_, text, expected) => {
  expect(nodes(text)[0]).toMatchObject(expected);
});

test.each([
  ["note", "sack_full"],
  ["grade", "sack_get"],
  ["kg", "sack_get"],
  ["id", "sack_get"],
])("the get that fills %s is %s, else <entity>_get (RUN-042)", (column, capability) => {
  expect(nodes(`Sack(7)[${column}]`)[0]).toMatchObject({ kind: "get", capability });
});

test("the get called by label serves, whatever is wanted", () => {
  expect(nodes("Sack(7).full()[grade]")[0]).toMatchObject({
    capability: "sack_full",
    key: { id: { lit: 7 } },
  });
  expect(nodes("s = Sack.limit(1)\ns.full()")[1]).toMatchObject({
    key: { id: { from: "n1", path: [], type: "Sack(int)", many: false } },
  });
});

test("an unmaterialised relation uses the only list that takes the row alone (RUN-051)", () => {
  expect(nodes("Sack(7).loaves")).toMatchObject([
    {
      kind: "relation",
      via: "query_scoped",
      capability: "loaf_of_sack",
      anchor: { id: { lit: 7 } },
    },
  ]);
});

test("a binding to a field that is no key part needs the row (RUN-052)", () => {
  expect(nodes("Sack(7).siblings")).toMatchObject([
    { kind: "get", wanted: ["note"], capability: "sack_full" },
    { kind: "relation", via: "query_scoped_bindings", source: "n1", capability: "sack_of" },
  ]);
});

test("hydration: a list completes rows by a get that gives what it lacks (RUN-057)", () => {
  const { bill } = planOf("Sack.limit(2)[id, kg]", exposure).summary;
  expect(bill.hydration).toEqual({ certain: 2, possible: 0 });
  expect(planOf("Sack.limit(2)[id, farm]", exposure).summary.bill.hydration.certain).toBe(0);
});

test("a control parameter does not bound a read (OPS-6)", () => {
  const reasons = planOf("Sack{order=desc}.sort(grade)", exposure).summary.reasons;
  expect(reasons).toContainEqual(expect.objectContaining({ code: "unbounded_read" }));
});

test.each([
  ["a tie names the labels", "Farm{x=1}", "capability_ambiguous", ["Farm.by-x(…)", "Farm.at-x(…)"]],
  [
    "what is missing, per capability",
    "Crumb",
    "capability_unsatisfied",
    ["one needs", "sack Sack(int)", "loaf Loaf(int)"],
  ],
  ["gets without identity", "Clock", "capability_unsatisfied", ["Clock.now()"]],
  ["gets without identity for an empty key", "Clock()", "bad_key", ["Clock.now()"]],
  ["too many parameters", "Sack(7).crumbs", "relation_unavailable", ["Crumb.one(sack=…)"]],
  [
    "a control parameter is never tested",
    "Sack{order!=desc}",
    "predicate_unsupported",
    ["order=desc"],
  ],
  ["key parts by name", "Farm(kent, hill)", "bad_key", ["county=", "name="]],
  [
    "a reference as a split key",
    'Farm("kent/hill")',
    "bad_key",
    ['Farm(county="kent", name="hill")'],
  ],
  ["positional key of another type", "Sack(seven)", "argument_invalid", ["12"]],
])("%s: %s", (_, text, code, contains) => {
  const [error, ...more] = errorsOf(text, exposure);
  expect(more.filter((each) => each.code !== code)).toEqual([]);
  expect(error).toMatchObject({ code });
  for (const part of contains) expect(error?.correction).toContain(part);
});

test("C-111: ten errors in order, then how many more", () => {
  const text = Array.from({ length: 12 }, (_, at) => `Sack[col${at}]`).join("\n");
  expect(errorsOf(text, exposure).map(({ span }) => span.line)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ]);
});

test.each([
  ["Sack.limit(5).filter{id in s.id}", "Sack.limit(5).filter{id in [7]}"],
  ["Sack.limit(5).filter{not{id in s.id}}", "Sack.limit(5).filter{not{id in [7]}}"],
])("17: right of in, a cell known by its key is a list of one: %s (LANG-044)", (read, same) => {
  const tests = (text: string) => planOf(`s = Sack(7)\n${text}`, exposure).nodes;
  expect(tests(read)).toEqual(tests(same));
});

test.each([
  ["tested on the rows", "Sack.limit(5).filter{id in s.id}"],
  ["sent, or read by key", "Sack{id in s.id}"],
])(
  "17: right of in, the cell of a row that may be missing is a column, %s (LANG-044, C-124)",
  (_, read) => {
    const { nodes } = planOf(`s = Sack.limit(1)\n${read}`, exposure);
    expect(JSON.stringify(nodes)).toMatch(/"many":true/);
    expect(JSON.stringify(nodes)).not.toMatch(/"many":false/);
  },
);

import { expect, test } from "vitest";
import { e, p, quayAndYard } from "../../test/fixture-exposure.ts";
import { commitOf, onlyNode, planOf } from "../../test/plan-of.ts";

const yardBoat = e("yard", "Boat", quayAndYard);
const kinds = (text: string): readonly string[] => planOf(text).nodes.map(({ kind }) => kind);

test.each([
  ["C-001 query", "Boat", { kind: "query", capability: "boat_query", args: {}, filter: null }],
  ["C-002 limit", "Boat.limit(2)", { kind: "query", limit: 2, filter: null }],
  [
    "C-004 search",
    'Boat~"Al"',
    { kind: "search", capability: "boat_search", args: { q: { lit: "Al" } } },
  ],
  [
    "C-005 get",
    'Boat("b1")',
    { kind: "get", capability: "boat_get", key: { id: { lit: "b1" } }, missing: "error" },
  ],
  [
    "C-006 condition sent",
    "Boat{owner=ann}",
    { capability: "boat_query_owner", args: { owner: { lit: "ann" } }, filter: null },
  ],
  [
    "C-007 condition local",
    "Boat{length>10}",
    {
      capability: "boat_query",
      args: {},
      filter: { op: ">", path: ["length"], value: { lit: 10 } },
    },
  ],
  [
    "C-017 scoped relation",
    'Boat("b1").visits',
    { kind: "relation", capability: "visit_query", via: "query_scoped", relation: "visits" },
  ],
  [
    "C-072 key as condition",
    "Boat{id=b1}",
    { kind: "get", key: { id: { lit: "b1" } }, missing: "empty" },
  ],
  [
    "C-073 search with a condition",
    'Boat~"Al"{state=lost}',
    { kind: "search", args: { q: { lit: "Al" }, state: { lit: "lost" } }, filter: null },
  ],
  [
    "C-074 mixed",
    "Boat{owner=ann, length>10}.limit(3)",
    {
      capability: "boat_query_owner",
      args: { owner: { lit: "ann" } },
      filter: { op: ">", path: ["length"], value: { lit: 10 } },
      limit: 3,
    },
  ],
  [
    "C-079 anchored filter",
    'Boat("b1").visits{fee>10}',
    {
      kind: "relation",
      anchor: { id: { lit: "b1" } },
      filter: { op: ">", path: ["fee"], value: { lit: 10 } },
    },
  ],
])("%s: %s", (_, text, expected) => {
  expect(onlyNode(text)).toMatchObject(expected);
});

test("C-017 and C-036: the anchored relation carries the key and reads no boat", () => {
  const node = onlyNode('Boat("b1").visits');
  expect(node).toMatchObject({ anchor: { id: { lit: "b1" } }, owner: "Boat" });
  expect(node).not.toHaveProperty("source");
});

test.each([
  ["C-001", "Boat", "many"],
  ["C-005", 'Boat("b1")', "one"],
  ["C-002 of one", "Boat.limit(1)", "opt"],
  ["C-025", 'b = Boat("b1").papers\nb.office', "opt"],
  ["C-072", "Boat{id=b1}", "opt"],
  ["C-121", "Boat{id in [b1, b2]}", "many"],
  ["a filter on one row", 'Boat("b1").filter{length>10}', "opt"],
])("cardinality %s: %s is %s (LANG-060)", (_, text, card) => {
  const { nodes, returns } = planOf(text);
  const returned = nodes.find(({ id }) => id === returns.at(-1)?.node);
  expect(returned?.result.card).toBe(card);
});

test.each([
  ["C-008 limit, project", "Boat.limit(1)[id,name]", ["query", "compute"]],
  [
    "C-009 sort, limit",
    "Boat.sort(length, desc).limit(2)[id,length]",
    ["query", "compute", "compute", "compute"],
  ],
  ["C-015 embedded relation", 'Boat("b1").logs[id,text]', ["get", "relation", "compute"]],
  ["C-023 step from limit", "o = Boat.limit(1)\no.visits", ["query", "relation"]],
  ["C-025 one to one", 'b = Boat("b1").papers\nb.office', ["get", "relation", "relation"]],
  ["C-071 filter after limit", "Boat.limit(5).filter{state=lost}", ["query", "compute"]],
  ["C-082 order of steps", "Boat.limit(10).sort(length)", ["query", "compute"]],
  ["C-093 fan-out", "Boat.limit(5).owner", ["query", "relation"]],
  ["C-121 keys in a list", "Boat{id in [b1, b2, none]}[id]", ["get", "compute"]],
])("%s: %s", (_, text, expected) => {
  expect(kinds(text)).toEqual(expected);
});

test("C-008: columns in the order written, limit before them", () => {
  expect(planOf("Boat.limit(1)[id,name]").nodes).toMatchObject([
    { limit: 1, wanted: ["id", "name"] },
    {
      op: { project: [["id"], ["name"]] },
      result: {
        columns: [
          ["id", "str"],
          ["name", "str"],
        ],
      },
    },
  ]);
});

test("C-009 and C-082: a sort before a limit sees all rows, one behind it the limited ones", () => {
  expect(planOf("Boat.sort(length).limit(10)").nodes[0]).toMatchObject({ limit: null });
  expect(planOf("Boat.limit(10).sort(length)").nodes[0]).toMatchObject({ limit: 10 });
});

test("C-015: the embedded relation needs one request in all", () => {
  expect(planOf('Boat("b1").logs[id,text]').summary.bill.requests).toEqual({ exact: 1 });
});

test("C-025: references are followed from rows, no identity is taken from a parent", () => {
  expect(planOf('b = Boat("b1").papers\nb.office').nodes).toMatchObject([
    { kind: "get", wanted: ["papers"] },
    { via: "ref", source: "n1", capability: "paper_get", wanted: ["office"] },
    { via: "ref", source: "n2", capability: "office_get" },
  ]);
});

test("C-071: nothing is sent behind a limit", () => {
  expect(planOf("Boat.limit(5).filter{state=lost}").nodes).toMatchObject([
    { args: {}, filter: null, limit: 5 },
    { op: { filter: { op: "=", path: ["state"], value: { lit: "lost" } } } },
  ]);
});

test("C-032 and C-119: page_size makes no node and drops no row", () => {
  const plan = planOf("Boat.page_size(50)");
  expect(plan.nodes).toHaveLength(1);
  expect(plan.nodes[0]).toMatchObject({ limit: null });
  expect(plan.returns).toEqual([{ label: "Boat", node: "n1", page_size: 50 }]);
  expect(plan.summary.bill.requests).toEqual({ max: 3 });
});

test("C-121: at most three gets in the order of the list", () => {
  const plan = planOf("Boat{id in [b1, b2, none]}[id]");
  expect(plan.nodes[0]).toMatchObject({
    key: { id: { lit: ["b1", "b2", "none"] } },
    missing: "empty",
  });
  expect(plan.summary.bill.requests).toEqual({ max: 3 });
});

test("C-080: a required parameter takes one value of many a request, as a relation fan-out", () => {
  const plan = planOf("a = Person\nBoat{owner in a.login}");
  expect(plan.nodes[1]).toMatchObject({
    capability: "boat_query_owner",
    args: { owner: { from: "n1", path: ["login"], type: "str", many: true } },
  });
  expect(plan.summary.reasons).toContainEqual(
    expect.objectContaining({ code: "relation_fanout", node: "n2", severity: "expensive" }),
  );
});

test("C-087, own columns: a column the list does not give costs a get per row, shown in the plan", () => {
  expect(planOf("Boat.limit(2)[id,name]").summary.bill).toMatchObject({
    requests: { max: 1 },
    hydration: { certain: 0, possible: 0 },
  });
  expect(planOf("Boat.limit(2)[id,note]").summary.bill).toMatchObject({
    requests: { max: 3 },
    hydration: { certain: 2, possible: 0 },
  });
});

test("C-031 and C-064: each node has its own catalog (SESS-22)", () => {
  const digest = (entryId: string): string | undefined => quayAndYard.catalogs.get(entryId)?.digest;
  expect(planOf('e1("b1").papers', quayAndYard).nodes).toMatchObject([
    { catalog: { entry_id: "quay", digest: digest("quay"), entity: "Boat" } },
    { catalog: { entry_id: "quay", digest: digest("quay"), entity: "Paper" } },
  ]);
  expect(planOf(`${yardBoat}(1)`, quayAndYard).nodes).toMatchObject([
    {
      catalog: { entry_id: "yard", digest: digest("yard"), entity: "Boat" },
      key: { id: { lit: 1 } },
    },
  ]);
  expect(planOf(`e1.limit(2), ${yardBoat}.limit(2)`, quayAndYard).nodes).toMatchObject([
    { catalog: { entry_id: "quay" } },
    { catalog: { entry_id: "yard" } },
  ]);
});

test("C-042: roots in order, with their labels (PLAN-005)", () => {
  expect(planOf('Boat\nPerson, Boat("b1")').returns).toEqual([
    { label: "Boat", node: "n1", page_size: null },
    { label: "Person", node: "n2", page_size: null },
    { label: "Boat_2", node: "n3", page_size: null },
  ]);
  expect(planOf("a = Boat\na, a, Person").returns.map(({ label }) => label)).toEqual([
    "a",
    "Person",
  ]);
});

test("C-091: a relation step behind a reorder keeps the identity", () => {
  const plan = planOf("Boat{owner=ann}.sort(length, desc).limit(1).visits");
  expect(plan.nodes.at(-1)).toMatchObject({ kind: "relation", source: "n3", relation: "visits" });
});

test.each([
  ["C-003 via label", "a = Boat\na.limit(2)", "Boat.limit(2)"],
  ["C-022 step from label", 'r = Boat("b1")\nr.visits', 'Boat("b1").visits'],
  ["C-024 step after project", 'p = Boat("b1")[name]\np.visits', 'Boat("b1").visits'],
  ["C-040 comment", "Boat ;; all", "Boat"],
  [
    "C-041 line ends",
    "a = Boat{\r\n  owner=ann\r\n}\r\na.limit(2)\r\n",
    "Boat{owner=ann}.limit(2)",
  ],
  ["C-041 BOM", "\ufeffBoat", "Boat"],
  ["C-061 transparency", `e1{${p("state")}=lost}[${p("id")}]`, "Boat{state=lost}[id]"],
  ["C-068 key by name", 'Boat(id="b1")', 'Boat("b1")'],
  ["C-069 empty condition", "Boat{}", "Boat"],
  ["C-069 empty filter", "Boat.filter{}", "Boat"],
  ["C-070 filter form", "Boat.filter{owner=ann}", "Boat{owner=ann}"],
  ["C-070 filter on a label", "a = Boat\na{owner=ann}", "Boat{owner=ann}"],
  ["C-113 option", "lost = Boat\nBoat{state=lost}", 'Boat{state="lost"}'],
  ["a reference as constructor", "Boat{owner=Person(ann)}", "Boat{owner=ann}"],
  ["a reference as object", "Boat{owner={login: ann}}", "Boat{owner=ann}"],
  ["a key taken from a keyed row", 'p = Person("ann")\nBoat{owner=p.login}', "Boat{owner=ann}"],
  ["a keyed row as a reference", 'p = Person("ann")\nBoat{owner=p}', "Boat{owner=ann}"],
  ["filters one by one", "Boat.filter{length>1}.filter{owner=ann}", "Boat{owner=ann, length>1}"],
])("one commit for %s", (_, spelling, plain) => {
  expect(commitOf(spelling)).toBe(commitOf(plain));
});

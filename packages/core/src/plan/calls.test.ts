import { expect, test } from "vitest";
import { mill, millCatalog } from "../../test/mill-catalog.ts";
import { errorsOf, planOf as planned } from "../../test/plan-of.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { methodSymbol } from "../symbols/symbols.ts";
import type { Plan } from "./ir.ts";

const settings = { features: ALL_FEATURES };
const planOf = (text: string, exposure: Exposure = mill): Plan => planned(text, exposure, settings);

/** Errors as `code line:column`, with what they suggest. */
function faults(text: string, exposure: Exposure = mill) {
  return errorsOf(text, exposure, settings).map(({ code, span, correction, suggestedProgram }) => ({
    at: `${code} ${span.line}:${span.column}`,
    correction,
    suggestedProgram,
  }));
}

test("C-096: a call on many rows is not_singleton, the => form is suggested (LANG-025)", () => {
  const [fault, ...more] = faults("a = Boat.limit(5)\na.ping()", quayExposure);
  expect(more).toEqual([]);
  expect(fault?.at).toBe("not_singleton 2:1");
  expect(fault?.correction).toContain("a.limit(1)");
  expect(fault?.suggestedProgram).toBe("a = Boat.limit(5)\na => Boat(_.id).ping()");
});

test.each([
  [
    "compound keys",
    "a = Lid{sack=s}\na.delete()",
    "a = Lid{sack=s}\na => Lid(sack=_.sack, no=_.no).delete()",
  ],
  ["keys that are no column", "a = Sack[kg]\na.rest()", "a = Sack[kg]\na => _.rest()"],
  ["an unnamed receiver", "Sack{label=x}.rest()", "Sack{label=x} => Sack(_.id).rest()"],
  ["more after it", "a = Sack\na.split()[no]", null],
])("not_singleton with %s: %s", (_, text, suggested) => {
  const found = faults(text);
  expect(found.map(({ at }) => at.split(" ")[0])).toEqual(["not_singleton"]);
  expect(found[0]?.suggestedProgram).toBe(suggested);
});

test("in a body a label of many rows is narrowed, => does not nest", () => {
  const [fault] = faults("s = Sack\na = Sack\na => s.rest()");
  expect(fault?.at).toBe("not_singleton 3:6");
  expect(fault?.correction).toContain("s.limit(1)");
  expect(fault?.suggestedProgram).toBeNull();
});

test("C-098: an effect inside a value is refused, two statements are suggested", () => {
  const [fault, ...more] = faults("a = Boat.limit(2)\na => {x: Boat(_.id).ping()}", quayExposure);
  expect(more).toEqual([]);
  expect(fault?.at).toMatch(/^effect_in_value 2:/);
  expect(fault?.correction).toContain("a => Boat(_.id).ping()");
});

test("LANG-070: what a call resolves to decides, not its spelling", () => {
  const read = planOf("a = Sack.limit(2)\na => Lid.query(sack=_)");
  expect(read.nodes[1]).toMatchObject({ kind: "for_each", effect_class: "read" });
  const effect = planOf("a = Sack.limit(2)\na => Sack.rest()");
  expect(effect.nodes[1]).toMatchObject({ kind: "for_each", effect_class: "side_effect" });
  const derived = planOf("a = Sack.limit(2)\na => {rest: _.label}");
  expect(derived.nodes[1]).toMatchObject({ kind: "derive", effect_class: "local" });
});

test.each([
  [
    "of the row at hand",
    "a = Sack.limit(2)\na => _.rest()",
    { id: { row: [], type: "Sack(str)" } },
  ],
  [
    "of the row as reference",
    "a = Sack.limit(2)\na => Sack(_).rest()",
    { id: { row: [], type: "Sack(str)" } },
  ],
  [
    "of a cell",
    "a = Sack.limit(2)\na => Sack(_.label).rest()",
    { id: { row: ["label"], type: "str" } },
  ],
  [
    "of compound keys",
    "a = Lid{sack=s}.limit(2)\na => _.delete()",
    {
      sack: { row: ["sack"], type: "Sack(str)" },
      no: { row: ["no"], type: "int" },
    },
  ],
  ["of the entity itself", "a = Sack.limit(2)\na => Sack.rest()", {}],
])("the target of a body %s", (_, text, target) => {
  expect(planOf(text).nodes.at(-1)).toMatchObject({ kind: "for_each", body: { target } });
});

test("an action whose mapping needs no row is called with or without one (TEACH-34, LANG-025)", () => {
  expect(planOf("Sack.rest()").nodes).toMatchObject([
    {
      kind: "action",
      target: {},
      result: { card: "one", entity: null, columns: [["ok", "bool"]] },
    },
  ]);
  expect(planOf("Sack(s).rest()").nodes).toMatchObject([
    { kind: "action", target: { id: { lit: "s" } }, result: { entity: "Sack" } },
  ]);
  expect(planOf("Sack.rest()").returns).toMatchObject([{ label: "Sack" }]);
  expect(planOf("Sack.rest()").summary.effects).toMatchObject([{ target: null }]);
});

test("a declared argument that is the key may be given, or be the row's (RUN-010)", () => {
  expect(planOf("Sack.stamp(id=s)").nodes[0]).toMatchObject({
    target: {},
    args: { id: { lit: "s" } },
  });
  expect(planOf("Sack(s).stamp(mark=x)").nodes[0]).toMatchObject({
    target: { id: { lit: "s" } },
    args: { mark: { lit: "x" } },
  });
  expect(faults("Sack.stamp(mark=x)").map(({ at }) => at)).toEqual(["argument_missing 1:18"]);
});

test.each([
  ["an identity in the path", "Sack.edit(ops=[])", "edit"],
  ["an identity that nothing else binds", "Sack.touch()", "touch"],
  ["a read of the row before", "Sack.mill()", "mill"],
])("needs_target for %s: %s", (_, text, name) => {
  const [fault, ...more] = faults(text);
  expect(more).toEqual([]);
  expect(fault?.at).toBe("needs_target 1:6");
  expect(fault?.correction).toContain(`Sack("text").${name}(`);
});

test("a create is called on its entity, not on a row of it", () => {
  const [fault] = faults("Sack(s).pack(label=a)");
  expect(fault?.at).toBe("unknown_method 1:9");
  expect(fault?.correction).toContain("Sack.pack(");
});

test("a create of another entity is called on the row its path names (LANG-025, RUN-011)", () => {
  const symbol = methodSymbol(mill.symbols, { entryId: "mill", entity: "Lid", label: "create" });
  const direct = planOf('Lid.create(sack_id="s", no=1)');
  for (const name of ["create", symbol]) {
    const plan = planOf(`Sack("s").${name}(no=1)`);
    expect(plan.commit).toBe(direct.commit);
    expect(plan.nodes).toMatchObject([
      {
        kind: "create",
        catalog: { entity: "Lid" },
        args: { sack_id: { lit: "s" }, no: { lit: 1 } },
      },
    ]);
    expect(plan.returns).toMatchObject([{ label: "Lid" }]);
  }
  const perRow = planOf("a = Sack.limit(2)\na => _.create(no=1)").nodes.at(-1);
  expect(perRow).toMatchObject({
    body: { kind: "create", args: { sack_id: { row: [], type: "Sack(str)" } } },
  });
  expect(faults("Miller(jo).create(no=1)").map(({ at }) => at)).toEqual(["unknown_method 1:12"]);
  expect(faults("Sack.create(no=1)").map(({ at }) => at)).toEqual(["unknown_method 1:6"]);
});

test("by its label only if its entity is exposed", () => {
  const alone = exposureOf([millCatalog], ["Sack"]);
  expect(faults("Sack(s).create(no=1)", alone).map(({ at }) => at)).toEqual(["unknown_method 1:9"]);
});

test("an effect answers with rows, free-form ones or ok (RUN-040, LANG-060)", () => {
  expect(planOf("x = Sack(s).split()\nx[no]").nodes).toMatchObject([
    { result: { card: "many", entity: "Lid", columns: null } },
    { kind: "compute" },
  ]);
  const open = planOf("x = Sack(s).probe()\nx => {a: _.anything.at.all}");
  expect(open.nodes[0]).toMatchObject({ result: { card: "one", entity: null, columns: [] } });
  expect(open.nodes[1]).toMatchObject({
    columns: [["a", { row: ["anything", "at", "all"], type: "json" }]],
  });
  expect(faults("x = Sack(s).edit(ops=[])\nx[label]").map(({ at }) => at)).toEqual([
    "unknown_column 2:3",
  ]);
  const step = faults("x = Sack(s).probe()\nx.lids").map(({ at }) => at);
  expect(step).toEqual(["not_navigable 2:3"]);
});

test("reads are called by label, too, with their parameters (LANG-025)", () => {
  expect(planOf("Sack.query(label=x)").nodes).toMatchObject([
    { kind: "query", args: { label: { lit: "x" } } },
  ]);
  expect(planOf("a = Sack.limit(1)\na.get()").nodes).toMatchObject([
    { kind: "query" },
    { kind: "get", key: { id: { from: "n1", path: [] } } },
  ]);
});

test("what policy forbids is refused, however it is written (TEACH-8)", () => {
  const policy = { apis: { quay: { deny: ["boat_ping"] } } };
  const denied = exposureOf([fixtureCatalog("quay")], undefined, policy);
  const symbol = methodSymbol(denied.symbols, { entryId: "quay", entity: "Boat", label: "ping" });
  for (const name of ["ping", symbol]) {
    const text = `x = Boat("b1").${name}()`;
    expect(faults(text, denied).map(({ at }) => at)).toEqual(["policy_denied 1:16"]);
  }
  const reading = exposureOf([fixtureCatalog("quay")], undefined, {
    apis: { quay: { effects: false } },
  });
  const perRow = faults("Boat.limit(2) => _.delete()", reading);
  expect(perRow.map(({ at }) => at.split(" ")[0])).toEqual(["policy_denied"]);
  const untaught = new Set(["quay/boat_ping"]);
  const hidden = errorsOf('Boat("b1").ping()', denied, { ...settings, untaught });
  expect(hidden.map(({ code }) => code)).toEqual(["unknown_method"]);
});

test.each([
  ["neither root nor effect", "x = Sack", ["no_result"]],
  ["a mistake in what may be an effect", "x = Sack(s).rst()", ["unknown_method"]],
  ["a mistake in a body", "a = Sack\nx = a => _.rst()", ["unknown_method"]],
  ["a mistake in a read", "x = Sac{label=a}", ["unknown_name", "no_result"]],
])("no_result: %s (LANG-012, ERR-005)", (_, text, codes) => {
  expect(errorsOf(text, mill, settings).map(({ code }) => code)).toEqual(codes);
});

test.each([
  'Boat("b1").ping()',
  "Boat.create(name=x, owner=ann)",
  'x = Boat("b1").delete()',
  "a = Boat.limit(2)\na => Boat(_.id).ping()",
])("without effects as a feature no effect is planned: %s", (text) => {
  const features = { ...ALL_FEATURES, effects: false };
  const errors = errorsOf(text, quayExposure, { features });
  expect(errors[0]).toMatchObject({ code: "unknown_method" });
  expect(errors[0]?.message).toContain("cannot be planned by this version");
});

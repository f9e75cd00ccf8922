import { describe, expect, test } from "vitest";
import { e, m, p, quayExposure } from "../../test/fixture-exposure.ts";
import { commitOf, errorsOf, nodesOf, onlyNode, planOf } from "../../test/plan-of.ts";
import { compileProgram } from "./compile.ts";

/** Code, offending text and correction of a program's only error. */
function only(text: string): { code: string | undefined; at: string; fix: string } {
  const [error, ...more] = errorsOf(text);
  expect(more).toEqual([]);
  const at = text.slice(error?.span.start, error?.span.end);
  return { code: error?.code, at, fix: error?.correction ?? "" };
}

describe("LANG-011: continuations", () => {
  test.each([
    ["page(s0_pg1)", { op: "page", handle: "s0_pg1", limit: null }],
    ["page(s0_pg1, limit=20)", { op: "page", handle: "s0_pg1", limit: 20 }],
    ["wait(s0_o1)", { op: "wait", handle: "s0_o1", limit: null }],
    ['cancel("s0_o1")', { op: "cancel", handle: "s0_o1", limit: null }],
  ])("%s is one", (text, read) => {
    expect(compileProgram(text, quayExposure)).toEqual({ kind: "continuation", ...read });
  });

  test.each([
    ["page(s0_pg1)\nBoat", "page(s0_pg1)"],
    ["Boat\ncancel(s0_o1)", "cancel(s0_o1)"],
    ["x = Boat\nwait(s0_o1)\nx", "wait(s0_o1)"],
  ])("%s: it must be the whole program", (text, at) => {
    expect(only(text)).toMatchObject({ code: "not_alone", at });
    expect(only(text).fix).toContain(at);
  });

  test.each(["wait(s0_o1, limit=3)", "cancel(s0_o1, limit=3)"])("%s: limit is page's", (text) => {
    expect(only(text)).toMatchObject({ code: "syntax", at: "limit=3" });
  });
});

describe("LANG-017: words of a search", () => {
  test.each([
    ["Boat~Al.visits", "Al.visits"],
    ["Boat~Al.limit(3)", "Al.limit"],
  ])("%s: a word with a dot is no reference", (text, at) => {
    const error = only(text);
    expect(error).toMatchObject({ code: "unquoted_text", at });
    expect(error.fix).toContain('"Al"');
  });

  test("a reference is one, and steps follow quotes", () => {
    const hole = { from: "n1", path: ["name"], type: "str", many: false };
    expect(planOf('q = Person("ann")\nBoat~q.name').nodes[1]).toMatchObject({ args: { q: hole } });
    expect(onlyNode('Boat~"Al".limit(3)')).toMatchObject({ args: { q: { lit: "Al" } }, limit: 3 });
  });
});

describe("LANG-022: what a word means", () => {
  const sent = (text: string): unknown =>
    planOf(text).nodes.find(({ kind }) => kind === "action" || kind === "query");

  test("a label bound before is a reference; one bound later is unbound_label; else it is text", () => {
    const hole = { from: "n1", path: ["name"] };
    const program = (to: string) => `a = Person("ann")\nBoat("b1").send(to=${to})`;
    expect(sent(program("a.name"))).toMatchObject({ args: { to: hole } });
    expect(sent(program('"a.name"'))).toMatchObject({ args: { to: { lit: "a.name" } } });
    expect(sent(program("b.name"))).toMatchObject({ args: { to: { lit: "b.name" } } });
    expect(only('Boat{owner=a}\na = Person("ann")')).toMatchObject({ code: "unbound_label" });
    expect(sent('ann = Person(ann)\nBoat("b1").send(to=x)\nann')).toBeDefined();
  });

  test("a dotted word one edit away from a label is noted", () => {
    const noted = ({ code }: { code: string }): boolean => code === "text_not_binding";
    const program = (label: string) =>
      `${label} = Person("ann")\nBoat("b1").send(to=ann.name)\n${label}`;
    expect(planOf(program("anm")).summary.reasons.filter(noted)).toMatchObject([
      { severity: "info" },
    ]);
    expect(planOf(program("boat")).summary.reasons.filter(noted)).toEqual([]);
  });

  test("an option of its slot and a relative date stay that, though a label is called so", () => {
    expect(sent("lost = Boat{state=moored}\nBoat{state=lost}")).toMatchObject({
      args: { state: { lit: "lost" } },
    });
    expect(sent('today = Person("ann")\nBoat{built=today}')).toMatchObject({
      filter: { value: { now: "today" } },
    });
  });
});

describe("LANG-023, ERR-006: symbols and wire names", () => {
  const boat = e("quay", "Boat");

  test("give one plan", () => {
    const text = `${boat}{${p("state")}=lost}.sort(${p("length")})[${p("id")}]`;
    expect(commitOf(text)).toBe(commitOf("Boat{state=lost}.sort(length)[id]"));
    expect(commitOf(`${boat}("b1").${m("Boat", "ping")}()`)).toBe(commitOf('Boat("b1").ping()'));
  });

  test("of the wrong family, or of another entity's method, they are errors in symbols", () => {
    expect(only(`${boat}{${boat}=lost}`)).toMatchObject({ code: "unknown_symbol", at: boat });
    expect(only(p("state"))).toMatchObject({ code: "unknown_symbol" });
    const foreign = only(`${boat}.${m("Person", "get")}()`);
    expect(foreign.code).toBe("unknown_method");
    expect(foreign.fix).toContain(`${m("Boat", "ping")} (ping)`);
  });

  test("ERR-006: a correction names what is allowed, in the notation of the offending text", () => {
    expect(only("Boat[nme]").fix).toMatch(/^use name\. Columns: built, flags, /);
    const symbols = only(`${boat}[${p("fee")}]`).fix;
    expect(symbols).toContain(`${p("name")} (name)`);
    expect(only("Boat[fee]").fix).not.toMatch(/\bp\d/);
  });
});

describe("LANG-024: a name means what its place makes it", () => {
  test.each([
    ['Boat("b1").name', "not_navigable", "[name]"],
    ["Boat[visits]", "relation_as_value", ".visits"],
    ["Boat{visits=1}", "relation_as_value", ".visits"],
    ['Boat("b1").ping', "missing_call", ".ping()"],
    ['Boat("b1").nosuch', "unknown_method", "visits"],
    ['Boat("b1").nosuch()', "unknown_method", "ping"],
  ])("%s is %s", (text, code, fix) => {
    expect(only(text).code).toBe(code);
    expect(only(text).fix).toContain(fix);
  });

  test("of a relation and a field with one name a step follows the relation, all else reads the field", () => {
    expect(nodesOf('Person("ann").boats')).toMatchObject([{ kind: "relation", relation: "boats" }]);
    expect(nodesOf('Person("ann")[boats]')).toMatchObject([
      { kind: "get" },
      { op: { project: [["boats"]] } },
    ]);
    expect(nodesOf("Person{boats>2}")).toMatchObject([{ filter: { path: ["boats"], op: ">" } }]);
  });

  test("a relation step by a reference field", () => {
    expect(nodesOf('Boat("b1").owner').at(-1)).toMatchObject({ kind: "relation", via: "ref" });
  });
});

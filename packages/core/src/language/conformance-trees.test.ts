import { describe, expect, it } from "vitest";
import type { Program } from "./grammar/ast.ts";
import { parse } from "./grammar/parse.ts";
import { printProgram } from "./grammar/printer.ts";

function read(text: string): Program {
  const { program, diagnostics } = parse(text);
  expect(diagnostics).toEqual([]);
  return program;
}

const canonical = (text: string) => printProgram(read(text));
const name = (text: string) => ({ kind: "Name", text });
const path = (...segments: string[]) => ({ kind: "Path", segments: segments.map(name) });

/** The only node of a program of one line. */
function root(text: string): unknown {
  const [statement] = read(text).statements;
  return statement?.kind === "Roots" ? statement.nodes[0] : statement;
}

/** The only argument or key of `Person(…)`. */
function key(text: string): unknown {
  const node = root(text) as { source: { args: readonly { value: unknown }[] } };
  return node.source.args[0]?.value;
}

describe("conformance rows about text that must be read", () => {
  it.each([
    ["C-040", "Boat ;; all", "Boat"],
    ["C-040", 'Boat("a;;b")', 'Boat("a;;b")'],
    ["C-056", "Boat\n.limit(5)", "Boat.limit(5)"],
    ["C-056", "Boat ;; c\n\n  ;; c\n  .limit(5)", "Boat.limit(5)"],
    [
      "C-041",
      "\ufeffr = Boat{\r\n state=lost,\r\n}\r\nx = r\r\n => Boat(_.id)\r\n .update(\r\nname=_.name)\r\n",
      "r = Boat{state=lost}\nx = r => Boat(_.id).update(name=_.name)",
    ],
    ["C-118", "Boat.aggregate(n=count())", "Boat.aggregate(n=count)"],
    ["C-109", "page(s0_pg1, limit=20)", "page(s0_pg1, limit=20)"],
    ["C-109", "pc0", "pc0"],
    ["C-110", "Boat($)", "Boat($)"],
    ["C-110", 'Boat("b1").send(to=a, ..)', 'Boat("b1").send(to=a, ..)'],
    ["C-115", 'p = Person("ann")\nBoat~p.name', 'p = Person("ann")\nBoat~p.name'],
    ["LANG-043", "Boat{built>today-7d}", "Boat{built>today-7d}"],
    ["LANG-043", "Boat{built>now+90m}", "Boat{built>now+90m}"],
    ["LANG-013", "Boat { state = lost } . limit ( 5 ) [ id ]", "Boat{state=lost}.limit(5)[id]"],
    ["LANG-005", "a = [1, 2,]\na", "a = [1, 2]\na"],
  ])("%s: %j is read as %j", (_, text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it("C-042: roots in order, several on a line", () => {
    expect(read('Boat\nPerson, Boat("b1").send(to=a, note=b)').statements).toMatchObject([
      {
        kind: "Roots",
        nodes: [{ kind: "Chain", source: { kind: "NameSource", name: name("Boat") } }],
      },
      {
        kind: "Roots",
        nodes: [
          { source: { kind: "NameSource", name: name("Person") } },
          {
            source: {
              kind: "KeySource",
              args: [{ kind: "Arg", value: { kind: "StringValue", text: "b1" } }],
            },
            steps: [
              {
                kind: "Call",
                name: name("send"),
                args: [
                  { name: name("to"), value: { kind: "WordValue", raw: "a" } },
                  { name: name("note"), value: { kind: "WordValue", raw: "b" } },
                ],
              },
            ],
          },
        ],
      },
    ]);
  });

  it.each([
    ["C-044", 'Person("a\\tb\\u00e9")', "a\tbé"],
    ["C-044", "Person('it\"s')", 'it"s'],
    ["C-054", 'Person("Jørn")', "Jørn"],
    ["C-062", 'Person("p1")', "p1"],
  ])("%s: %s holds the text %j", (_, text, expected) => {
    expect(key(text)).toMatchObject({ kind: "StringValue", text: expected });
  });

  it.each(["007", "1e5", "-0", "12345678901234567890", "1e309", "9007199254740993"])(
    "C-048, C-049: the number %s keeps its spelling",
    (raw) => {
      expect(key(`Person(${raw})`)).toMatchObject({ kind: "NumberValue", raw });
    },
  );

  it("C-045: heredoc bodies are opaque", () => {
    const text = 'Boat("b1").send(to=<<A\n1\nA,\nnote=<<B\np1 ;; "${x} it\'s\nB)';
    expect(root(text)).toMatchObject({
      steps: [
        {
          args: [
            { name: name("to"), value: { kind: "HeredocValue", tag: "A", text: "1" } },
            {
              name: name("note"),
              value: { kind: "HeredocValue", tag: "B", text: "p1 ;; \"${x} it's" },
            },
          ],
        },
      ],
    });
  });

  it("C-018, C-020: a heredoc behind a chain is its template, behind `=` data (LANG-016)", () => {
    expect(
      read("h = Boat[id,name] <<X\n{{ rows[0].name }}\nX\nn = <<X\nhi\nX\nn, h").statements,
    ).toMatchObject([
      {
        label: name("h"),
        node: {
          kind: "Chain",
          template: { kind: "Template", tag: "X", body: "{{ rows[0].name }}" },
        },
      },
      {
        label: name("n"),
        node: { kind: "Data", value: { kind: "HeredocValue", tag: "X", text: "hi" } },
      },
      { kind: "Roots", nodes: [{}, {}] },
    ]);
  });

  it("C-058: `x = Boat` is text without mistake; that it gives nothing is for the check", () => {
    expect(read("x = Boat").statements).toMatchObject([{ kind: "Binding", label: name("x") }]);
  });

  it("C-069: empty braces are no condition", () => {
    const none = { kind: "And", items: [] };
    expect(root("Boat{}")).toMatchObject({
      source: { kind: "BraceSource", pred: none },
      steps: [],
    });
    expect(root("Boat.filter{}")).toMatchObject({ steps: [{ kind: "Filter", pred: none }] });
  });

  it("C-073: a search takes conditions", () => {
    expect(root('Boat~"Al"{state=lost}')).toMatchObject({
      source: {
        kind: "SearchSource",
        text: { kind: "StringValue", text: "Al" },
        pred: {
          items: [{ kind: "Compare", path: path("state"), op: "=", value: { raw: "lost" } }],
        },
      },
    });
  });

  it("C-075: conditions nest", () => {
    expect(
      root("Boat{any{state=lost, all{length>10, not{owner=ann}}}, exists(built), state in [lost]}"),
    ).toMatchObject({
      source: {
        pred: {
          items: [
            {
              kind: "Or",
              items: [
                { kind: "Compare", path: path("state") },
                {
                  kind: "And",
                  items: [
                    { op: ">", value: { kind: "NumberValue", raw: "10" } },
                    { kind: "Not", pred: { kind: "And", items: [{ path: path("owner") }] } },
                  ],
                },
              ],
            },
            { kind: "Exists", path: path("built") },
            { kind: "In", path: path("state"), list: { items: [{ raw: "lost" }] } },
          ],
        },
      },
    });
  });

  it("C-083, LANG-014: a lone direction belongs to the key before it", () => {
    expect(root("Boat.sort(state, length desc, name, asc)")).toMatchObject({
      steps: [
        {
          kind: "Sort",
          keys: [
            { path: path("state"), desc: false },
            { path: path("length"), desc: true },
            { path: path("name"), desc: false },
          ],
        },
      ],
    });
  });

  it("C-014, LANG-014: a bare count after the first place is an aggregate", () => {
    expect(root("Boat.group_by(count, owner.name, count, t=sum(length))")).toMatchObject({
      steps: [
        {
          kind: "GroupBy",
          paths: [path("count"), path("owner", "name")],
          aggs: [{ fn: "count" }, { name: name("t"), fn: "sum", path: path("length") }],
        },
      ],
    });
  });

  it("C-097, C-098: what stands behind `=>`", () => {
    expect(root("a => {m: _.meta.m1}")).toMatchObject({
      kind: "Map",
      body: {
        kind: "ObjectValue",
        entries: [{ key: name("m"), value: { kind: "WordValue", raw: "_.meta.m1" } }],
      },
    });
    expect(root("a => s.send(to=_.name)")).toMatchObject({
      kind: "Map",
      chain: { source: { name: name("a") } },
      body: {
        kind: "Chain",
        source: { name: name("s") },
        steps: [{ kind: "Call", name: name("send") }],
      },
    });
  });

  it("C-095: lists and objects nest, and `{a:b}` is key a, value b (LANG-007)", () => {
    expect(read('x = [[1,2],{a:b, "c d": null}]').statements).toMatchObject([
      {
        node: {
          kind: "Data",
          value: {
            items: [
              { kind: "ListValue", items: [{ raw: "1" }, { raw: "2" }] },
              {
                kind: "ObjectValue",
                entries: [
                  { key: name("a"), value: { kind: "WordValue", raw: "b" } },
                  { key: { kind: "StringValue", text: "c d" }, value: { kind: "NullValue" } },
                ],
              },
            ],
          },
        },
      },
    ]);
  });
});

import { assertProperty } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spell } from "../../test/arbitrary-program.ts";
import { quayExposure } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";
import { spelledTemplates } from "../../test/properties/notations.ts";
import { parse } from "../language/grammar/parse.ts";
import { printProgram } from "../language/grammar/printer.ts";
import { templateArbitrary } from "../templates/testing/template-arbitrary.ts";
import { type Compiled, compileProgram } from "./compile.ts";
import type { Plan } from "./ir.ts";
import { renderPlan } from "./render/render-plan.ts";

/** The plan of a template over some rows, with statements before it. */
const planned = (rows: string, template: string, before: readonly string[] = []): Plan =>
  planOf([...before, `t = ${rows} <<X`, template, "X", "t"].join("\n"));

const renderOf = ({ nodes }: Plan): object | undefined =>
  nodes.flatMap((node) =>
    node.kind === "compute" && "render" in node.op ? [node.op.render] : [],
  )[0];

describe("a trailing heredoc in the plan (LANG-080, plan specification, section 2)", () => {
  test("C-018 one row with content over the rows before it", () => {
    const { nodes, returns, edges } = planOf(
      'h = Boat("b1")[id,name] <<X\n{{ rows[0].name }}\nX\nh',
    );
    expect(nodes.at(-1)).toEqual({
      id: "n3",
      kind: "compute",
      effect_class: "local",
      stage: 0,
      source: "n2",
      op: { render: { text: "{{ rows[0].name }}", uses: {} } },
      result: { card: "one", entity: null, columns: [["content", "str"]] },
    });
    expect(returns).toEqual([{ label: "h", node: "n3", page_size: null }]);
    expect(edges).toEqual([
      { from: "n1", to: "n2" },
      { from: "n2", to: "n3" },
    ]);
  });

  test("C-019 its content is an argument: a hole typed text", () => {
    const { nodes } = planOf(
      'h = Boat("b1")[id,name] <<X\n{{ rows[0].name }}\nX\nh\nBoat.create(name=h.content, owner=ann)',
    );
    expect(nodes.at(-1)).toMatchObject({
      kind: "create",
      args: { name: { from: "n3", path: ["content"], type: "str", many: false } },
    });
  });

  test("labels used are dependencies, behind the source, in the order of the text (PLAN-010)", () => {
    const before = ['p = Person("ann")', "q = Boat{state=lost}", "unused = Log(1)"];
    const { edges, nodes } = planned("Boat", "{{ q | length }}{{ p.name }}{{ q }}", before);
    expect(nodes.map((node) => ("catalog" in node ? node.catalog.entity : node.kind))).toEqual([
      "Boat",
      "Boat",
      "Person",
      "compute",
    ]);
    expect(edges.map(({ from }) => from)).toEqual(["n1", "n2", "n3"]);
    expect(renderOf(planned("Boat", "{{ q | length }}{{ p.name }}{{ q }}", before))).toEqual({
      text: "{{ n2 | length }}{{ n3.name }}{{ n2 }}",
      uses: { n2: "n2", n3: "n3" },
    });
  });

  test("a name that the template gives itself is never taken for a node", () => {
    const template =
      "{% for n1 in p.login %}{{ n1 }}{% set n2 = 1 %}{{ n2 }}{% endfor %}{{ p.name }}";
    const plan = planned("Boat.limit(1)", template, ['p = Person("ann")']);
    expect(renderOf(plan)).toEqual({
      text: "{% for n1 in n2_.login %}{{ n1 }}{% set n2 = 1 %}{{ n2 }}{% endfor %}{{ n2_.name }}",
      uses: { n2_: "n2" },
    });
  });

  test("RUN-057 wanted are the columns a template reads, of labels too", () => {
    const template =
      "{% for r in rows %}{{ r.name }}{% set m = r.meta %}{{ m.a }}{% endfor %}{{ p.boats }}";
    const plan = planned("Boat.limit(3)", template, ['p = Person("ann")']);
    expect(plan.nodes).toMatchObject([{ wanted: ["meta", "name"] }, { wanted: ["boats"] }, {}]);
    expect(plan.summary.bill.nodes["n1"]).toMatchObject({ hydration: "certain" });
  });

  test("LANG-064 fields of another entity are fetched; a projected path is a column by its name", () => {
    const template = "{% for r in rows %}{{ r.owner.name }}{% endfor %}";
    const joined = planned("Boat.limit(3)", template);
    const text = '{% for r in rows %}{{ r["owner.name"] }}{% endfor %}';
    expect(joined.nodes.map(({ kind }) => kind)).toEqual(["query", "join", "compute"]);
    expect(renderOf(joined)).toEqual({ text, uses: {} });
    const projected = planned("Boat.limit(3)[name, owner.name]", template);
    expect(renderOf(projected)).toEqual({ text, uses: {} });
    expect(renderOf(planned("Boat.limit(3)[name, owner.name]", text))).toEqual({ text, uses: {} });
  });

  test("OPS-6, PLAN-020, PLAN-021 it reads all rows, also of a label, and gives one", () => {
    const { summary, nodes } = planned("Boat", "{{ rows | length }}");
    expect(summary.reasons.slice(0, 1)).toMatchObject([
      { code: "unbounded_read", node: "n1", detail: "paged, the template reads all" },
    ]);
    expect(summary.bill.nodes[nodes.at(-1)?.id ?? ""]).toEqual({
      requests: { exact: 0 },
      rows: { exact: 1 },
    });
    const byLabel = planned('Person("ann")', "{{ a | length }}", ["a = Boat"]).summary;
    expect(byLabel.reasons.map(({ code }) => code)).toContain("unbounded_read");
    const bounded = planned("Boat.limit(5)", "{{ rows | length }}").summary;
    expect(bounded.reasons.filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  test("PLAN-040 its line of the dry run", () => {
    const lines = renderPlan(planned('Boat("b1")', "{{ rows[0].id }}"), "pc0").split("\n");
    expect(lines.at(-1)).toBe("n2 render ← n1");
  });

  test("LANG-072 a template that nothing needs is checked, but not run", () => {
    expect(planOf('t = Boat <<X\nhi\nX\nBoat("b1")').nodes).toHaveLength(1);
    expect(errorsOf('t = Boat <<X\n{{ zz }}\nX\nBoat("b1")').map(({ code }) => code)).toEqual([
      "template_error",
    ]);
  });

  test("content is a column like others, without identity (LANG-061)", () => {
    expect(planOf("t = Boat <<X\nhi\nX\nt => {c: _.content}").nodes).toHaveLength(3);
    const [error] = errorsOf("t = Boat <<X\nhi\nX\nt.visits");
    expect([error?.code, error?.correction]).toEqual([
      "relation_lost",
      expect.stringContaining("the template"),
    ]);
  });
});

describe("PLAN-011: templates are hashed with wire names, and node ids for labels", () => {
  const commit = (text: string): string => planOf(text).commit;
  const program = (label: string, owner: string, name: string): string =>
    `${label} = Person("ann")\nBoat.limit(2) <<X\n{% for r in rows %}{{ r.${owner} }}{{ ${label}.${name} }}{% endfor %}\nX`;
  const symbolOf = (name: string): string => spell([{ name }], quayExposure, () => true);

  test("neither notation, nor labels, nor the heredoc's tag changes the commit", () => {
    const one = commit(program("p", "owner", "name"));
    expect(commit(program("somebody", "owner", "name"))).toBe(one);
    expect(commit(program("n2", symbolOf("owner"), symbolOf("name")))).toBe(one);
    expect(commit(program("p", "owner", "name").replaceAll("X", "OTHER"))).toBe(one);
    expect(commit(program("p", "owner", "name").replaceAll("\n", "\r\n"))).toBe(one);
  });

  test.each([
    ["a column", program("p", "state", "name")],
    ["a text", program("p", "owner", "name").replace("{% endfor", " {% endfor")],
    ["a label's rows", program("p", "owner", "name").replace("ann", "bob")],
  ])("%s does", (_what, other) => {
    expect(commit(other)).not.toBe(commit(program("p", "owner", "name")));
  });

  test("labels of one node are one name", () => {
    const text = (a: string, b: string): string =>
      `a = Boat("b1")\nb = Boat("b1")\nPerson("ann") <<X\n{{ ${a}.name }}{{ ${b}.id }}\nX`;
    expect(commit(text("a", "b"))).toBe(commit(text("b", "b")));
  });

  test("P21: templates at random, spelled with symbols and names mixed and labels renamed", () =>
    assertProperty(spelledTemplates));
});

describe("whatever a template holds (LANG-001, PLAN-001)", () => {
  const pieces = fc.constantFrom(
    ..."{{ }} {% %} {# #} - rows [0] | first . name owner p15 e1 nme for if else endif endfor set in = a r ( ) \" ' ~ \n \r\n 😀 default length x.y loop.previtem not is none defined".split(
      " ",
    ),
  );
  const random = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" "));
  const bodies = fc.oneof(random, templateArbitrary);

  test("it compiles to a plan or to errors inside the program, alike when printed anew", () => {
    fc.assert(
      fc.property(bodies, fc.boolean(), (body, crlf) => {
        fc.pre(!/^\s*T/m.test(body));
        const lines = `a = Boat("b1")\nr = Boat\nt = Boat.limit(2) <<T\n${body}\nT\nt, a`;
        const text = crlf ? lines.replaceAll(/\r?\n/g, "\r\n") : lines;
        const compiled = compileProgram(text, quayExposure);
        const printed = compileProgram(printProgram(parse(text).program), quayExposure);
        const commitOf = (made: Compiled): string =>
          made.kind === "plan" ? made.plan.commit : made.kind;
        expect(commitOf(printed)).toBe(commitOf(compiled));
        const errors = compiled.kind === "errors" ? compiled.errors : [];
        for (const { code, span } of errors) {
          expect(code).toBe("template_error");
          expect(span.line).toBeGreaterThan(3);
          expect(span.start <= span.end && span.end <= text.length).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { parse } from "./grammar/parse.ts";
import { printProgram } from "./grammar/printer.ts";

/** The canonical text of a program that must be read. */
function canonical(text: string): string {
  const { program, diagnostics } = parse(text);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return printProgram(program);
}

describe("LANG-048: values with operators", () => {
  it.each([
    ["a => {x: _.price*1.1}", "a => {x: _.price * 1.1}"],
    ["a => {x: _.total/2-1}", "a => {x: _.total / 2 - 1}"],
    ["a => {x: (_.a+_.b)*2}", "a => {x: (_.a + _.b) * 2}"],
    ["a => {x: _.a - (_.b - _.c)}", "a => {x: _.a - (_.b - _.c)}"],
    ["a => {x: _.a-1}", "a => {x: _.a - 1}"],
    ["a => {x: _.meta.some-key}", "a => {x: _.meta.some-key}"],
    ["a => {x: now-_.due}", "a => {x: now - _.due}"],
    ["a => {x: _.a-_.b}", "a => {x: _.a - _.b}"],
    ["a => {x: _.meta.some-key-_.meta.b}", "a => {x: _.meta.some-key - _.meta.b}"],
    ["a => {x: _.due - 1d / 2}", "a => {x: _.due - 1d / 2}"],
    ["a => {x: true and _.b}", "a => {x: true and _.b}"],
    ["a => {x: not not _.b}", "a => {x: not not _.b}"],
    ["a => {x: _.due + 2d}", "a => {x: _.due + 2d}"],
    ['a => {x: "[URGENT] " + _.subject}', 'a => {x: "[URGENT] " + _.subject}'],
    ["a => {x: _.due[:10]}", "a => {x: _.due[:10]}"],
    ["a => {x: _.tags[0]}", "a => {x: _.tags[0]}"],
    ['a => {x: _.options."screen size".unit}', 'a => {x: _.options."screen size".unit}'],
    [
      "a => {x: not _.done and _.n<3 or vip in _.tags}",
      "a => {x: not _.done and _.n < 3 or vip in _.tags}",
    ],
    ["a => {x: if(_.n>3, high, low)}", "a => {x: if(_.n > 3, high, low)}"],
    ["a => {x: first(_.items).name}", "a => {x: first(_.items).name}"],
    ["a => {n: (_.id)}", "a => {n: _.id}"],
    [
      "a => E(_.id).m(due=_.due + 2d, tags=_.tags + [vip])",
      "a => E(_.id).m(due=_.due + 2d, tags=_.tags + [vip])",
    ],
    ["t = E.aggregate(n=count)\nshare = t.n/2", "t = E.aggregate(n=count)\nshare = t.n / 2"],
    ["t = E.aggregate(n=count)\nshare = t.n / 2", "t = E.aggregate(n=count)\nshare = t.n / 2"],
    ["t = E.aggregate(n=count)\nE.m(n=t.n/2-1)", "t = E.aggregate(n=count)\nE.m(n=t.n / 2 - 1)"],
    ["t = E.aggregate(n=count)\nE.m(n=t.n * 2)", "t = E.aggregate(n=count)\nE.m(n=t.n * 2)"],
  ])("%s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each([
    ["E{stock < _.reorder}", "E{stock<_.reorder}"],
    ["E{stock*2 > cost+1}", "E{stock * 2 > cost + 1}"],
    ["E{due < today + 2d}", "E{due<today + 2d}"],
    ["E{a=1 and b=2}", "E{all{a=1, b=2}}"],
    ["E{a=1 or b=2 and c=3}", "E{any{a=1, all{b=2, c=3}}}"],
    ["E{(a=1 or b=2) and c=3}", "E{all{any{a=1, b=2}, c=3}}"],
    ["E{not a=1}", "E{not{a=1}}"],
    ["E{not (a=1 or b=2)}", "E{not{any{a=1, b=2}}}"],
    ["E{(price + tax) * 2 > 100}", "E{(price + tax) * 2 > 100}"],
    [
      'E{starts_with(name, "A") or length(name) = 3}',
      'E{any{starts_with(name, "A"), length(name) = 3}}',
    ],
    ['E{options."screen size" > 5}', 'E{options."screen size">5}'],
    ["E{name[:1] in [A, B]}", "E{name[:1] in [A, B]}"],
    ["E.sort(price*qty desc)", "E.sort(price * qty desc)"],
    [
      "E.group_by(month(placed), n=count(state=lost))",
      "E.group_by(month(placed), n=count(state = lost))",
    ],
    ["E.group_by(low=stock<reorder, n=count)", "E.group_by(low=stock < reorder, n=count)"],
    ["E.aggregate(t=sum(price*qty))", "E.aggregate(t=sum(price * qty))"],
    ["E.distinct(lower(name))", "E.distinct(lower(name))"],
    ["E.limit( 2 , per=owner )", "E.limit(2, per=owner)"],
    ["E.limit(2, per=month(placed))", "E.limit(2, per=month(placed))"],
  ])("%s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(canonical(expected)).toBe(expected);
  });

  it.each([
    ["E(name=Sea - Star)", "unquoted_text"],
    ["E{name=Tom and Jerry}", "unquoted_text"],
    ["a => {name: Tom and Jerry}", "unquoted_text"],
    ["E(docs/a.md)", null],
    ["E(x=a-b)", null],
    ["E(x=2d)", "unquoted_text"],
    [`a => {x: ${"_.a + ".repeat(501)}1}`, "too_large"],
  ])("LANG-007: %s is text, or too much: %s", (text, code) => {
    expect(parse(text).diagnostics[0]?.code ?? null).toBe(code);
  });
});

it("LANG-048: parts of parts count as operators, so that no program is too deep to be read", () => {
  const { diagnostics } = parse(`a => {x: _.name${"[1:]".repeat(5_000)}}`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["too_large"]);
});

describe("LANG-001: conditions are held to the operators of a statement", () => {
  const listed = (most: number, between: string) =>
    `Boat{${Array.from({ length: most }, (_, n) => `a!=${n}`).join(between)}}`;
  it.each([", ", " and ", " or "])("joined by %j", (between) => {
    expect(parse(listed(501, between)).diagnostics).toEqual([]);
    const [first, ...more] = parse(listed(502, between)).diagnostics;
    expect(first?.code).toBe("too_large");
    expect(first?.correction).toContain("500 operators");
    expect(more).toEqual([]);
  });

  it("inside of other conditions, too", () => {
    const inner = listed(300, ", ").slice(5, -1);
    const [first] = parse(`Boat{any{${inner}}, not{${inner}}}`).diagnostics;
    expect(first?.code).toBe("too_large");
  });
});

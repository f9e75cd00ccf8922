import { describe, expect, it } from "vitest";
import { parse } from "./grammar/parse.ts";
import { printProgram } from "./grammar/printer.ts";

/** The items of `a = […]`, each as kind and source text, or as kind and text. */
function itemsOf(list: string): readonly string[] {
  const { program, diagnostics } = parse(`a = ${list}`);
  expect(diagnostics).toEqual([]);
  const [statement] = program.statements;
  if (statement?.kind !== "Binding" || statement.node.kind !== "Data") return [];
  const { value } = statement.node;
  if (value.kind !== "ListValue") return [];
  return value.items.map((item) => {
    if ("raw" in item) return `${item.kind} ${item.raw}`;
    return "text" in item ? `${item.kind} ${item.text}` : item.kind;
  });
}

describe("LANG-006, LANG-007: one run is one token, tried as DATE, UUID, NUMBER, WORD", () => {
  it.each<readonly [kind: string, ...runs: string[]]>([
    ["DateValue", "2024-02-29", "2000-02-29", "2026-04-30", "2026-12-31", "2026-01-01"],
    ["DateValue", "2026-01-01T00:00", "2026-01-01T23:59:59", "2026-01-01T10:00:00.123456789Z"],
    ["DateValue", "2026-01-01T10:00+23:59", "2026-01-01T10:00:00-00:00", "2026-01-01T10:00Z"],
    ["UuidValue", "550e8400-e29b-41d4-a716-446655440000", "ABCDEF01-2345-6789-abcd-ef0123456789"],
    ["NumberValue", "1", "-1", "1.5", "1e5", "1E+5", "1e-5", "-0.25e10", "007", "-0"],
    ["WordValue", "now", "today+1m", "tomorrow-2h", "yesterday+30w", "now-7d"],
    ["WordValue", "a", "_", "a-b", "a_b.c:d@e/f", "Ab9", "b1"],
    ["PlaceholderValue", "..", "$"],
  ])("%s: %j", (kind, ...runs) => {
    expect(itemsOf(`[${runs.join(", ")}]`)).toEqual(runs.map((run) => `${kind} ${run}`));
  });

  it("true, false and null are literals in exactly this spelling (LANG-013)", () => {
    expect(itemsOf("[true, false, null, True, NULL]")).toEqual([
      "BoolValue",
      "BoolValue",
      "NullValue",
      "WordValue True",
      "WordValue NULL",
    ]);
  });
});

describe("LANG-006: strings", () => {
  it.each([
    [String.raw`"\n\t\r\b\f\/\\\"\'"`, "\n\t\r\b\f/\\\"'"],
    [String.raw`'\n\t\r\b\f\/\\\"\''`, "\n\t\r\b\f/\\\"'"],
    [String.raw`"\u00e9\u00E9\ud83d\ude00\u0041"`, "éé😀A"],
    [`"it's ;; [a, b]"`, "it's ;; [a, b]"],
    [`'say "x"'`, 'say "x"'],
    [`"\ttab"`, "\ttab"],
    [`""`, ""],
    [`"\\ud7ff\\ue000"`, "\ud7ff\ue000"],
    [`"\\udbff\\udfff\\ud800\\udc00"`, "\u{10ffff}\u{10000}"],
  ])("%s", (source, text) => {
    expect(itemsOf(`[${source}]`)).toEqual([`StringValue ${text}`]);
  });
});

describe("LANG-008: bodies of heredocs", () => {
  it.each([
    ["[<<T\nT]", ""],
    ["[<<T\n\nT]", ""],
    ["[<<T\n\n\nT]", "\n"],
    ["[<<T_1  \r\nx\r\ny\r\n T_1 \r\n]", "x\ny"],
    ["[<<T\nx\r\ny\r\nT]", "x\r\ny"],
    ["[<<A\nAB\nA x\nA, b\nA]", "AB\nA x\nA, b"],
    ["[<<A\n  x  \n\tA\t]", "  x  "],
    ["[<<A\nx\nA]", "x"],
  ])("%j", (source, text) => {
    expect(itemsOf(source)).toEqual([`HeredocValue ${text}`]);
  });
});

describe("LANG-015: what is in error has no text, wherever it stands", () => {
  it.each([
    "Boat{a=+5}",
    "Boat{any{}}",
    "Boat{a in +5}",
    "Boat(+5)",
    "Boat(a=+5)",
    "Boat~4f2a",
    "x = [+5]",
    "x = {a: +5}",
    "x = +5",
    "x = Boat y",
    "Boat x",
    "Boat[]",
    "Boat => {}",
    "Boat.page_size(0)",
    "page(4f2a)",
    "page(s0_pg1, limit=0)",
    '"text"',
    ")",
  ])("%s", (program) => {
    expect(() => printProgram(parse(program).program)).toThrow(
      "a tree that is in error has no text",
    );
  });
});

import { describe, expect, it } from "vitest";
import { parseProgram } from "./grammar/parse.ts";

/** id, program, code, the text the span covers, what the correction contains, suggested program. */
type Row = readonly [string, string, string, string, readonly string[], string | null];

const rows: readonly Row[] = [
  [
    "C-043",
    "a = Boat, b = Person",
    "unexpected_text",
    ",",
    ["one statement per line"],
    "a = Boat\nb = Person",
  ],
  ["C-044", 'Person("\\q")', "bad_escape", "\\q", ["\\n", "\\uXXXX", "\\\\q"], 'Person("\\\\q")'],
  ["C-044", 'Person("a\nb")', "unterminated_string", '"a', ['"', "\\n", "heredoc"], null],
  ["C-047", "<<<T", "bad_heredoc", "<<<T", ["<<T, newline, the text, newline, T"], null],
  ["C-047", "<<", "bad_heredoc", "<<", ["<<TAG, newline, the text, newline, TAG"], null],
  [
    "C-047",
    "a=<<A, b=<<B",
    "bad_heredoc",
    ", b=<<B",
    ["<<A, newline, the text, newline, A", "new line"],
    null,
  ],
  ["C-047", "n = <<T\nx", "unterminated_heredoc", "<<T", ["a line T", "on line 1"], null],
  ["C-049", "Boat{length=+5}", "bad_literal", "+5", ["write 5", '"+5"'], "Boat{length=5}"],
  [
    "C-051",
    "Boat{built<2026-02-30}",
    "bad_literal",
    "2026-02-30",
    ["2026-01-31", '"2026-02-30"'],
    null,
  ],
  [
    "C-053",
    "Boat{name=Sea Star}",
    "unquoted_text",
    "Sea Star",
    ['write "Sea Star"'],
    'Boat{name="Sea Star"}',
  ],
  ["C-054", "Boat{name=Jørn}", "unexpected_char", "ø", ["U+00F8", '"Jørn"'], 'Boat{name="Jørn"}'],
  [
    "C-054",
    "Boat{name=“Jo, Ann”, owner=ann}",
    "unexpected_char",
    "“",
    ["U+201C", '"Jo, Ann"'],
    'Boat{name="Jo, Ann", owner=ann}',
  ],
  ["C-054", "Boat~‘Al’.limit(3)", "unexpected_char", "‘", ['"Al"'], 'Boat~"Al".limit(3)'],
  ["C-054", "Boat{name=“Jo”}", "unexpected_char", "“", ["U+201C", '"Jo"'], 'Boat{name="Jo"}'],
  [
    "C-054",
    "Boat\u00a0.limit(5)",
    "unexpected_char",
    "\u00a0",
    ["U+00A0", "U+0020"],
    "Boat .limit(5)",
  ],
  ["C-055", "Boat limit(5)", "unexpected_text", "limit", [".limit(5)"], "Boat.limit(5)"],
  ["C-056", "Boat\n[id]", "line_break", "[", ["Boat[id]"], "Boat[id]"],
  ["C-058", ";; nothing", "empty_program", "", ["root"], null],
  ["C-058", "\n \t\n", "empty_program", "", ["root"], null],
  ["C-059", "e1 = Boat", "bad_label", "e1", ["e1_rows"], null],
  ["C-059", "m99 = Boat", "bad_label", "m99", ["m99_rows"], null],
  ["C-059", "page = Boat", "bad_label", "page", ["page_rows"], null],
  ["C-059", "return Boat", "unexpected_text", "return", ["leave return out"], "Boat"],
  ["C-069", "Boat{any{}}", "empty_list", "any{}", ["at least one condition"], null],
  [
    "C-073",
    "Boat~two words",
    "unquoted_text",
    "two words",
    ['write "two words"'],
    'Boat~"two words"',
  ],
  ["C-081", "Boat.limit(0)", "bad_count", "0", ["from 1 to 100000", ".limit(5)"], null],
  ["C-081", "Boat.limit(-1)", "bad_count", "-1", ["from 1 to 100000"], null],
  ["C-081", "Boat.limit(2.5)", "bad_count", "2.5", ["from 1 to 100000"], null],
  [
    "C-098",
    "a = Boat.limit(2)\na => {x: Boat(_.id).ping()}",
    "effect_in_value",
    ".ping()",
    ["found = a => Boat(_.id).ping()"],
    null,
  ],
  [
    "C-103",
    "a = Boat\na => {n: _.id} => {m: _.n}",
    "unexpected_text",
    "=>",
    ["bind the rows first: found = a => {n: _.id}"],
    "a = Boat\nfound = a => {n: _.id}\nfound => {m: _.n}",
  ],
  [
    "C-109",
    "page(s0_pg1, limit=20)\nBoat",
    "not_alone",
    "page(s0_pg1, limit=20)",
    ["page(s0_pg1, limit=20) by itself"],
    null,
  ],
  [
    "C-114",
    "Boat{state=lost owner=ann}",
    "syntax",
    "",
    ["comma", "state=lost, owner=ann"],
    "Boat{state=lost, owner=ann}",
  ],
  [
    "C-114",
    "Boat{owner=Person{}}",
    "syntax",
    "Person{}",
    ["found = Person{}"],
    "found = Person{}\nBoat{owner=found}",
  ],
  ["C-115", "Boat~Al.visits", "unquoted_text", "Al.visits", ['"Al".visits', '"Al.visits"'], null],
  [
    "C-115",
    "Boat~Al.limit(3)",
    "unquoted_text",
    "Al.limit",
    ['"Al".limit(…)'],
    'Boat~"Al".limit(3)',
  ],
];

describe("conformance rows about text that must be refused", () => {
  it.each(rows)("%s: %j is %s", (_, program, code, text, contains, suggestion) => {
    const { errors, more } = parseProgram(program);
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(more).toBe(0);
    const [error] = errors;
    expect(program.slice(error?.span.start, error?.span.end)).toBe(text);
    for (const part of contains) expect(error?.correction).toContain(part);
    expect(error?.suggestedProgram).toBe(suggestion);
  });

  it("C-111: twelve faulty lines give ten errors in order and `2 more`", () => {
    const { errors, more } = parseProgram("Boat limit(5)\n".repeat(12));
    expect(errors.map(({ code, span }) => [code, span.line])).toEqual(
      Array.from({ length: 10 }, (_, at) => ["unexpected_text", at + 1]),
    );
    expect(more).toBe(2);
  });

  it("C-112, ERR-008: each of several errors repairs its own place only", () => {
    const { errors } = parseProgram("Boat limit(5)\nBoat{name=Sea Star}");
    expect(errors.map(({ suggestedProgram }) => suggestedProgram)).toEqual([
      "Boat.limit(5)\nBoat{name=Sea Star}",
      'Boat limit(5)\nBoat{name="Sea Star"}',
    ]);
  });

  it("ERR section 6: the words for an unterminated heredoc", () => {
    const { errors } = parseProgram('Boat("b1").send(to=a, note=<<MSG\none\ntwo\nMSG ok)');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      code: "unterminated_heredoc",
      span: { line: 1, column: 28, start: 27, end: 32 },
      message: "No line closes MSG.",
      suggestedProgram: null,
    });
    expect(errors[0]?.correction).toContain(
      'write a line MSG) ; line 4 has "MSG ok)", which does not close it',
    );
  });
});

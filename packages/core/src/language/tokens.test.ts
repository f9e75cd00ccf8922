import { describe, expect, it } from "vitest";
import { parse } from "./grammar/parse.ts";

/** The value of `Boat{x=…}`, or the code and text of what is wrong with it. */
function valueOf(text: string): unknown {
  const program = `Boat{x=${text}}`;
  const { program: tree, diagnostics } = parse(program);
  const [wrong] = diagnostics;
  if (wrong !== undefined)
    return `${wrong.code} ${program.slice(wrong.span.start, wrong.span.end)}`;
  const [statement] = tree.statements;
  const node = statement?.kind === "Roots" ? statement.nodes[0] : undefined;
  const source = node?.kind === "Chain" ? node.source : undefined;
  const item = source?.kind === "BraceSource" ? source.pred.items[0] : undefined;
  if (item?.kind !== "Compare") return item?.kind;
  const { value } = item;
  if (value.kind === "StringValue") return `StringValue ${value.text}`;
  return "raw" in value ? `${value.kind} ${value.raw}` : value.kind;
}

describe("LANG-006, LANG-007: what a run of value characters is", () => {
  it.each([
    ["..", "PlaceholderValue .."],
    ["$", "PlaceholderValue $"],
    ["2026-01-31", "DateValue 2026-01-31"],
    ["2024-02-29", "DateValue 2024-02-29"],
    ["2023-02-29", "bad_literal 2023-02-29"],
    ["2000-02-29", "DateValue 2000-02-29"],
    ["1900-02-29", "bad_literal 1900-02-29"],
    ["2026-04-31", "bad_literal 2026-04-31"],
    ["2026-13-01", "bad_literal 2026-13-01"],
    ["2026-00-10", "bad_literal 2026-00-10"],
    ["2026-01-05T09:30", "DateValue 2026-01-05T09:30"],
    ["2026-01-05T09:30:15.123456789Z", "DateValue 2026-01-05T09:30:15.123456789Z"],
    ["2026-01-05T09:30:15.1234567890Z", "bad_literal 2026-01-05T09:30:15.1234567890Z"],
    ["2026-01-05T09:30:15+05:30", "DateValue 2026-01-05T09:30:15+05:30"],
    ["2026-01-05T09:30:15-08:00", "DateValue 2026-01-05T09:30:15-08:00"],
    ["2026-01-05T24:00", "bad_literal 2026-01-05T24:00"],
    ["2026-01-05T09:60", "bad_literal 2026-01-05T09:60"],
    ["2026-01-05T09", "bad_literal 2026-01-05T09"],
    ["123e4567-e89b-12d3-a456-426614174000", "UuidValue 123e4567-e89b-12d3-a456-426614174000"],
    ["ABCDEF12-3456-7890-ABCD-EF1234567890", "UuidValue ABCDEF12-3456-7890-ABCD-EF1234567890"],
    ["123e4567-e89b-12d3-a456-42661417400", "unquoted_text 123e4567-e89b-12d3-a456-42661417400"],
    ["5", "NumberValue 5"],
    ["-5", "NumberValue -5"],
    ["-0", "NumberValue -0"],
    ["007", "NumberValue 007"],
    ["3.0", "NumberValue 3.0"],
    ["1e5", "NumberValue 1e5"],
    ["1E-5", "NumberValue 1E-5"],
    ["1.5e+10", "NumberValue 1.5e+10"],
    ["+5", "bad_literal +5"],
    ["5.", "bad_literal 5."],
    [".5", "bad_literal .5"],
    ["-.5", "bad_literal -.5"],
    ["4f2a", "unquoted_text 4f2a"],
    ["1e5x", "unquoted_text 1e5x"],
    ["1.2.3", "unquoted_text 1.2.3"],
    ["-", "unquoted_text -"],
    ["...", "unquoted_text ..."],
    ["true", "BoolValue"],
    ["false", "BoolValue"],
    ["null", "NullValue"],
    ["True", "WordValue True"],
    ["ann", "WordValue ann"],
    ["_", "WordValue _"],
    ["a.b:c@d/e-f_9", "WordValue a.b:c@d/e-f_9"],
    ["2a", "unquoted_text 2a"],
    ["a+b", "unquoted_text a+b"],
    ["now", "WordValue now"],
    ["today+7d", "WordValue today+7d"],
    ["yesterday-3h", "WordValue yesterday-3h"],
    ["today+7y", "WordValue today+7y"],
    ["today+7mo", "WordValue today+7mo"],
    ["today+7q", "unquoted_text today+7q"],
    ["later+7d", "unquoted_text later+7d"],
    ["Sea Star", "unquoted_text Sea Star"],
    ["don't", "unquoted_text don't"],
    ["the Sea (Star)", "unquoted_text the Sea (Star)"],
    ["Tom & Jerry", "unquoted_text Tom & Jerry"],
    ["5 apples", "unquoted_text 5 apples"],
    ["a ;; note\n", "WordValue a"],
  ])("%s: %s", (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it("a date and a time kept apart are told to be joined", () => {
    const [found] = parse("Boat{x=2026-01-05 10:00}").diagnostics;
    expect(found?.code).toBe("unquoted_text");
    expect(found?.correction).toContain("2026-01-05T10:00");
    expect(found?.edits).toBeUndefined();
  });

  it("a sum of numbers without blanks is told to have some", () => {
    const corrections = ["2+1", "Sea + Star", "2026-01"].map((text) => {
      return parse(`Boat(x=${text})`).diagnostics[0]?.correction;
    });
    expect(corrections).toEqual([
      'write 2 + 1; for text write "2+1"',
      'write "Sea + Star"',
      'write 2026-01-01, or start_of(column, month) = 2026-01-01 for all of the month; for text write "2026-01"',
    ]);
  });
});

describe("LANG-006: strings", () => {
  it.each([
    ['"a\\n\\t\\r\\b\\f\\/\\\\\\"\\\'"', "StringValue a\n\t\r\b\f/\\\"'"],
    ['"\\u00e9\\ud83d\\ude00"', "StringValue é😀"],
    ['"a\tb"', "StringValue a\tb"],
    ['"Jørn 😀"', "StringValue Jørn 😀"],
    ["'<<T [{( ;; ${x}'", "StringValue <<T [{( ;; ${x}"],
    ['"\\x41"', "bad_escape \\x"],
    ['"\\u12"', "bad_escape \\u12"],
    ['"\\ud83d"', "bad_escape \\ud83d"],
    ['"\\ude00"', "bad_escape \\ude00"],
    ['"\\u0000"', "bad_escape \\u0000"],
    ['"a\u0001b"', "unexpected_char \u0001"],
    ['"a\rb"', "unexpected_char \r"],
    ['"a\u0000b"', "unexpected_char \u0000"],
    ['"a', 'unterminated_string "a}'],
  ])("%j: %s", (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it("every faulty escape of a string is reported", () => {
    const { diagnostics } = parse('Person("\\q \\w")');
    expect(diagnostics.map(({ code, span }) => [code, span.column])).toEqual([
      ["bad_escape", 9],
      ["bad_escape", 12],
    ]);
  });
});

describe("LANG-007: tokens depend on what may stand there", () => {
  it.each([
    ["a = abcdef12", "NameSource"],
    ["a = Boat.limit(2)", "NameSource"],
    ["a = today-7d", "unexpected_text"],
    ["a = abcdef12-3456-7890-abcd-ef1234567890", "Data UuidValue"],
    ["a = 2026-01-31", "Data DateValue"],
    ["a = -5", "Data NumberValue"],
    ["a = true", "Data BoolValue"],
    ["a = null", "Data NullValue"],
    ["a = $", "Data PlaceholderValue"],
    ["a = 4f2a", "unquoted_text"],
    ["a = 5 apples", "unquoted_text"],
    ["Boat.mark-lost()", "NameSource"],
    ["Boat[a-b]", "syntax"],
    ["Boat[owner.first-name]", "NameSource"],
    ["mark-lost", "unexpected_text"],
    ["Boat[meta.0.a]", "NameSource"],
  ])("%s: %s", (text, expected) => {
    const { program, diagnostics } = parse(text);
    const [statement] = program.statements;
    const node =
      statement?.kind === "Roots"
        ? statement.nodes[0]
        : statement?.kind === "Binding"
          ? statement.node
          : undefined;
    const kind =
      node?.kind === "Data"
        ? `Data ${node.value.kind}`
        : node?.kind === "Chain"
          ? node.source.kind
          : "Bad";
    expect(diagnostics[0]?.code ?? kind).toBe(expected);
  });

  it("a `.` glued to a name is not part of it", () => {
    const { program, diagnostics } = parse("Boat . mark-lost ()");
    expect(diagnostics.map(({ code }) => code)).toEqual([]);
    expect(program.statements).toMatchObject([
      { nodes: [{ steps: [{ kind: "Call", name: { text: "mark-lost" } }] }] },
    ]);
  });
});

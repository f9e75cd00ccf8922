import { describe, expect, it } from "vitest";
import { parse, parseProgram } from "./grammar/parse.ts";

const codes = (text: string) => parse(text).diagnostics.map(({ code }) => code);

describe("LANG-001, C-057: caps", () => {
  const tooLarge: readonly [string, string, string][] = [
    ["bracket depth 65", `a = ${"[".repeat(65)}${"]".repeat(65)}`, "64 levels"],
    ["condition depth 51", `Boat{${"any{".repeat(51)}a=1${"}".repeat(52)}`, "50 levels"],
    ["262,145 bytes", `;;${"é".repeat(131_071)}x`, "262144 bytes are allowed, this has 262145"],
    ["501 statements", "Boat\n".repeat(501), "500 statements are allowed, this has 501"],
    ["10,001 items", `a = [${"1,".repeat(10_001)}]\na`, "10000 items are allowed, this has 10001"],
    [
      "a name of 129 characters",
      `${"a".repeat(129)}.limit(5)`,
      "128 characters are allowed, this has 129",
    ],
  ];
  it.each(tooLarge)("%s is too_large", (_, text, correction) => {
    const { diagnostics } = parse(text);
    expect(diagnostics.map(({ code }) => code)).toEqual(["too_large"]);
    expect(diagnostics[0]?.correction).toContain(correction);
  });

  it.each([
    ["bracket depth 64", `a = ${"[".repeat(64)}${"]".repeat(64)}\na`],
    ["condition depth 50", `Boat{${"any{".repeat(50)}a=1${"}".repeat(51)}`],
    ["262,144 bytes", `Boat ;;${"é".repeat(131_068)}x`],
    ["500 statements", "Boat\n".repeat(500)],
    ["10,000 items", `a = [${"1,".repeat(10_000)}]\na`],
    ["a name of 128 characters", `${"a".repeat(128)}.limit(5)`],
  ])("%s is fine", (_, text) => {
    expect(codes(text)).toEqual([]);
  });

  it("200 kB of << are positioned errors", () => {
    const { diagnostics } = parse("<<".repeat(100_000));
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: "bad_heredoc",
      span: { start: 0, line: 1, column: 1 },
    });
  });
});

describe("LANG-002: characters", () => {
  it.each([
    ["NUL in a comment", "Boat ;; \0", [["unexpected_char", "\0"]]],
    ["NUL in a heredoc", "n = <<T\na\0b\nT\nn", [["unexpected_char", "\0"]]],
    ["a lone surrogate in a string", 'Person("\ud800")', [["unexpected_char", "\ud800"]]],
    ["a lone CR", "Boat\rPerson", [["unexpected_char", "\r"]]],
    ["a zero-width space", "Boat\u200b.limit(5)", [["unexpected_char", "\u200b"]]],
    ["a form feed", "Boat\f", [["unexpected_char", "\f"]]],
    ["a letter in a name", "Boät", [["unexpected_char", "ä"]]],
    ["an operator", "Boat{length≥5}", [["unexpected_char", "≥"]]],
    ["a backslash", "Boat \\", [["unexpected_char", "\\"]]],
    ["a question mark", "Boat?", [["unexpected_char", "?"]]],
  ])("%s", (_, text, expected) => {
    const found = parse(text).diagnostics;
    expect(found.map(({ code, span }) => [code, text.slice(span.start, span.end)])).toEqual(
      expected,
    );
    expect(found[0]?.correction).toMatch(/U\+[0-9A-F]{4}/);
  });

  it("the plain operator is suggested", () => {
    expect(parseProgram("Boat{length≥5}").errors[0]?.suggestedProgram).toBe("Boat{length>=5}");
  });

  it("a BOM at the start is skipped, elsewhere it is not", () => {
    expect(codes("\ufeffBoat")).toEqual([]);
    expect(codes("Boat\ufeff")).toEqual(["unexpected_char"]);
  });
});

describe("LANG-004: other comment signs", () => {
  it.each([
    "Boat # all",
    "Boat // all",
    "Boat -- all",
    "# all\nBoat",
    "// all\nBoat",
    "Boat{ // all\nstate=lost}",
    "Boat{state=lost -- all\n}",
  ])("%j names ;;", (text) => {
    const { errors } = parseProgram(text);
    expect(errors.map(({ code }) => code)).toEqual(["unexpected_char"]);
    expect(errors[0]?.correction).toContain(";;");
    expect(errors[0]?.suggestedProgram).toBe(text.replace(/#|\/\/|--/, ";;"));
  });

  it.each([
    ["Boat;", "Boat"],
    ["a = Boat; a", "a = Boat\na"],
    ["Boat ; all of them", "Boat ;; all of them"],
  ])("%j: a single ; is unexpected_char and names ;;", (text, suggestion) => {
    const { errors } = parseProgram(text);
    expect(errors.map(({ code }) => code)).toEqual(["unexpected_char"]);
    expect(errors[0]?.correction).toContain(";;");
    expect(errors[0]?.suggestedProgram).toBe(suggestion);
  });

  it("a fence around the program is one mistake, mended by the program alone", () => {
    const { errors, program } = parseProgram("```plasm\nBoat\n```\n");
    expect(errors.map(({ code, suggestedProgram }) => [code, suggestedProgram])).toEqual([
      ["unexpected_char", "Boat\n"],
    ]);
    expect(program.statements).toHaveLength(1);
  });
});

describe("LANG-010, LANG-029: text after a node", () => {
  it.each([
    ["Boat x", "x", null],
    ["Boat Person{}", "Person", "Boat\nPerson{}"],
    ["Boat, x = Person", "x", "Boat\nx = Person"],
    ["Boat.limit(5){state=lost}", "{", "Boat.limit(5).filter{state=lost}"],
    ['Boat("b1"){state=lost}', "{", 'Boat("b1").filter{state=lost}'],
    ["Boat limit 5", "limit", "Boat.limit(5)"],
    ["Boat.limit 5", "5", "Boat.limit(5)"],
    ["Boat where state=lost", "where", "Boat.filter{state=lost}"],
    ["a = [1] => {n: _.value}", "=>", "found = [1]\na = found => {n: _.value}"],
    ["a => {n: _.id}.limit(3)", ".", "found = a => {n: _.id}\nfound.limit(3)"],
    ["a => Boat(_.id).limit(3)", ".", "found = a => Boat(_.id)\nfound.limit(3)"],
    ["a => Boat(_.id).ping()[id]", "[", "found = a => Boat(_.id).ping()\nfound[id]"],
    ["a <<T\nx\nT\n.limit(3)", ".", "found = a <<T\nx\nT\nfound.limit(3)"],
    ["a => {n: _.id} <<T\nx\nT", "<<", "found = a => {n: _.id}\nfound <<T\nx\nT"],
    ["let x = Boat", "let", "x = Boat"],
    ["page(s0_pg1).limit(3)", ".", "page(s0_pg1, limit=3)"],
  ])("%j: unexpected_text at %j", (text, place, suggestion) => {
    const { errors } = parseProgram(text);
    expect(errors.map(({ code, span }) => [code, text.slice(span.start, span.end)])).toEqual([
      ["unexpected_text", place],
    ]);
    expect(errors[0]?.suggestedProgram).toBe(suggestion);
  });
});

describe("LANG-016, LANG-021: words that mean something in one place only", () => {
  it.each([
    "page, wait, cancel",
    "Boat{page=1, any=2, not=3, exists=4, in=5, in in [6], not in [7]}",
    "Boat[limit, filter, sort]",
    "Boat.limit.filter.sort{a=1}",
    "Boat.page(1)",
    "x = page(s0_pg1)",
    "a => {true: 1, in: 2}",
    "Boat.rows",
  ])("%s", (text) => {
    expect(codes(text)).toEqual([]);
  });

  it.each("_ page wait cancel any all not exists in true false null rows e1 m2 p33".split(" "))(
    "%s is no label, whatever stands behind it",
    (label) => {
      expect(codes(`${label} = Boat\n${label}`)).toContain("bad_label");
    },
  );

  it.each(["e", "m_1", "p1x", "E1", "row", "returned"])("%s is a label", (label) => {
    expect(codes(`${label} = Boat`)).toEqual([]);
  });
});

describe("LANG-051, LANG-061: what cannot be empty", () => {
  it.each([
    ["Boat{all{}}", "empty_list"],
    ["Boat{not{}}", "empty_list"],
    ["Boat{a in []}", "empty_list"],
    ["Boat[]", "empty_list"],
    ["a => {}", "empty_list"],
    ["Boat.limit()", "bad_count"],
    ["Boat.limit(007)", "bad_count"],
    ["Boat.limit(100001)", "bad_count"],
    ["Boat.page_size(n)", "bad_count"],
    ["page(s0_pg1, limit=1001)", "bad_count"],
    ["Boat.sort()", "syntax"],
    ["Boat.aggregate()", "syntax"],
    ["Boat.group_by()", "syntax"],
    ["Boat.singleton(1)", "syntax"],
    ["a = [1,,2]", "syntax"],
  ])("%s is %s", (text, code) => {
    expect(codes(text)).toEqual([code]);
  });

  it.each([
    "Boat.distinct()",
    "Boat.limit(100000)",
    "Boat.limit($)",
    "x = []",
    "x = {}",
    "Boat.f()",
  ])("%s is fine", (text) => {
    expect(codes(text)).toEqual([]);
  });
});

describe("LANG-021: words of other languages that are legal labels stay labels", () => {
  it.each([
    "await = Boat\nawait",
    "await = Boat\nawait.limit(5)",
    "await = Boat\nawait, await[id]",
    "select = Boat\nselect[id]",
    "update = Boat\nupdate",
    "for = Boat\nfor.limit(1)",
    "count = Boat\ncount",
  ])("%j", (text) => {
    expect(codes(text)).toEqual([]);
  });

  it("before a name await is left out", () => {
    expect(codes("await Boat")).toEqual(["unexpected_text"]);
  });
});

import type { ConformanceRow, ExpectedError, Refused } from "./conformance-row.ts";

const refused = (program: string, ...errors: readonly ExpectedError[]): Refused => ({
  program,
  errors,
});
const mistakes = (code: string, ...programs: readonly string[]): readonly Refused[] =>
  programs.map((program) => refused(program, { code }));

const faultyLines = Array.from({ length: 12 }, (_none, index) => `Boat[nme${index}]`);

/** Programs that read nothing, because they say what they are wrong in (C-043 to C-114). */
export const MISTAKE_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-043",
    construct: "comma in binding",
    cases: [
      refused(
        "a = Boat, b = Person",
        { code: "unexpected_text", suggests: "a = Boat\nb = Person" },
        { code: "no_result" },
      ),
    ],
  },
  {
    id: "C-047",
    construct: "bad heredoc",
    cases: [
      ...mistakes("bad_heredoc", "Person(<<<T)", "Person(<<)", "Person(a=<<A, b=<<B)"),
      refused("n = <<T\nx", { code: "unterminated_heredoc", says: ["T", "line 1"] }),
    ],
  },
  {
    id: "C-053",
    construct: "phrase",
    cases: [
      refused("Boat{name=Sea Star}", {
        code: "unquoted_text",
        suggests: 'Boat{name="Sea Star"}',
      }),
    ],
  },
  {
    id: "C-055",
    construct: "trailing text",
    cases: [refused("Boat limit(5)", { code: "unexpected_text", suggests: "Boat.limit(5)" })],
  },
  {
    id: "C-057",
    construct: "caps",
    cases: [
      refused(`Boat{length in ${"[".repeat(64)}1${"]".repeat(64)}}`, {
        code: "too_large",
        says: ["64", "65"],
      }),
      refused(`Boat("${"x".repeat(262_145 - 8)}")`, {
        code: "too_large",
        says: ["262144", "262145"],
      }),
      {
        program: "<<".repeat(100_000),
        errors: [{ code: "bad_heredoc" }],
        // A parser that is quadratic in such text takes minutes.
        within: 5_000,
      },
    ],
  },
  {
    id: "C-058",
    construct: "nothing to do",
    cases: [
      ...mistakes("empty_program", ";; only a comment"),
      ...mistakes("no_result", "x = Boat"),
    ],
  },
  {
    id: "C-059",
    construct: "bad labels",
    cases: [
      ...mistakes("bad_label", "e1 = Boat\nPerson", "m99 = Boat\nPerson", "page = Boat\nPerson"),
      refused("return Boat", { code: "unexpected_text", suggests: "Boat" }),
    ],
  },
  {
    id: "C-060",
    construct: "label clashes",
    cases: [
      refused("a = Boat\na = Log(1)\na", { code: "duplicate_label", says: ["line 1"] }),
      refused("Boat = Log(1)\nPerson", { code: "label_is_entity" }),
    ],
  },
  {
    id: "C-063",
    construct: "unallocated",
    cases: [
      refused("e99", { code: "unknown_symbol", says: ["e1..e8"] }),
      refused("e1.m99()", { code: "unknown_symbol", says: ["m1..m"] }),
      refused("e1[p99]", { code: "unknown_symbol", says: ["p1..p"] }),
    ],
  },
  {
    id: "C-066",
    construct: "later label",
    cases: [refused("Person(x)\nx = Boat", { code: "unbound_label", says: ["line 2"] })],
  },
  {
    id: "C-109",
    construct: "continuation",
    cases: [
      refused("page(s0_pg1, limit=20)\nBoat", { code: "not_alone" }),
      refused("pc0", { code: "unknown_name", says: ["plan_commit_ref"] }),
    ],
  },
  {
    id: "C-111",
    construct: "many errors",
    cases: [
      {
        program: faultyLines.join("\n"),
        errors: faultyLines
          .slice(0, 10)
          .map((line) => ({ code: "unknown_column", says: [line.slice(5, -1)] })),
        more: 2,
      },
    ],
  },
  {
    id: "C-114",
    construct: "missing comma",
    cases: [
      refused("Boat{state=lost owner=ann}", { code: "syntax", says: [","] }),
      refused("Boat{state=lost && owner=ann}", { code: "syntax", says: [","] }),
      refused("Boat{owner=Person{}}", { code: "syntax", says: ["bind"] }),
    ],
  },
];

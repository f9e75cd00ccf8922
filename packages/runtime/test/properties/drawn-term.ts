/** A value that a drawn program computes, as it is written and as it must turn out. */
export interface Term {
  readonly text: string;
  /** how close its outermost operator binds (LANG-048); operands bind closest */
  readonly level: number;
  /** the value for a row, found without any code of the language; null where there is none */
  readonly of: (row: DrawnRow) => unknown;
}

/** A row of the drawn data. Fractions are quarters, so that doubles are exact. */
export interface DrawnRow {
  readonly id: number;
  readonly n: number | null;
  readonly m: number | null;
  readonly t: string | null;
  readonly d: string | null;
  readonly e: string | null;
  readonly b: boolean | null;
  readonly f: readonly string[];
}

export const DRAWN_ROWS: readonly DrawnRow[] = [
  { id: 1, n: 3, m: 0.25, t: "Oar", d: "2026-01-31T06:00:00Z", e: "2026-02-01", b: true, f: ["a"] },
  { id: 2, n: 0, m: -2.5, t: "", d: "2025-12-31T18:00:00Z", e: "2024-02-29", b: false, f: [] },
  { id: 3, n: null, m: 7, t: null, d: null, e: null, b: null, f: ["b", "a"] },
  { id: 4, n: -8, m: null, t: "3", d: "2026-03-01T00:00:00Z", e: "2026-01-31", b: true, f: ["c"] },
];

const DAY = 86_400_000;

/** Choices that were drawn, one after the other. */
export interface Choices {
  readonly next: (below: number) => number;
}

export type TermKind = "num" | "text" | "bool" | "date" | "day" | "length" | "list";

type Make = (draw: Choices, depth: number, cell: (name: string) => string) => Term;

const ATOM = 9;
const literal = (text: string, value: unknown): Term => ({ text, level: ATOM, of: () => value });

function column(name: keyof DrawnRow): Make {
  return (_, __, cell) => ({ text: cell(name), level: ATOM, of: (row) => row[name] });
}

/** Puts parentheses around an operand that binds less, and around some that need none. */
function operand(term: Term, least: number, draw: Choices): string {
  return term.level < least || draw.next(9) === 0 ? `(${term.text})` : term.text;
}

/** A function of values that are there; null if one is not (LANG-048). */
const known =
  (terms: readonly Term[], of: (...values: never[]) => unknown) =>
  (row: DrawnRow): unknown => {
    const values = terms.map((term) => term.of(row));
    return values.includes(null) ? null : of(...(values as never[]));
  };

function binary(
  op: string,
  level: number,
  kinds: readonly [TermKind, TermKind],
  of: (a: never, b: never) => unknown,
): Make {
  return (draw, depth, cell) => {
    const [a, b] = [term(kinds[0], draw, depth, cell), term(kinds[1], draw, depth, cell)];
    const text = `${operand(a, level, draw)} ${op} ${operand(b, level + 1, draw)}`;
    return { text, level, of: known([a, b], of) };
  };
}

function called(
  name: string,
  kinds: readonly TermKind[],
  of: (...values: never[]) => unknown,
): Make {
  return (draw, depth, cell) => {
    const terms = kinds.map((kind) => term(kind, draw, depth, cell));
    const text = `${name}(${terms.map((each) => each.text).join(", ")})`;
    return { text, level: ATOM, of: known(terms, of) };
  };
}

/** `if` and `coalesce`, which take null, and compute only what they give. */
function choices(kind: TermKind): readonly Make[] {
  return [
    (draw, depth, cell) => {
      const test = term("bool", draw, depth, cell);
      const [a, b] = [term(kind, draw, depth, cell), term(kind, draw, depth, cell)];
      const text = `if(${test.text}, ${a.text}, ${b.text})`;
      return { text, level: ATOM, of: (row) => (test.of(row) === true ? a : b).of(row) };
    },
    (draw, depth, cell) => {
      const [a, b] = [term(kind, draw, depth, cell), term(kind, draw, depth, cell)];
      return {
        text: `coalesce(${a.text}, ${b.text})`,
        level: ATOM,
        of: (row) => a.of(row) ?? b.of(row),
      };
    },
  ];
}

const COMPARED = ["=", "!=", "<", "<=", ">", ">="] as const;

/** A comparison, two-valued (RUN-113). */
function comparison(kind: TermKind, key: (value: never) => number | string): Make {
  return (draw, depth, cell) => {
    const op = COMPARED[draw.next(COMPARED.length)] ?? "=";
    const [a, b] = [term(kind, draw, depth, cell), term(kind, draw, depth, cell)];
    const text = `${operand(a, 5, draw)} ${op} ${operand(b, 5, draw)}`;
    return { text, level: 4, of: (row) => compared(op, a.of(row), b.of(row), key) };
  };
}

function compared(
  op: (typeof COMPARED)[number],
  a: unknown,
  b: unknown,
  key: (value: never) => number | string,
): boolean {
  if (a === null || b === null) return op === "=" ? a === b : op === "!=" && a !== b;
  const [left, right] = [key(a as never), key(b as never)];
  switch (op) {
    case "=":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

const joined =
  (word: "and" | "or"): Make =>
  (draw, depth, cell) => {
    const [a, b] = [term("bool", draw, depth, cell), term("bool", draw, depth, cell)];
    const level = word === "or" ? 1 : 2;
    const text = `${operand(a, level, draw)} ${word} ${operand(b, level + 1, draw)}`;
    const both = (row: DrawnRow) => [a.of(row) === true, b.of(row) === true];
    return {
      text,
      level,
      of: (row) => (word === "or" ? both(row).some(Boolean) : both(row).every(Boolean)),
    };
  };

const negation: Make = (draw, depth, cell) => {
  const a = term("bool", draw, depth, cell);
  // Behind "not" a constant could be text.
  const text = /^[_(]|^not/.test(a.text) ? operand(a, 3, draw) : `(${a.text})`;
  return { text: `not ${text}`, level: 3, of: (row) => a.of(row) !== true };
};

const minus: Make = (draw, depth, cell) => {
  const a = term("num", draw, depth, cell);
  return { text: `-(${a.text})`, level: 8, of: known([a], (value: number) => 0 - value) };
};

const among: Make = (draw, depth, cell) => {
  const a = term("num", draw, depth, cell);
  const listed = [draw.next(4), draw.next(9) / 4];
  return {
    text: `${operand(a, 5, draw)} in [${listed.join(", ")}]`,
    level: 4,
    of: (row) => listed.includes(a.of(row) as number),
  };
};

const slice: Make = (draw, depth, cell) => {
  const a = term("text", draw, depth, cell);
  const [from, to] = [draw.next(4) - 2, draw.next(5) - 2];
  return {
    text: `upper(${a.text})[${from}:${to}]`,
    level: ATOM,
    of: known([a], (text: string) => text.toUpperCase().slice(from, to)),
  };
};

const LENGTHS = [
  ["6h", 0.25],
  ["1d", 1],
  ["2d", 2],
  ["1w", 7],
] as const;

/** A date and a length of time that is written; in a day, whole days. */
function moved(kind: "date" | "day", sign: "+" | "-"): Make {
  return (draw, depth, cell) => {
    const a = term(kind, draw, depth, cell);
    const [length, days] = LENGTHS[kind === "day" ? 1 + draw.next(3) : draw.next(4)] ?? LENGTHS[0];
    const by = sign === "+" ? days : -days;
    return {
      text: `${operand(a, 5, draw)} ${sign} ${length}`,
      level: 5,
      of: known([a], (at: string) => written(Date.parse(at) + by * DAY, kind)),
    };
  };
}

function written(at: number, kind: "date" | "day"): string {
  const iso = new Date(at).toISOString();
  return kind === "day" ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
}

const quarters = (draw: Choices): Term => {
  const value = (draw.next(33) - 16) / 4;
  return { ...literal(`${value}`, value), level: value < 0 ? 8 : ATOM };
};

const number = (kind: TermKind, kinds: readonly [TermKind, TermKind]): readonly Make[] => [
  binary("+", 5, kinds, (a: number, b: number) => a + b),
  binary("-", 5, kinds, (a: number, b: number) => a - b),
  ...choices(kind),
];

const MAKES: Readonly<
  Record<TermKind, { readonly leaves: readonly Make[]; readonly grown: readonly Make[] }>
> = {
  num: {
    leaves: [column("n"), column("m"), quarters],
    grown: [
      ...number("num", ["num", "num"]),
      binary("*", 6, ["num", "num"], (a: number, b: number) => a * b),
      (draw, depth, cell) => {
        const a = term("num", draw, depth, cell);
        return {
          text: `${operand(a, 6, draw)} / 4`,
          level: 6,
          of: known([a], (value: number) => value / 4),
        };
      },
      binary("%", 6, ["num", "num"], (a: number, b: number) => (b === 0 ? null : a % b)),
      minus,
      called("abs", ["num"], Math.abs),
      called("floor", ["num"], Math.floor),
      called("ceil", ["num"], Math.ceil),
      called("min", ["num", "num"], Math.min),
      called("max", ["num", "num"], Math.max),
      called("length", ["text"], (text: string) => text.length),
      called("count", ["list"], (list: readonly string[]) => list.length),
      called("day", ["date"], (at: string) => Number(at.slice(8, 10))),
      called("month", ["day"], (at: string) => Number(at.slice(5, 7))),
      called("weekday", ["day"], (at: string) => new Date(at).getUTCDay() || 7),
      (draw, depth, cell) => {
        const a = term("length", draw, depth, cell);
        return { text: `${operand(a, 6, draw)} / 1d`, level: 6, of: a.of };
      },
    ],
  },
  text: {
    leaves: [column("t"), () => literal('"ab"', "ab"), () => literal('"R o"', "R o")],
    grown: [
      binary("+", 5, ["text", "text"], (a: string, b: string) => a + b),
      binary("+", 5, ["text", "num"], (a: string, b: number) => a + String(b)),
      ...choices("text"),
      slice,
      called("lower", ["text"], (text: string) => text.toLowerCase()),
      called("trim", ["text"], (text: string) => text.trim()),
      called("text", ["num"], String),
      called("join", ["list", "text"], (list: readonly string[], by: string) => list.join(by)),
    ],
  },
  bool: {
    leaves: [column("b"), () => literal("true", true), () => literal("false", false)],
    grown: [
      joined("and"),
      joined("or"),
      negation,
      among,
      comparison("num", (value: number) => value + 0),
      comparison("text", (value: string) => value),
      comparison("date", (value: string) => Date.parse(value)),
      comparison("length", (value: number) => value),
      (draw, depth, cell) => {
        const [a, b] = [term("text", draw, depth, cell), term("text", draw, depth, cell)];
        const starts = known([a, b], (text: string, part: string) => text.startsWith(part));
        const text = `starts_with(${a.text}, ${b.text})`;
        return { text, level: ATOM, of: (row) => starts(row) === true };
      },
      ...choices("bool"),
    ],
  },
  date: {
    leaves: [column("d"), () => literal("2026-01-01T12:00:00Z", "2026-01-01T12:00:00Z")],
    grown: [moved("date", "+"), moved("date", "-"), ...choices("date")],
  },
  day: {
    leaves: [column("e"), () => literal("2026-03-01", "2026-03-01")],
    grown: [
      moved("day", "+"),
      moved("day", "-"),
      called("date", ["date"], (at: string) => at.slice(0, 10)),
    ],
  },
  length: {
    leaves: [
      binary(
        "-",
        5,
        ["date", "date"],
        (a: string, b: string) => (Date.parse(a) - Date.parse(b)) / DAY,
      ),
    ],
    grown: number("length", ["length", "length"]),
  },
  list: {
    leaves: [
      // Lists of data are json, of which an operator says what they are.
      (_, __, cell) => ({ text: `(${cell("f")} + [z])`, level: ATOM, of: ({ f }) => [...f, "z"] }),
      () => literal("[a, c]", ["a", "c"]),
    ],
    grown: [
      binary("+", 5, ["list", "list"], (a: readonly string[], b: readonly string[]) => [
        ...a,
        ...b,
      ]),
      binary("-", 5, ["list", "list"], (a: readonly string[], b: readonly string[]) =>
        a.filter((each) => !b.includes(each)),
      ),
    ],
  },
};

/** Draws a value of a kind; `cell` writes a column. */
export function term(
  kind: TermKind,
  draw: Choices,
  depth: number,
  cell: (name: string) => string,
): Term {
  const { leaves, grown } = MAKES[kind];
  const from = depth > 0 && draw.next(6) > 0 ? grown : leaves;
  const make = from[draw.next(from.length)] ?? leaves[0];
  if (make === undefined) throw new Error(kind);
  return make(draw, depth - 1, cell);
}

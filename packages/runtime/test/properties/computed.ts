import assert from "node:assert/strict";
import { ALL_FEATURES, compileProgram, foldWaves } from "@plasm/core";
import fc from "fast-check";
import { pureProperty } from "@plasm/testkit";
import { fixture, run } from "../../src/testing/fixture-run.ts";
import {
  type Choices,
  DRAWN_ROWS,
  type DrawnRow,
  type Term,
  term,
  type TermKind,
} from "./drawn-term.ts";

const quay = fixture("quay");
const catalogs = new Map([[quay.entryId, quay]]);
const entities = [...quay.cgs.entities.keys()].toSorted((a, b) => (a < b ? -1 : 1));
const log = [{ entryId: quay.entryId, digest: quay.digest, entities }];
const exposure = {
  catalogs,
  log,
  symbols: foldWaves(log, catalogs),
  notation: "names",
  policy: {},
} as const;

const compile = (text: string) => compileProgram(text, exposure, { features: ALL_FEATURES });

const writtenRow = (row: DrawnRow): string => {
  const cells = Object.entries(row).map(([name, value]) => {
    const isDate = name === "d" || name === "e";
    return `${name}: ${isDate ? value : JSON.stringify(value)}`;
  });
  return `{${cells.join(", ")}}`;
};
const LET = `r = [${DRAWN_ROWS.map(writtenRow).join(", ")}]\n`;

/** A program and what it gives; null for one of which nothing is known but that it ends. */
interface Drawn {
  readonly program: string;
  readonly expected: readonly unknown[] | null;
}

const KINDS: readonly TermKind[] = ["num", "text", "bool", "date", "day", "length", "list"];
const DEPTH = 3;

/** Numbers are drawn first; when they are used up, the first of all choices is taken. */
function choicesOf(numbers: readonly number[]): Choices {
  let at = 0;
  return {
    next: (below) => {
      const drawn = numbers[at] ?? 0;
      at += 1;
      return drawn % below;
    },
  };
}

const kindOf = (draw: Choices): TermKind => KINDS[draw.next(KINDS.length)] ?? "num";
const ofRow = (name: string): string => `_.${name}`;

/** Numbers and dates may be named alone where rows are tested; a word of text could be meant otherwise. */
const inCondition =
  (draw: Choices) =>
  (name: string): string =>
    draw.next(2) === 0 && name !== "t" ? name : ofRow(name);

const ids = (rows: readonly DrawnRow[]): readonly unknown[] => rows.map(({ id }) => ({ id }));

const USES: readonly ((draw: Choices) => Drawn)[] = [
  (draw) => {
    const made = term(kindOf(draw), draw, DEPTH, ofRow);
    return {
      program: `r => {x: ${made.text}}`,
      expected: DRAWN_ROWS.map((row) => ({ x: made.of(row) })),
    };
  },
  (draw) => {
    const test = conditionOf(draw);
    return {
      program: `r{${test.text}}[id]`,
      expected: ids(DRAWN_ROWS.filter((row) => test.of(row) === true)),
    };
  },
  (draw) => {
    const made = term("num", draw, DEPTH, inCondition(draw));
    const sum = DRAWN_ROWS.reduce((total, row) => total + Number(made.of(row) ?? 0), 0);
    return { program: `r.aggregate(x=sum(0 + (${made.text})))`, expected: [{ x: sum }] };
  },
  (draw) => {
    const made = term("num", draw, DEPTH, inCondition(draw));
    const key = (row: DrawnRow): number => Number(made.of(row) ?? Number.POSITIVE_INFINITY);
    return {
      program: `r.sort(0 + (${made.text}))[id]`,
      expected: ids(DRAWN_ROWS.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)))),
    };
  },
];

/** A condition: true or false of a row, and no column or constant alone. */
function conditionOf(draw: Choices): Term {
  const made = term("bool", draw, DEPTH, inCondition(draw));
  return { ...made, text: `(${made.text}) = true` };
}

/** Programs of values that may not fit each other: one in error has errors, one without runs. */
function unfit(draw: Choices): Drawn {
  const part = (): string => term(kindOf(draw), draw, 1, ofRow).text;
  const ops = ["+", "-", "*", "/", "%", "=", "<", "~", "in", "and", "or", ", ", " ", "[0]", "."];
  const parts = Array.from(
    { length: 1 + draw.next(4) },
    () => `${part()} ${ops[draw.next(ops.length)]} `,
  );
  const value = `${parts.join("")}${part()}`;
  const named = [
    "round",
    "if",
    "coalesce",
    "min",
    "sum",
    "text",
    "number",
    "replace",
    "start_of",
    "not ",
  ];
  const call = `${named[draw.next(named.length)]}(${value})`;
  const shown = draw.next(2) === 0 ? value : call;
  const uses = [
    `r => {x: ${shown}}`,
    `r{${shown}}`,
    `r.sort(${shown})`,
    `r.group_by(k=${shown}, n=count)`,
  ];
  return { program: uses[draw.next(uses.length)] ?? shown, expected: null };
}

const drawn = fc
  .array(fc.nat({ max: 5039 }), { minLength: 8, maxLength: 120 })
  .map((numbers): Drawn => {
    const draw = choicesOf(numbers);
    const use = USES[draw.next(USES.length + 1)] ?? unfit;
    return use(draw);
  });

/** Negative zero is zero, and of a double that is nearly a quarter the quarter is meant. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** A division of constants by 0 is refused when it is planned. */
const isWithoutValue = ({ message }: { readonly message: string }): boolean =>
  message.includes("divides by 0");

async function check({ program, expected }: Drawn): Promise<void> {
  const compiled = compile(LET + program);
  if (compiled.kind === "errors" && compiled.errors.every(isWithoutValue)) return;
  if (compiled.kind !== "plan") {
    assert(
      compiled.kind === "errors" && expected === null,
      `${program}\n${JSON.stringify(compiled)}`,
    );
    for (const { correction } of compiled.errors) assert.notEqual(correction, "", program);
    return;
  }
  const again = compile(`${LET}${program.replaceAll(" ", "  ")}`);
  if (expected !== null && !program.includes("R o")) {
    assert(
      again.kind === "plan" && again.plan.commit === compiled.plan.commit,
      `${program}: blanks change it`,
    );
  }
  const { nodes, returns } = compiled.plan;
  const { status, results } = await run({ catalogs: [quay], backends: {} }, nodes, returns);
  assert(status === "succeeded" || expected === null, program);
  if (expected === null) return;
  const rows = results[0]?.rows.map((row) => row.values);
  assert.deepEqual(plain(rows), plain(expected), program);
}

export const valuesAreComputed = pureProperty({
  key: "computed-values",
  says: "what a program computes is what its text says, in cells, conditions, sums and orders (LANG-048, LANG-049)",
  runs: 400,
  holds: () => fc.asyncProperty(drawn, check),
});

export const properties = [valuesAreComputed];

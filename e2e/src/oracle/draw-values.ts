import type { Choices } from "./choices.ts";
import type { Cell, Field, FieldType } from "./model.ts";

/** Texts that programs, paths and tables might take for something else. */
const TEXTS = [
  "ann",
  "Bob",
  "a b",
  "10",
  "9",
  "007",
  "null",
  "x/y",
  "Zoë",
  "k=v,w",
  "100%",
  'say "hi"',
  "e1",
  "today",
  "true",
  "it's",
  "ann and bob",
  "-",
] as const;

const LONGER = ["", "two\nlines", "tab\there", "{x}", "😀", "~", "[1,2]", "$9", "_.name"] as const;

/** Texts that stand in conditions and searches: some occur, some in another case, some nowhere. */
export const SOUGHT = ["ann", "ANN", "b", "1", "ZOË", "x/", "hi", "zzz", "%", "="] as const;

/** A text that may name a row, told apart from others by its number. */
export function drawKeyText(choices: Choices, at: number): string {
  const [first, ...rest] = TEXTS;
  const text = choices.pick([`k${at}`, first, ...rest]);
  return text === `k${at}` ? text : `${text}${at === 0 ? "" : at}`;
}

const DAYS = ["2020-01-01", "2020-02-29", "2019-12-31", "2024-06-15", "1999-01-01"] as const;
const INSTANTS = [
  "2020-01-01T00:00:00Z",
  "2020-01-01T23:30:00Z",
  "2020-01-02T01:30:00+02:00",
  "2019-12-31T23:59:59.999Z",
  "2020-01-01T12:00:00.5Z",
  "2024-06-15T08:00:00-07:00",
] as const;
const SECONDS = [0, 1577836800, 1577921400, 1577836799, 1718463600] as const;
const NUMBERS = [0, 1, 2, 3, 10, -1, 0.1, 0.2, 1.5, 2.25, 100, -0.5] as const;
const BIG = ["12345678901234567890", "9007199254740993", "0.1000000000000000001"] as const;
const WORDS = ["red", "blue", "a b", "Red", "10", "x,y"] as const;

function drawJson(choices: Choices, depth: number): Cell {
  const leaf = (): Cell => choices.pick(["one", 1, true, null, "10", 2.5, "two words"]);
  if (depth === 0) return leaf();
  switch (choices.below(4)) {
    case 0:
      return { a: leaf(), b: drawJson(choices, depth - 1) };
    case 1:
      return { a: leaf() };
    case 2:
      return { a: leaf(), l: [leaf(), leaf()] };
    default:
      return { b: { a: leaf() } };
  }
}

/** A value of a field that is no reference; no null. */
export function drawValue(choices: Choices, field: Pick<Field, "type" | "options">): Cell {
  const [option = "", ...options] = field.options;
  switch (field.type) {
    case "text":
      return choices.chance(15) ? choices.pick(LONGER) : choices.pick(TEXTS);
    case "uuid":
      return `7f3b7c1e-0000-4000-8000-00000000000${choices.below(6)}`;
    case "integer":
      return choices.chance(5) ? choices.pick(["12345678901234567890"]) : choices.below(12) - 2;
    case "number":
      return choices.chance(5) ? choices.pick(BIG) : choices.pick(NUMBERS);
    case "boolean":
      return choices.chance(50);
    case "select":
      return choices.pick([option, ...options]);
    case "day":
      return choices.pick(DAYS);
    case "instant":
      return choices.pick(INSTANTS);
    case "unix_sec":
      return choices.pick(SECONDS);
    case "unix_ms":
      return choices.pick(SECONDS) * 1000 + choices.below(2) * 500;
    case "words":
      return choices.some(WORDS, 3);
    case "options":
      return choices.some(field.options, 2);
    case "json":
      return drawJson(choices, 2);
    case "ref":
      throw new Error("references are drawn of the rows that there are");
  }
}

/** Types of fields, the simplest first and the common ones often. */
export const FIELD_TYPES: readonly [FieldType, ...FieldType[]] = [
  "text",
  "text",
  "integer",
  "number",
  "boolean",
  "select",
  "day",
  "instant",
  "unix_sec",
  "unix_ms",
  "words",
  "options",
  "json",
  "uuid",
];

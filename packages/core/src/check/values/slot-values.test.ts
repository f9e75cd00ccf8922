import { describe, expect, test } from "vitest";
import { effectArgs, toldErrors } from "../../../test/effect-args.ts";
import { slots } from "../../../test/slots-catalog.ts";

const UUID = "123e4567-e89b-12d3-a456-426614174000";
const DATE = "2026-01-05";
const TIME = "2026-01-05T09:00:00Z";

/** A literal of every form (LANG-040), as a program writes it. */
const LITERALS = [
  '"a b"',
  '"7"',
  '"true"',
  "7",
  "7.5",
  "12345678901234567890",
  "true",
  "false",
  DATE,
  `"${DATE}"`,
  TIME,
  UUID,
  "word",
  "red",
  "soft",
  "today-7d",
  "[red]",
  "{a: 1}",
  "Peg(1)",
];

interface SlotCase {
  /** how an error calls the type */
  readonly type: string;
  /** the forms a correction names */
  readonly forms: string;
  /** literal → value as planned; every other literal is refused */
  readonly takes: Readonly<Record<string, unknown>>;
  /** how a placeholder's error calls the type, with a sample */
  readonly sample: string;
}

const lit = (value: unknown): object => ({ lit: value });
const own = (...literals: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(literals.map((each) => [each, lit(each.replaceAll('"', ""))]));
const TEXTS = own('"a b"', '"7"', '"true"', DATE, `"${DATE}"`, TIME, UUID, "word", "red", "soft");
const NUMBERS = {
  '"7"': lit(7),
  7: lit(7),
  "12345678901234567890": { dec: "12345678901234567890" },
};
const dates = (day: unknown, nine: unknown): Record<string, unknown> => ({
  [DATE]: lit(day),
  [`"${DATE}"`]: lit(day),
  [TIME]: lit(nine),
  "today-7d": { now: "today-7d" },
});
const SOURCE_TEXTS = { ...TEXTS, ...own("7", "7.5", "12345678901234567890", "today-7d") };
const DATE_FORMS = "2026-01-31, 2026-01-31T09:00:00Z or a relative date like today-7d";
const UNIX_FORMS = "2026-01-31, 2026-01-31T09:00:00Z, a unix time or a relative date like today-7d";

const cases: Readonly<Record<string, SlotCase>> = {
  text: {
    type: "text",
    forms: 'text in quotes, like "text"',
    takes: SOURCE_TEXTS,
    sample: 'str, like "text"',
  },
  uid: {
    type: "a uuid",
    forms: `a value like ${UUID}`,
    takes: own(UUID),
    sample: `uuid, like ${UUID}`,
  },
  data: {
    type: "a blob",
    forms: 'a value like "aGk="',
    takes: { ...TEXTS, ...own("today-7d"), "{a: 1}": lit({ a: 1 }) },
    sample: 'blob, like "aGk="',
  },
  size: {
    type: "a number",
    forms: "a value like 12.5",
    takes: { ...NUMBERS, "7.5": lit(7.5) },
    sample: "num, like 12.5",
  },
  count: {
    type: "a whole number",
    forms: "a value like 12",
    takes: NUMBERS,
    sample: "int, like 12",
  },
  open: {
    type: "true or false",
    forms: "write true or false",
    takes: { true: lit(true), false: lit(false), '"true"': lit(true) },
    sample: "bool, like true",
  },
  any: {
    type: "a word",
    forms: "write a word",
    takes: { ...SOURCE_TEXTS, ...own("true", "false") },
    sample: "str, like word",
  },
  day: {
    type: "a date",
    forms: DATE_FORMS,
    takes: dates("2026-01-05", "2026-01-05"),
    sample: "date, like 2026-01-31",
  },
  time: {
    type: "a date or time",
    forms: DATE_FORMS,
    takes: dates("2026-01-05T00:00:00Z", "2026-01-05T09:00:00Z"),
    sample: "datetime, like 2026-01-31",
  },
  sec: {
    type: "a date or time",
    forms: UNIX_FORMS,
    takes: { ...dates(1767571200, 1767603600), 7: lit(7) },
    sample: "datetime, like 2026-01-31",
  },
  ms: {
    type: "a date or time",
    forms: UNIX_FORMS,
    takes: { ...dates(1767571200000, 1767603600000), 7: lit(7) },
    sample: "datetime, like 2026-01-31",
  },
  free: {
    type: "any value",
    forms: 'a value like "text"',
    takes: {
      ...TEXTS,
      ...own("today-7d"),
      7: lit(7),
      "7.5": lit(7.5),
      "12345678901234567890": { dec: "12345678901234567890" },
      true: lit(true),
      false: lit(false),
      "[red]": lit(["red"]),
      "{a: 1}": lit({ a: 1 }),
    },
    sample: 'json, like "text"',
  },
  peg: {
    type: "a reference to Peg",
    forms: "Peg(12) or its key",
    takes: { ...NUMBERS, "Peg(1)": lit(1) },
    sample: "Peg(int), like Peg(12)",
  },
};

/** How an error calls what it found. */
const FOUND: Readonly<Record<string, string>> = { "[red]": "a list", "{a: 1}": "an object" };

describe.each(Object.entries(cases))("LANG-040: a slot of type %s", (slot, each) => {
  const program = (value: string): string => `Box(x).take(${slot}=${value})`;
  const refused = LITERALS.filter((literal) => !(literal in each.takes));

  test("takes the literals of its type", () => {
    const read = Object.entries(each.takes).map(([literal]) => {
      return [literal, effectArgs(program(literal), slots)];
    });
    expect(read).toEqual(
      Object.entries(each.takes).map(([literal, value]) => [literal, { [slot]: value }]),
    );
  });

  test("refuses every other, and says which it takes", () => {
    for (const literal of refused) {
      const [error, ...others] = toldErrors(program(literal), slots);
      expect(others).toEqual([]);
      const found = `${slot} takes ${each.type}, not ${FOUND[literal] ?? literal}.`;
      expect([literal, error?.marks, error?.code]).toEqual([literal, literal, "argument_invalid"]);
      expect(error?.says).toContain(found);
      expect(error?.says).toContain(each.forms);
    }
  });

  test("says of a placeholder what belongs there (LANG-047), and takes null (LANG-042)", () => {
    expect(toldErrors(program("$"), slots)).toMatchObject([
      {
        code: "placeholder",
        marks: "$",
        says: `$ stands for a value of ${slot} that is still missing. ${slot} takes ${each.sample}`,
        suggests: null,
      },
    ]);
    expect(effectArgs(program("null"), slots)).toEqual({ [slot]: { lit: null } });
  });
});

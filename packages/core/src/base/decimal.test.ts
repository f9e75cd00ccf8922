import fc from "fast-check";
import { expect, test } from "vitest";
import { compareDecimal, decimalValue, numberValue, parseDecimal } from "./decimal.ts";

const decimal = (value: number | string) => {
  const parsed = parseDecimal(value);
  if (parsed === null) throw new Error(`${value} is no number`);
  return parsed;
};

test.each<[string, number | string | null]>([
  ["0", 0],
  ["-0", 0],
  ["-0.0", 0],
  ["12", 12],
  ["3.0", 3],
  ["0.1", 0.1],
  ["0.10", 0.1],
  ["1e5", 100000],
  ["9007199254740993", "9007199254740993"],
  ["12345678901234567890", "12345678901234567890"],
  ["1e309", "1e309"],
  ["10e308", "1e309"],
  ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
  ["1e999", null],
  ["1e-401", null],
  [`1${"0".repeat(100)}`, null],
  ["", null],
  ["abc", null],
  ["1e", null],
])("LANG-041: the literal %s is %j", (text, value) => {
  expect(numberValue(text)).toBe(value);
});

test("LANG-041: a number's own text gives the number back", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      expect(numberValue(String(double))).toBe(double === 0 ? 0 : double);
    }),
  );
});

test("LANG-041: short decimals are what exact reading gives, too", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 18 });
  const sign = fc.constantFrom("", "-");
  fc.assert(
    fc.property(sign, digits, fc.option(digits), (minus, whole, part) => {
      const text = `${minus}${whole}${part === null ? "" : `.${part}`}`;
      const exact = parseDecimal(text);
      expect(numberValue(text)).toBe(exact === null ? null : decimalValue(exact));
    }),
  );
});

test("compareDecimal is numeric, across spellings and beyond doubles", () => {
  expect(compareDecimal(decimal("1.0"), decimal(1))).toBe(0);
  expect(compareDecimal(decimal("9007199254740993"), decimal("9007199254740992"))).toBe(1);
  expect(compareDecimal(decimal("-2"), decimal("1e-300"))).toBe(-1);
});

test("parseDecimal refuses what no arithmetic here could hold", () => {
  expect(parseDecimal("1e100000")).toBeNull();
  expect(parseDecimal("9".repeat(1001))).toBeNull();
  expect(parseDecimal(Number.NaN)).toBeNull();
  expect(parseDecimal("0x10")).toBeNull();
});

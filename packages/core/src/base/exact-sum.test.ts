import { leastCpu } from "@plasm/testkit";
import fc from "fast-check";
import { Big } from "big.js";
import { describe, expect, test } from "vitest";
import { ExactSum } from "./exact-sum.ts";
import { decimalOf, decimalValue } from "./decimal.ts";

type Addend = number | string;

const sumOf = (addends: readonly Addend[]): ExactSum => {
  const sum = new ExactSum();
  for (const addend of addends) expect(sum.add(addend)).toBe(true);
  return sum;
};

describe("LANG-066: sums are exact", () => {
  test.each<[readonly Addend[], number | string]>([
    [[], 0],
    [[-0], 0],
    [[0.1, 0.2], 0.3],
    [["0.1", 0.2], 0.3],
    [[1e308, 1e308], "2e308"],
    [[1e21, 1, -1e21], 1],
    [[1e16, 1], "10000000000000001"],
    [["9007199254740993", "0.5"], "9007199254740993.5"],
    [[9007199254740991, 9007199254740991, 1], "18014398509481983"],
    [[5e-324, -5e-324], 0],
    [[0.1, 0.01, 0.001, 1e-9, 1e-10], 0.1110000011],
    [
      ["12345678901234567890", "0.00000000000000000001"],
      "12345678901234567890.00000000000000000001",
    ],
  ])("the sum of %j is %j", (addends, expected) => {
    expect(sumOf(addends).total()).toBe(expected);
  });

  test.each(["x", "", "1e", "0x10", "1e100000"])("%j is no number, and adds nothing", (text) => {
    const sum = sumOf([1]);
    expect(sum.add(text)).toBe(false);
    expect(sum.total()).toBe(1);
  });

  const addend = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.integer().map((cents) => cents / 100),
    fc.integer({ min: -9e15, max: 9e15 }),
    fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(40)).map(([n, e]) => {
      return `${n}e-${e}`;
    }),
  );

  test("whatever the order: as big decimals add up", () => {
    fc.assert(
      fc.property(fc.array(addend, { maxLength: 40 }), (addends) => {
        const exact = addends.reduce<Big>((sum, one) => sum.plus(one), new Big(0));
        expect(sumOf(addends).total()).toBe(decimalValue(decimalOf(exact)));
        expect(sumOf(addends.toReversed()).total()).toBe(decimalValue(decimalOf(exact)));
      }),
    );
  });
});

describe("LANG-066: averages", () => {
  test.each<[readonly Addend[], number | string]>([
    [[1, 2], 1.5],
    [[0.1, 0.2], 0.15],
    [[1, 0, 0], 0.333333333333333],
    [[2, 0, 0], 0.666666666666667],
    [[-2, 0, 0], -0.666666666666667],
    [[1000000, 0, 0], 333333.333333333],
    [[0, 0], 0],
    [["9007199254740993"], "9007199254740993"],
    [["9007199254740993", "9007199254740994"], "9007199254740993.5"],
    [["9007199254740993", "9007199254740993", "9007199254740994"], "9007199254740993.33"],
    [["0.12345678901234567890123", "0.12345678901234567890123"], "0.12345678901234567890123"],
    [["1e-400"], "1e-400"],
  ])("the average of %j is %j", (addends, expected) => {
    expect(sumOf(addends).mean(addends.length)).toBe(expected);
  });

  test("half goes to even: two places beyond those of the addends", () => {
    const long = (last: string): string => `1234567890123456.${last}`;
    expect(sumOf([long("5"), long("5"), long("6"), long("6")]).mean(4)).toBe(long("55"));
    const eighth = (sum: string): number | string => sumOf([sum]).mean(8);
    expect(eighth("8000000000000001")).toBe("1000000000000000.12");
    expect(eighth("8000000000000003")).toBe("1000000000000000.38");
  });

  test("the average of equal numbers is that number", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.nat(30),
        fc.integer({ min: 1, max: 50 }),
        (digits, places, count) => {
          const text = `${digits}e-${places}`;
          const own = sumOf([text]).total();
          expect(sumOf(Array.from({ length: count }, () => text)).mean(count)).toBe(own);
        },
      ),
    );
  });
});

test("18.14 numbers that are far apart cost about as much as others", () => {
  const spread = (few: string, many: string): ExactSum =>
    sumOf(Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? few : many)));
  spread("12345678901234567890", "0.5e-20").total();
  // Each was aligned with twenty thousand digits: seventy times as much.
  const { large, most } = leastCpu(
    () => spread("12345678901234567890", "0.5e-20").total(),
    () => spread("1e10000", "1e-10000").total(),
    (near) => 8 * near + 40,
  );
  expect(large).toBeLessThan(most);
});

import { describe, expect, test } from "vitest";
import { atMost, cappedAt, most, plus, times, total } from "./bill/make-bill.ts";
import type { Figure } from "./ir.ts";

const none: Figure = { exact: 0 };
const three: Figure = { exact: 3 };
const upToFour: Figure = { max: 4 };
const unknown: Figure = { unknown: "pages" };
const other: Figure = { unknown: "values" };

describe("PLAN-020: figures are exact only if all they are made of is", () => {
  test.each<[Figure, Figure, Figure]>([
    [three, three, { exact: 6 }],
    [three, upToFour, { max: 7 }],
    [upToFour, three, { max: 7 }],
    [upToFour, upToFour, { max: 8 }],
    [none, three, three],
    [unknown, three, unknown],
    [three, unknown, unknown],
    [unknown, upToFour, unknown],
    [unknown, other, unknown],
  ])("%j and %j", (a, b, sum) => {
    expect(plus(a, b)).toEqual(sum);
  });

  test.each<[Figure, Figure, Figure]>([
    [three, three, { exact: 9 }],
    [three, upToFour, { max: 12 }],
    [upToFour, three, { max: 12 }],
    [unknown, three, unknown],
    [three, unknown, unknown],
    [unknown, other, unknown],
    [unknown, none, none],
    [none, three, none],
  ])("%j times %j", (count, each, product) => {
    expect(times(count, each)).toEqual(product);
  });

  test.each<[Figure, number | null, Figure, Figure]>([
    [three, 3, { max: 3 }, { max: 2 }],
    [upToFour, 4, upToFour, { max: 2 }],
    [{ exact: 1 }, 1, { max: 1 }, { max: 1 }],
    [unknown, null, unknown, { max: 2 }],
  ])("%j at most, and of two at most", (figure, known, bound, capped) => {
    expect(most(figure)).toBe(known);
    expect(atMost(figure)).toEqual(bound);
    expect(cappedAt(figure, 2)).toEqual(capped);
  });

  test("a total names all that is unknown, else adds up", () => {
    const name = (id: string, why: string): string => `${id} ${why}`;
    expect(total([], name)).toEqual(none);
    expect(
      total(
        [
          ["n1", three],
          ["n2", upToFour],
        ],
        name,
      ),
    ).toEqual({ max: 7 });
    expect(
      total(
        [
          ["n1", unknown],
          ["n2", three],
          ["n3", other],
        ],
        name,
      ),
    ).toEqual({
      unknown: "n1 pages; n3 values",
    });
  });
});

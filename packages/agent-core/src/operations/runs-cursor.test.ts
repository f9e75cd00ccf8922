import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Failure } from "../errors/failure.ts";
import { isBefore, readRunsCursor, runsCursor } from "./runs-cursor.ts";

const position = fc.record({ at: fc.nat(), name: fc.uuid() });

describe("the place of a run in its session (OPS-11)", () => {
  it("a cursor is read back as what it was made of", () => {
    fc.assert(
      fc.property(position, (place) => {
        expect(readRunsCursor(runsCursor(place))).toEqual(place);
      }),
    );
    expect(readRunsCursor(undefined)).toBeNull();
  });

  it("of two runs one is before the other, also where they began at once", () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const same = a.at === b.at && a.name === b.name;
        expect(Number(isBefore(a, b)) + Number(isBefore(b, a))).toBe(same ? 0 : 1);
      }),
    );
    expect(isBefore({ at: 1, name: "b" }, { at: 1, name: "a" })).toBe(false);
    expect(isBefore({ at: 1, name: "b" }, { at: 2, name: "a" })).toBe(true);
  });

  it.each([
    ["", /before is the member next of the page before/],
    ["1", /unchanged/],
    ["x.a", /unchanged/],
    ["1.", /unchanged/],
    ["1.a/b", /unchanged/],
    [`1.${"a".repeat(101)}`, /unchanged/],
    [7, /before/],
    [null, /before/],
  ])("%j is none", (given, said) => {
    expect(() => readRunsCursor(given)).toThrow(Failure);
    expect(() => readRunsCursor(given)).toThrow(said);
  });
});

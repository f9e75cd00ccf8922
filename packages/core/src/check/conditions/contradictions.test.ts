import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { planOf } from "../../../test/plan-of.ts";
import { wharf } from "../../../test/wharf-catalog.ts";
import { renderPlan } from "../../plan/render/render-plan.ts";
import type { Json } from "../../values/value-type.ts";
import { testValue } from "../../values/test-value.ts";

const NOTED = new Set(["contradiction", "always_true"]);
const notesOf = (program: string, exposure = quayExposure) =>
  planOf(program, exposure).summary.reasons.filter(({ code }) => NOTED.has(code));

describe("17.5 LANG-051, PLAN-021: conditions that contend are told when planned", () => {
  test.each<[string, string]>([
    [
      "Boat{state=lost, state=moored}",
      "no row has state=lost and state=moored, so there are 0 rows; for either, write state in [lost, moored]",
    ],
    [
      "Boat{owner=ann, owner=bob}",
      "no row has owner=ann and owner=bob, so there are 0 rows; for either, write owner in [ann, bob]",
    ],
    [
      "a = Boat{state=lost}.limit(3)\na{state=moored}",
      "no row has state=lost and state=moored, so there are 0 rows; for either, write state in [lost, moored]",
    ],
    ["Boat{length>5, length<3}", "no row has length>5 and length<3, so there are 0 rows"],
    ["Boat{length>5, length<=5}", "no row has length>5 and length<=5, so there are 0 rows"],
    ["Boat{length=5, length>7}", "no row has length=5 and length>7, so there are 0 rows"],
    [
      "Boat{built>2020-01-01, built<2019-01-01}",
      "no row has built>2020-01-01 and built<2019-01-01, so there are 0 rows",
    ],
    [
      "Boat{built=2020-01-01, built=2020-01-02T10:00:00Z}",
      "no row has built=2020-01-01 and built=2020-01-02T10:00:00Z, so there are 0 rows; " +
        "for either, write built in [2020-01-01, 2020-01-02T10:00:00Z]",
    ],
    [
      "Boat{state=lost, state in [moored, sailing]}",
      "no row has state=lost and state in [moored, sailing], so there are 0 rows",
    ],
    [
      "Boat{state=lost, not{state=lost}}",
      "no row has state=lost and not{state=lost}, so there are 0 rows",
    ],
    [
      "Boat{built=null, built>2020-01-01}",
      "no row has built=null and built>2020-01-01, so there are 0 rows",
    ],
    [
      "Boat{built=null, exists(built)}",
      "no row has built=null and exists(built), so there are 0 rows",
    ],
    ['Boat{name=Al, name~"b"}', 'no row has name=Al and name~"b", so there are 0 rows'],
    [
      "Boat{any{length>3, all{state=lost, state=moored}}}",
      "no row has state=lost and state=moored, so there are 0 rows; for either, write state in [lost, moored]",
    ],
    [
      'Boat{owner.name="Ann", owner.name="Bo"}',
      'no row has owner.name="Ann" and owner.name="Bo", so there are 0 rows; for either, write owner.name in ["Ann", "Bo"]',
    ],
  ])("%s", (program, detail) => {
    expect(notesOf(program)).toMatchObject([{ code: "contradiction", severity: "review", detail }]);
  });

  test.each<[string, string]>([
    [
      "Boat{not{state=lost, state=moored}}",
      "every row meets not{state=lost, state=moored}; for neither, write state!=lost, state!=moored",
    ],
    [
      "Boat{any{state!=lost, state!=moored}}",
      "every row meets any{state!=lost, state!=moored}; for neither, write state!=lost, state!=moored",
    ],
    ["Boat{not{length>5, length<3}}", "every row meets not{length>5, length<3}"],
    ["Boat{any{exists(built), built=null}}", "every row meets any{exists(built), built=null}"],
  ])("%s", (program, detail) => {
    expect(notesOf(program)).toMatchObject([{ code: "always_true", severity: "review", detail }]);
  });

  test.each([
    "Boat{flags=a, flags=b}",
    "Boat{not{flags=a, flags=b}}",
    "Boat{meta.a=1, meta.a=2}",
    "Boat{state=lost, state=lost}",
    "Boat{state=lost, state!=moored}",
    "Boat{length>3, length<5}",
    "Boat{length>=5, length<=5}",
    "Boat{built=2020-01-01, built=2020-01-01T10:00:00Z}",
    "Boat{built=2020-01-01T09:00:00Z, built=2020-01-01T10:00:00Z}",
    "Boat{built>today-7d, built<2019-01-01}",
    "Boat{any{state=lost, state=moored}}",
    "Boat{not{any{state=lost, state=moored}}}",
    "Boat{not{state=lost}, not{state=moored}}",
    "p = Person.limit(1)\nBoat{owner=ann, owner=p.login}",
    "Boat{state=lost}\nBoat{state=moored}",
    "a = Boat{state=lost}\na.owner{name=x}.boats{state=moored}",
  ])("nothing is said of %s", (program) => {
    expect(notesOf(program)).toEqual([]);
  });

  test("the forms it names are planned, and nothing is said of them", () => {
    for (const form of ["state in [lost, moored]", "state!=lost, state!=moored"]) {
      expect(notesOf(`Boat{${form}}`)).toEqual([]);
    }
  });

  test("the plan's text has it, and the plan is one for review (PLAN-040)", () => {
    const plan = planOf("Boat{state=lost, state=moored}", quayExposure);
    expect(plan.summary.verdict).toBe("review");
    expect(renderPlan(plan, "pc0")).toContain(
      "\nreview contradiction: no row has state=lost and state=moored, so there are 0 rows;",
    );
  });

  test("P: what is said of numbers is so of every number and of null", () => {
    const comparison = fc
      .tuple(fc.constantFrom("=", "!=", "<", "<=", ">", ">="), fc.integer({ min: 0, max: 4 }))
      .map(([op, value]) => ({
        text: `kg${op}${value}`,
        holds: (cell: Json) => testValue(cell, op as "=", value, { kind: "number" }),
      }));
    const items = fc.array(comparison, { minLength: 1, maxLength: 3 });
    const cells: readonly Json[] = [null, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5];
    fc.assert(
      fc.property(items, fc.constantFrom("", "any", "not"), (drawn, word) => {
        const inner = drawn.map(({ text }) => text).join(", ");
        const program = word === "" ? `Crane{${inner}}` : `Crane{${word}{${inner}}}`;
        const meets = (cell: Json): boolean => {
          if (word === "any") return drawn.some(({ holds }) => holds(cell));
          const all = drawn.every(({ holds }) => holds(cell));
          return word === "not" ? !all : all;
        };
        const codes = notesOf(program, wharf).map(({ code }) => code);
        const [never, always] = [!cells.some(meets), cells.every(meets)];
        const due: Readonly<Record<typeof word, boolean>> = {
          "": never,
          // Of alternatives it is said only where that is certain.
          any: always && codes.length > 0,
          not: always,
        };
        expect(codes.length > 0, program).toBe(due[word]);
      }),
      { numRuns: 400 },
    );
  });
});

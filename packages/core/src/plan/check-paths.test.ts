import { describe, expect, test } from "vitest";
import { e, p } from "../../test/fixture-exposure.ts";
import { errorsOf, planOf } from "../../test/plan-of.ts";

describe("PLAN-001, MAP-012: what no path can hold is told before anything is sent", () => {
  test.each([
    ['Boat("..")', '".."', "id"],
    ['Boat(".").logs', '"."', "id"],
    ['Boat("").send(to="")', '""', "id"],
    ['Boat{id=".."}', '".."', "id"],
    ['Boat{id in ["b1", ".."]}', '".."', "id"],
    ['Boat("..").visits', '".."', "boat"],
    ['Visit{boat=".."}', '".."', "boat"],
    ['Boat.limit(2) => Boat("..").ping()', '".."', "id"],
  ])("%s", (text, marked, slot) => {
    const errors = errorsOf(text);
    expect(errors.map(({ code }) => code)).toEqual(["argument_invalid"]);
    const [error] = errors;
    expect(text.slice(error?.span.start, error?.span.end)).toBe(marked);
    expect(error?.span.start).toBe(text.indexOf(marked));
    expect(error?.correction).toContain(slot);
  });

  test("in the notation of the expression (ERR-006)", () => {
    const [error] = errorsOf(`${e("quay", "Boat")}("..")`);
    expect(error?.correction).toContain(p("id"));
  });

  test.each([
    'Boat("...")',
    'Boat("a/..")',
    'Boat("b1").send(to="..")',
    'Boat~"."',
    'Boat.create(name="", owner=Person(".."))',
  ])("%s is sent as it stands", (text) => {
    expect(planOf(text).nodes.length).toBeGreaterThan(0);
  });
});

describe("LANG-043: a relative date is a date on any day", () => {
  test.each(["today-9999999d", "now+99999999999999h", "today+99150w"])(
    "%s is bad_literal",
    (date) => {
      const text = `Boat{built>${date}}`;
      const [error] = errorsOf(text);
      expect([error?.code, text.slice(error?.span.start, error?.span.end)]).toEqual([
        "bad_literal",
        date,
      ]);
      expect(error?.correction).toContain("2026-01-31");
    },
  );

  test.each(["today-693500d", "tomorrow+99000w", "now-1m"])("%s is one", (date) => {
    expect(planOf(`Boat{built>${date}}`).nodes).toHaveLength(1);
  });
});

test.each(["x = [{v: 1e100000}]\nx", "x = 1e-401\nx", "Boat{meta=1e100000}", "Boat => {v: 1e500}"])(
  "LANG-041: %s is bad_literal wherever a number may stand",
  (text) => {
    const [error] = errorsOf(text);
    expect(error?.code).toBe("bad_literal");
    expect(error?.correction).toContain('quote it: "1e');
  },
);

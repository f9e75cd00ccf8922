import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, ValueType } from "./value-type.ts";
import { memberTest, testValue } from "./test-value.ts";

const text: ValueType = { kind: "string", semantics: "short" };
const TYPES: readonly ValueType[] = [
  text,
  { kind: "number" },
  { kind: "integer" },
  { kind: "boolean" },
  { kind: "uuid" },
  { kind: "json" },
  { kind: "entity_ref", target: "Boat" },
  { kind: "date", format: "rfc3339" },
  { kind: "date", format: "unix_sec" },
  { kind: "array", items: text },
  { kind: "array", items: { kind: "number" } },
];

/** Cells that are alike in some types and not in others. */
const scalar = fc.constantFrom<Json>(
  null,
  0,
  -0,
  1,
  "1",
  "1.0",
  "01",
  true,
  "true",
  "",
  "a",
  "A",
  "\0[1]",
  12.5,
  "12.50",
  "12.345678901234567890",
  "2015-01-01",
  "2015-01-01T13:00:00Z",
  "2015-01-01T14:00:00+01:00",
  "2015-01-02T00:30:00+01:00",
  1_420_117_200,
  { id: "a" },
  { id: "a", part: 1 },
  { part: 1, id: "a" },
);
const cell = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));

test("RUN-113 `in` gives for long lists what it gives for short ones (fast-check)", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TYPES),
      fc.array(cell, { minLength: 6, maxLength: 30 }),
      fc.oneof(cell, fc.constant(undefined)),
      (type, list, value) => {
        expect(memberTest(list, type)(value)).toBe(testValue(value, "in", list, type));
      },
    ),
    { numRuns: 4_000 },
  );
});

/** Counts how often elements of the list are looked at. */
test("26.7 a list is gone through once, not for each cell", () => {
  let looks = 0;
  const values = Array.from({ length: 1_000 }, (_none, at) => `v${at}`);
  const list = new Proxy(values, {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const isIn = memberTest(list, text);
  const found = Array.from({ length: 1_000 }, (_none, at) => isIn(`v${at * 2}`));
  expect(found.filter(Boolean)).toHaveLength(500);
  expect(looks).toBeLessThan(5 * values.length);
});

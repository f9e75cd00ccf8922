import { expect, test } from "vitest";
import { jsonAt } from "./json-path.ts";
import type { Json } from "./value-type.ts";

test.each<[string, Json, Json]>([
  ["a.b", { a: { b: 1 } }, 1],
  ["a.1.b", { a: [{ b: 1 }, { b: 2 }] }, 2],
  ["a.9.b", { a: [{ b: 1 }] }, null],
  ["a.b", { a: [{ b: 1 }, { c: 3 }, { b: 2 }, { b: null }] }, [1, 2, null]],
  ["a.b.c", { a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: [{ c: 3 }] }] }, [1, 2, 3]],
  ["a.b", { a: [1, "b"] }, null],
  ["a.b", { a: [] }, []],
  ["a.length", { a: "text" }, null],
])("LANG-053: %s of %j", (path, value, expected) => {
  expect(jsonAt(value, path.split("."))).toEqual(expected);
});

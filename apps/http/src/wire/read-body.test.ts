import { expect, test } from "vitest";
import { repeatedMember } from "./read-body.ts";

test.each([
  ['{"program":"Boat","program":"Log(1)"}', "program"],
  ['{"program":"Boat","pro\\u0067ram":"Log(1)"}', "program"],
  ['{"seeds":[{"api":"quay","entity":"Boat"},{"api":"a","api":"b"}]}', "api"],
  ['{"a":{"b":[1,{"c":{}}],"b":2}}', "b"],
  ['{"":1,"":2}', ""],
  ['{"a":1}', null],
  ['{"a":"\\"a\\":1,{","b":"a","c":["a","a"]}', null],
  ['[{"a":1},{"a":2}]', null],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', null],
  ['"a"', null],
  ["[]", null],
  ["{ \n }", null],
])("SURF-16: of %s it finds %s", (text, found) => expect(repeatedMember(text)).toBe(found));

test("a text of a megabyte is looked through in one pass", () => {
  const text = JSON.stringify({ program: '\\"{,'.repeat(250_000), wait: true });
  expect(repeatedMember(text)).toBeNull();
});

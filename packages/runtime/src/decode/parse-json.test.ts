import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json.ts";

/** How deep a value nests: what the depth of its text is to be. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of JSON (RUN-130)", () => {
  it.each([
    ["brackets in strings", String.raw`["[[[{{{"]`, 1],
    ["an escaped quote", String.raw`["\"[[", [1]]`, 2],
    ["an escaped backslash before the quote", String.raw`["\\", [[1]]]`, 3],
    ["three backslashes before a quote", String.raw`["\\\"[[["]`, 1],
    ["names of members", String.raw`{"[\"[": {"{": []}}`, 3],
    ["empty texts", `["", "", [""]]`, 2],
  ])("is that outside of strings: %s", (_what, json, depth) => {
    expect(parseJson(json, depth)).toEqual({ ok: true, value: JSON.parse(json) });
    expect(parseJson(json, depth - 1)).toEqual({ ok: false, reason: "depth" });
  });

  it("is that of the value, whatever is in its texts", () => {
    const hostile = fc.string({ unit: fc.constantFrom('"', "\\", "[", "{", "]", "}", "a") });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        hostile,
        fc.integer(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(hostile, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 4 }), (one, depth) => {
        const json = JSON.stringify(one);
        const deep = depthOf(JSON.parse(json)) > depth;
        expect(parseJson(json, depth).ok).toBe(!deep);
      }),
    );
  });

  it.each([`["open`, String.raw`["open\"`, String.raw`["open\\`, `"`, `[[`])(
    "of broken JSON costs nothing but its syntax: %s",
    (json) => expect(parseJson(json, 5)).toEqual({ ok: false, reason: "syntax" }),
  );
});

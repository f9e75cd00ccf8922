import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce } from "../base/turns.ts";
import { parseJson, parseJsonInSteps } from "./parse-json.ts";

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

describe("numbers that a double does not hold are decimal text (RUN-033)", () => {
  it.each<[string, unknown]>([
    ["12345678901234567890", "12345678901234567890"],
    ["-12345678901234567890", "-12345678901234567890"],
    ["[1,9007199254740993]", [1, "9007199254740993"]],
    ['{"a":0.12345678901234567891,"b":0.5}', { a: "0.12345678901234567891", b: 0.5 }],
    ["1e2", 100],
    ["1.5E+3", 1500],
    ["123456789012345", 123456789012345],
    ['["12345678901234567890e999",7]', ["12345678901234567890e999", 7]],
    ['{"12345678901234567890":1}', { "12345678901234567890": 1 }],
    ["[ 1 ,\n2\t]", [1, 2]],
  ])("%s", (json, value) => {
    expect(parseJson(json, 5)).toEqual({ ok: true, value });
  });

  it("wherever they stand, and no other number changes", () => {
    const big = fc.bigInt({ min: 10n ** 16n, max: 10n ** 20n }).filter((n) => n % 2n === 1n);
    const part = fc.oneof(
      big.map((n) => [String(n), String(n)] as const),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => {
        // JSON has no -0, and writes a double so that it reads back as itself.
        const text = JSON.stringify(n);
        return [text, JSON.parse(text) as unknown] as const;
      }),
      fc.stringMatching(/^[0-9eE.+-]{0,30}$/).map((s) => [JSON.stringify(s), s] as const),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const json = `[${parts.map(([text]) => text).join(",")}]`;
        expect(parseJson(json, 2)).toEqual({ ok: true, value: parts.map(([, value]) => value) });
      }),
    );
  });
});

describe("18.7 a long list is parsed in parts", () => {
  const inParts = (json: string, stretch: number) => atOnce(parseJsonInSteps(json, 999, stretch));
  const parsed = (json: string): unknown => {
    try {
      return { ok: true, value: JSON.parse(json) };
    } catch {
      return { ok: false, reason: "syntax" };
    }
  };

  it("and is what it is at once, broken or not (fast-check)", () => {
    const texts = fc.string({ unit: fc.constantFrom('"', "\\", ",", "[", "]", "a", "__proto__") });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        texts,
        // Two that a fault joins are a number that a double still holds.
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.array(tie("value"), { maxLength: 6 }),
        fc.dictionary(texts, tie("value"), { maxKeys: 3 }),
      ),
    }));
    const broken = fc.tuple(fc.nat(), fc.constantFrom("", ",", "[", "]", "}", '"', " ", ",,"));
    fc.assert(
      fc.property(
        value,
        fc.option(broken, { nil: null }),
        fc.integer({ min: 1, max: 9 }),
        (one, fault, stretch) => {
          const whole = JSON.stringify(one);
          const at = fault === null ? 0 : fault[0] % (whole.length + 1);
          const json = fault === null ? whole : whole.slice(0, at) + fault[1] + whole.slice(at + 1);
          expect(inParts(json, stretch)).toEqual(parsed(json));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "[1,2,3,]",
    "[1,,2]",
    "[,1]",
    "[1,2}",
    '{"rows":[1,2,3],"rows":4}',
    '{"rows":4,"rows":[1,2,3]}',
    '{"a":[[1,2],[3,4]],"b":[{"c":[5,6,7]},8]}',
    '[{"__proto__":[1,2,3]}]',
    "[1,2,3] [4]",
    "[[1,2],[3,4]",
    "[[1,2],3]]",
  ])("%s", (json) => expect(inParts(json, 1)).toEqual(parsed(json)));

  it("with its numbers that no double holds", () => {
    const json =
      '{"n":12345678901234567890,"rows":[1,9007199254740993,[0.12345678901234567891,2],3]}';
    expect(inParts(json, 1)).toEqual(parseJson(json, 9));
  });
});

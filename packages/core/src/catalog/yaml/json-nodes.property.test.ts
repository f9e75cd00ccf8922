import fc from "fast-check";
import { expect, it } from "vitest";
import { convertDocument } from "./convert.ts";
import { jsonNodes } from "./json-nodes.ts";
import { readYaml } from "./read-yaml.ts";

/** What the reader of YAML makes of a text. */
const asYaml = (text: string) => {
  const { document } = readYaml(text, {
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: "error",
  });
  return document === null ? null : convertDocument(document).root;
};

const number = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.constantFrom("-0", "1E3", "1e-7", "0.10", "-12.50e+2", "9007199254740993"),
);
const text = fc.string({ unit: "binary", maxLength: 20 }).map((one) => JSON.stringify(one));
const gap = fc.constantFrom("", " ", "\n", "\n  ", " \n\n ");

/** Texts of JSON, with blanks and lines where they may stand. */
const { object } = fc.letrec<{ value: string; object: string }>((tie) => {
  const value = tie("value");
  const list = fc
    .array(fc.tuple(gap, value, gap), { maxLength: 4 })
    .map((all) => `[${all.map((one) => one.join("")).join(",")}]`);
  return {
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.oneof(text, number, fc.constantFrom("true", "false", "null", "{}", "[]")),
      list,
      tie("object"),
    ),
    object: fc
      .uniqueArray(fc.tuple(text, gap, gap, value, gap), { maxLength: 4, selector: ([key]) => key })
      .map(
        (all) =>
          `{${all.map(([key, a, b, one, c]) => `${a}${key}:${b || " "}${one}${c}`).join(",")}}`,
      ),
  };
});

it("CAT-012: a text of JSON is read to the nodes that it has as YAML, in their places", () => {
  fc.assert(
    fc.property(object, (json) => {
      expect(jsonNodes(json)).toEqual(asYaml(json));
    }),
    { numRuns: 500 },
  );
});

it("CAT-012: what is no JSON is left to the reader of YAML", () => {
  const parses = (json: string): boolean => {
    try {
      JSON.parse(json);
      return true;
    } catch {
      return false;
    }
  };
  const changed = fc
    .tuple(
      object,
      fc.nat(),
      fc.nat(2),
      fc.constantFrom("", ",", ":", "]", "}", "{", '"', "0", "-", "e", "\\", "\t"),
    )
    .map(([json, at, taken, put]) => {
      const place = at % (json.length + 1);
      return `${json.slice(0, place)}${put}${json.slice(place + taken)}`;
    });
  fc.assert(
    fc.property(changed, (json) => {
      fc.pre(!parses(json));
      expect(jsonNodes(json)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ["a map in braces that is no JSON", "{a: 1}"],
  ["a comma too many", '{"a": 1,}'],
  ["a comment", '{"a": 1} # one'],
  ["a comment of another language", '{"a": 1 /* one */}'],
  ["two values", '{"a": 1} {"b": 2}'],
  ["text that breaks off", '{"a": [1'],
  ["a key twice, which is told", '{"a": 1, "a": 2}'],
  ["half a pair of characters", '{"a": "\\ud83d"}'],
  ["half a pair in a key", '{"\\ude00": 1}'],
  ["more levels than a file may have", `{"a": ${"[".repeat(100)}${"]".repeat(100)}}`],
  ["more nodes than a file may have", `{"a": [${"1,".repeat(1_000_000)}1]}`],
  ["nesting without end", `{"a": ${"[".repeat(1_000_000)}`],
  ["a number that nobody can hold", '{"a": 1e99999999}'],
  ["no map", "[1]"],
  ["nothing", ""],
])("CAT-012: %s is left to the reader of YAML", (_what, json) => {
  expect(jsonNodes(json)).toBeNull();
});

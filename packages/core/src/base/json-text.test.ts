import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonText } from "./json-text.ts";

/** Names as they are written, many with what must be escaped and what begins alike without. */
const name = fc.oneof(
  fc.constantFrom(
    "",
    "\\",
    "\n",
    '"',
    "\\u",
    "\\n",
    "a",
    "a\\",
    "a\n",
    "__proto__",
    "1",
    "\u{1f6a4}",
  ),
  fc.string(),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(0, null, true, "\\", '"x":', '\\"a\\":1'),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
  ),
})).value;

/** A text of a value in which the letters of names stand as escapes, as Python's json writes them. */
const asciiOnly = (item: unknown): string =>
  JSON.stringify(item).replace(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

describe("a JSON text is read with the names it has, whatever was read before", () => {
  it("names with escapes, after names that begin as those are written", () => {
    expect(parseJsonText('{"a":1,"\\\\":2}')).toEqual({ a: 1, "\\": 2 });
    expect(parseJsonText('{"a":1,"\\n":2}')).toEqual({ a: 1, "\n": 2 });
    expect(parseJsonText('{"a":1,"\\\\u":2}')).toEqual({ a: 1, "\\u": 2 });
    expect(parseJsonText('{"a":1,"\\u540d\\u524d":2}')).toEqual({ a: 1, 名前: 2 });
  });

  it("any values, in any order", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (items) => {
        for (const item of items) {
          const read = parseJsonText(JSON.stringify(item));
          expect(read).toStrictEqual(item);
          expect(JSON.stringify(read)).toBe(JSON.stringify(item));
          expect(parseJsonText(asciiOnly(item))).toStrictEqual(item);
        }
      }),
    );
  });

  it("a name that stands twice counts as it stands last, as in JSON.parse", () => {
    expect(parseJsonText('{"\\n":1,"b":2,"\\u000a":3}')).toEqual({ "\n": 3, b: 2 });
  });

  it("a text that is no JSON throws as JSON.parse does", () => {
    const wrong = [
      '{\\"a":1}',
      '\\ "a":1',
      '{"a\\',
      '{"a\\":',
      '{"\\x":1}',
      '{"\\u00":1}',
      '{"\\n":}',
    ];
    for (const text of wrong) expect(() => parseJsonText(text), text).toThrow(SyntaxError);
  });
});

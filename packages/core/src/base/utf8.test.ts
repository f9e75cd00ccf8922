import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { clip, utf8Length, utf8Prefix } from "./text.ts";

const anyText = wellFormedText();

describe("utf8Length and utf8Prefix", () => {
  it("count as a UTF-8 encoder does", () => {
    const encoder = new TextEncoder();
    fc.assert(
      fc.property(anyText, fc.nat(60), (text, limit) => {
        const bytes = encoder.encode(text).length;
        expect(utf8Length(text)).toBe(bytes);
        const prefix = utf8Prefix(text, limit);
        expect(text.startsWith(prefix)).toBe(true);
        expect(utf8Length(prefix)).toBeLessThanOrEqual(limit);
        expect(prefix === text).toBe(bytes <= limit);
      }),
    );
  });

  it("a lone surrogate counts as its replacement", () => {
    expect(utf8Length("a\ud800b")).toBe(5);
  });
});

describe("clip", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "ab…"],
    ["😀😀😀", 3, "😀😀😀"],
    ["😀😀😀😀", 3, "😀😀…"],
  ])("%j to %d code points is %j", (text, limit, expected) => {
    expect(clip(text, limit)).toBe(expected);
  });
});

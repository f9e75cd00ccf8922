import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { abstractOf, cleanGuardrails, cleanLine } from "./graft-text.ts";

const letters = (n: number): string => "abcdefghij".repeat(Math.ceil(n / 10)).slice(0, n);

describe("the abstract of a graft (GRAFT-6)", () => {
  it.each([
    [119, 119],
    [120, 120],
    [121, 120],
  ])("D3 of %i characters shows %i, without ellipsis", (length, shown) => {
    expect(abstractOf(letters(length))).toBe(letters(shown));
  });

  it("D3 counts code points, not halves of surrogate pairs", () => {
    expect(abstractOf("🍐".repeat(121))).toBe("🍐".repeat(120));
    expect(abstractOf(`${letters(119)}🍐🍐`)).toBe(`${letters(119)}🍐`);
  });

  it("D17 cuts at 120 even inside a word", () => {
    const text = `${"word ".repeat(23)}pomiculture`;
    expect(abstractOf(text)).toBe(`${"word ".repeat(23)}pomic`);
  });

  it.each([
    ["a\u0000b\u001b[31mc\u009f", "ab[31mc"],
    ["right\u202eto\u2066left\u200f", "righttoleft"],
    ["zero\u200bwidth\u2060joins\ufeff\u200d", "zerowidthjoins"],
    ["tags\u{e0041}\u{e0042}", "tags"],
    ["half\ud800a pair", "halfa pair"],
    ["  # Head\n\n\ttext\u2028more\u00a0of \u0085it\r\n", "# Head text more of it"],
    ["```js\nrun()\n```", "'''js run() '''"],
    ["`x` · — `y`", "'x' · — 'y'"],
    ["\n\n \u200b\n", ""],
  ])("cleans %j", (raw, clean) => {
    expect([abstractOf(raw), cleanLine(raw)]).toEqual([clean, clean]);
  });

  it("a mark between blanks leaves one blank", () => {
    expect(cleanLine("a \u200b b")).toBe("a b");
  });

  it("is one line that opens nothing, whatever the text (D24)", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("`", "~", "\n", "\r", "\u2028", "\u202e", "\u200b", " ", "a", "🍐"),
      maxLength: 300,
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = abstractOf(text);
        expect(shown).not.toMatch(/[`\n\r\u2028\u202e\u200b]| {2}|^ /u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(120);
        expect(cleanLine(text).startsWith(shown)).toBe(true);
      }),
    );
  });

  it("of megabytes is read no further than it shows", () => {
    expect(abstractOf(`${" ".repeat(1_000)}${"x".repeat(4_000_000)}`)).toBe("x".repeat(120));
  });
});

describe("guardrails (GRAFT-6, D8)", () => {
  it.each([
    ["One.\nTwo.", "One.\nTwo."],
    ["One.\r\nTwo.\u2028Three.", "One.\nTwo.\nThree."],
    ["Use `id`, or ``id``.\n```sh\nrm\n`````", "Use `id`, or ``id``.\n'''sh\nrm\n'''''"],
    ["a\u202eb\u200bc\u0007", "abc"],
    ["`\u200b`\u200b`", "'''"],
    ["", ""],
  ])("%j", (raw, clean) => expect(cleanGuardrails(raw)).toBe(clean));
});

import { actingIn, halfPairsIn, HOSTILE_KEYS, HOSTILE_TEXTS } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { visible, visibleLines, withoutActing } from "./visible.ts";

describe("hostile texts where they are shown (SURF-13)", () => {
  it.each(HOSTILE_TEXTS)("$name: one line, in which nothing acts", ({ text }) => {
    const shown = visible(text);
    expect(shown).not.toMatch(/[\n\t]/);
    expect(actingIn(shown)).toEqual([]);
    expect(halfPairsIn(shown)).toBe(0);
    expect(shown).toMatch(/^a.*z$/);
  });

  it.each(HOSTILE_TEXTS)("$name: lines and TABs alone are kept in whole answers", ({ text }) => {
    const shown = visibleLines(text);
    expect(actingIn(shown)).toEqual([]);
    expect(visible(shown)).toBe(visible(text));
    expect(shown.split("\n").length).toBe(text.split(/\r\n?|\n/).length);
  });

  it.each(HOSTILE_TEXTS)("$name: as long as it was where marks stand below it", ({ text }) => {
    const shown = withoutActing(text);
    expect(Array.from(shown)).toHaveLength(Array.from(text).length);
    expect(actingIn(shown.replace(/[\n\t]/g, ""))).toEqual([]);
  });

  it.each(HOSTILE_TEXTS)("$name: JSON that is shown is the same JSON", ({ text }) => {
    const json = JSON.stringify({ [text]: [text] });
    expect(JSON.parse(visible(json))).toEqual(JSON.parse(json));
  });

  it("keys of all kinds stay the keys of the same object", () => {
    const json = `{${HOSTILE_KEYS.map((key) => `${JSON.stringify(key)}:1`).join(",")}}`;
    const shown = visible(json);
    expect(actingIn(shown)).toEqual([]);
    expect(Object.keys(JSON.parse(shown) as object).toSorted()).toEqual(HOSTILE_KEYS.toSorted());
  });
});

import { describe, expect, it } from "vitest";
import { shownText } from "./start.ts";

describe("what a stream is given (SURF-20)", () => {
  it.each([
    ["a clear screen", "a\u001b[2Jz", "a\\u001b[2Jz"],
    ["the same in one byte", "a\u009b2Jz", "a\\u009b2Jz"],
    ["a title", "a\u001b]0;x\u0007z", "a\\u001b]0;x\\u0007z"],
    ["an override", "a\u202ez", "a\\u202ez"],
    ["a line written over", "paid\rowed", "paid\nowed"],
    ["half a pair", "a\ud83dz", "a\\ud83dz"],
    ["our own lines and TABs", "id\tname\n1\tAlma\n", "id\tname\n1\tAlma"],
  ])("18.19 %s does not act, on a terminal or in what is piped to one", (_, text, shown) => {
    expect(shownText(text)).toBe(`${shown}\n`);
  });

  it("JSON is the same JSON", () => {
    const value = { "a\u202e": ["\u009b1", "\u001b", "\ud83d", "\\u202e"] };
    expect(JSON.parse(shownText(JSON.stringify(value)))).toEqual(value);
  });
});

import { describe, expect, it } from "vitest";
import { shownOn } from "./process-context.ts";

const terminal = { isTTY: true };

describe("what a stream is given (SURF-20)", () => {
  it.each([
    ["a clear screen", "a\u001b[2Jz", "a\\u001b[2Jz"],
    ["the same in one byte", "a\u009b2Jz", "a\\u009b2Jz"],
    ["a title", "a\u001b]0;x\u0007z", "a\\u001b]0;x\\u0007z"],
    ["an override", "a\u202ez", "a\\u202ez"],
    ["a line written over", "paid\rowed", "paid\nowed"],
    ["half a pair", "a\ud83dz", "a\\ud83dz"],
    ["our own lines and TABs", "id\tname\n1\tAlma\n", "id\tname\n1\tAlma"],
  ])("on a terminal %s does not act", (_, text, shown) => {
    expect(shownOn(terminal, text)).toBe(`${shown}\n`);
    expect(shownOn({}, text)).toBe(text.endsWith("\n") ? text : `${text}\n`);
  });

  it("JSON on a terminal is the same JSON", () => {
    const value = { "a\u202e": ["\u009b1", "\u001b", "\ud83d", "\\u202e"] };
    expect(JSON.parse(shownOn(terminal, JSON.stringify(value)))).toEqual(value);
  });
});

import { describe, expect, it } from "vitest";
import { textMistakes } from "./program-text.ts";

describe("what is wrong with a program as a text (SURF-41)", () => {
  it("says where, and nothing of what only a session knows", () => {
    expect(textMistakes("Boat.limit(3))[id]")).toMatchObject([{ line: 1, start: 13, end: 14 }]);
    expect(textMistakes('Nothing("x").known{at=all}')).toEqual([]);
  });

  it("shows signs that nobody sees by their number, and no more mistakes than a server would", () => {
    const [first] = textMistakes("Boat\u200B");
    expect(JSON.stringify(first)).not.toContain("\u200B");
    expect(textMistakes(")\n".repeat(100))).toHaveLength(10);
  });
});

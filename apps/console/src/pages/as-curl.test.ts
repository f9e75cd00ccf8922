import { describe, expect, it } from "vitest";
import { shellWord } from "./as-curl.tsx";

describe("a program as a word of a shell (SURF-39)", () => {
  it.each([
    ["Boat.limit(5)", "'Boat.limit(5)'"],
    ["it's $(date) `date`", String.raw`'it'\''s $(date) ${"`date`"}'`],
    ["two\nlines", "'two\nlines'"],
    ["left \u202Eright", String.raw`'left '$'\U0000202e''right'`],
    ["\u001B[2J", String.raw`''$'\U0000001b''[2J'`],
  ])("%j is %j", (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

import { describe, expect, it } from "vitest";
import { showable } from "./api.ts";

describe("what answers are shown as (SURF-31)", () => {
  it.each<[unknown, unknown]>([
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["\u202Egnp.exe", "⟨U+202E⟩gnp.exe"],
    ["in\u200Bvisible\u0007", "in⟨U+200B⟩visible⟨U+0007⟩"],
    [{ "na\u2066me": ["\u{E0041}", 1, null] }, { "na⟨U+2066⟩me": ["⟨U+E0041⟩", 1, null] }],
    ["a\u00A0b\u3164c\u2800d\uD800 e", "a⟨U+00A0⟩b⟨U+3164⟩c⟨U+2800⟩d⟨U+D800⟩ e"],
    ["v\uFE0F\u034F", "v⟨U+FE0F⟩⟨U+034F⟩"],
    ["<b>bold</b> ü 漢字 😀", "<b>bold</b> ü 漢字 😀"],
  ])("%j", (given, shown) => {
    expect(showable(given)).toEqual(shown);
  });
});

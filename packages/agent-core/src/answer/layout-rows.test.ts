import { describe, expect, it } from "vitest";
import { layoutResult } from "./layout.ts";

const count = (text: string): number => text.length;
const rows = [
  { id: 1, note: "x".repeat(300), tags: ["a"] },
  { id: 2, tags: [] },
];
const input = { columns: ["id", "note", "tags"], keys: [], rows };

describe("the rows of a layout (SURF-5, SURF-9)", () => {
  it("are the values themselves where their cells are whole", () => {
    const { rows: shown, shown: many } = layoutResult(input, 1_000, count);
    expect([many, shown]).toEqual([2, [rows[0], { id: 2, note: null, tags: [] }]]);
  });

  it("say of a clipped cell, a dropped column and a row that is left out what the lines say", () => {
    const clipped = layoutResult(input, 200, count);
    expect(clipped.clipped).toEqual(["note"]);
    expect(clipped.rows[0]).toMatchObject({ id: 1, tags: ["a"] });
    expect(clipped.lines[0]?.split("\t")).toEqual(["1", clipped.rows[0]?.["note"], '["a"]']);
    const narrow = layoutResult(input, 12, count);
    expect(narrow.dropped).not.toEqual([]);
    expect(Object.keys(narrow.rows[0] ?? {})).toEqual(narrow.header.split("\t"));
    expect(narrow.rows).toHaveLength(narrow.lines.length);
  });
});

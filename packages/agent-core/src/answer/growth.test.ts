import { visible, visibleLines } from "@plasm/core/internal";
import { slowTexts } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { pageNumber } from "../artifacts/handles.ts";
import { parseResourceUri } from "../artifacts/uris.ts";
import { named } from "../errors/arguments.ts";
import { cellText, clipCell, columnText, referenceCell } from "./cell.ts";
import { layoutResult } from "./layout.ts";
import { tokenCounter } from "./tokens.ts";

const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ["a page handle", (text) => pageNumber(text, "s0")],
  ["the address of a resource", parseResourceUri],
  ["a name in a message", named],
  ["text that is shown", (text) => visible(text) + visibleLines(text)],
  ["a cell", cellText],
  ["a cell of a list", (text) => cellText([text, { [text]: text }])],
  ["a cell that is clipped", (text) => clipCell(text, 50)],
  ["a value that is shown by reference", (text) => referenceCell(text, "text/html")],
  ["the name of a column", columnText],
];

describe("18.14 what callers and APIs write is read and shown in proportion to its length", () => {
  it.each(readers)("%s", (_what, read) => {
    expect(slowTexts(read)).toEqual([]);
  });

  it.each([
    ["a page handle", "s0_pg", (text: string) => pageNumber(text, "s0")],
    ["the address of a resource", "plasm://session/s0/r/", parseResourceUri],
  ])("%s behind its beginning", (_what, before, read) => {
    expect(slowTexts(read, [before, "x"])).toEqual([]);
  });

  it("a table of such cells", async () => {
    const count = await tokenCounter();
    const table = (text: string) =>
      layoutResult(
        { columns: ["a", "b"], keys: ["a"], rows: [{ a: text, b: [text] }] },
        2_000,
        count,
      );
    expect(slowTexts(table)).toEqual([]);
  });
});

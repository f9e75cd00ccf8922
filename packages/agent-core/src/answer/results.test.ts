import type { Json } from "@plasm/core";
import { assertProperty } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import type { RunDiagnostic, RunResult } from "@plasm/runtime";
import { cells, layouts } from "../../test/properties/result-text.ts";
import { cellText, clipCell } from "./cell.ts";
import { layoutResult } from "./layout.ts";
import { fenceFor, lackingOf, layoutResults, resultBlock } from "./results.ts";

/** One token a character: budgets in tests read as characters. */
const chars = (text: string): number => text.length;

const head = { name: "old", rows: 40, range: null, partial: null, notLoaded: [], replaces: null };
const none = { snapshot: null, rest: null, next: null };

describe("cellText (SURF-13)", () => {
  it.each([
    [null, ""],
    [undefined, ""],
    ["", '""'],
    ["a\tb\nc\r\nd", "a\\tb\\nc\\nd"],
    [7, "7"],
    [true, "true"],
    [{ a: [1] }, '{"a":[1]}'],
    [
      { __plasm_attachment: { mime_type: "image/png", bytes_base64: "A".repeat(16_000) } },
      "<image/png 12 kB>",
    ],
    [{ __plasm_attachment: { uri: "plasm://x" } }, "<blob plasm://x>"],
    [
      {
        __plasm_attachment: {
          mime_type: "a/b",
          size: 104_857_600,
          file_name: "c\td",
          uri: "plasm://x",
        },
      },
      "<a/b 104858 kB c\\td plasm://x>",
    ],
    [{ __plasm_attachment: {}, owed: 5 }, '{"__plasm_attachment":{},"owed":5}'],
    [{ __plasm_attachment: { mime_type: "x".repeat(200) } }, `<${"x".repeat(100)}… (+100)>`],
  ])("%j prints as %s", (value, text) => expect(cellText(value)).toBe(text));

  it("clips by code points and says how many are missing (SURF-12)", () => {
    expect(clipCell("🌳".repeat(30), 25)).toBe(`${"🌳".repeat(25)}… (+5)`);
    expect(clipCell("short", 25)).toBe("short");
  });

  it("P16 holds no TAB and no line end, whatever the data", () => assertProperty(cells));
});

describe("layoutResult (SURF-12)", () => {
  const rows = (n: number, note: string) => Array.from({ length: n }, (_, id) => ({ id, note }));
  const columns = ["id", "note"];

  it("takes whole rows while they fit", () => {
    const layout = layoutResult({ columns, keys: ["id"], rows: rows(10, "abc") }, 60, chars);
    expect(layout).toMatchObject({ shown: 8, clipped: [], dropped: [] });
  });

  it("clips at the largest length at which five rows fit", () => {
    const input = { columns, keys: ["id"], rows: rows(9, "x".repeat(1000)) };
    const layout = layoutResult(input, 1200, chars);
    expect(layout.clipped).toEqual(["note"]);
    expect(layout.lines[0]).toBe(`0\t${"x".repeat(200)}… (+800)`);
    expect(layout.shown).toBe(5);
  });

  it.each<[string, unknown, string]>([
    ["text", "x".repeat(12_300), "<text/plain 12 kB>"],
    ["little of it", "x", "<text/plain 1 kB>"],
    ["nothing", null, ""],
    ["no text", "", '""'],
    [
      "a file that says what it is",
      { __plasm_attachment: { mime_type: "image/png", bytes_base64: "A".repeat(16_000) } },
      "<image/png 12 kB>",
    ],
    [
      "a file that does not",
      { __plasm_attachment: { uri: "plasm://x" } },
      "<text/plain plasm://x>",
    ],
  ])("RUN-038 reference_only shows what stands for %s", (_what, value, shown) => {
    const presented = new Map([
      ["note", { column: "note", as: "reference", media: "text/plain" } as const],
    ]);
    const input = { columns, keys: [], rows: [{ id: 1, note: value as Json }], presented };
    const layout = layoutResult(input, 100, chars);
    expect(layout.lines).toEqual([`1\t${shown}`]);
    expect(layout.referenced).toEqual(/^<.* kB>$/.test(shown) ? ["note"] : []);
  });

  it("RUN-038 clips lossy columns before any other", () => {
    const presented = new Map([["note", { column: "note", as: "lossy" } as const]]);
    const two = Array.from({ length: 5 }, () => ({ id: "k".repeat(100), note: "x".repeat(900) }));
    const at = (budget: number) => {
      const [line = ""] = layoutResult(
        { columns, keys: [], rows: two, presented },
        budget,
        chars,
      ).lines;
      return line.split("\t").map((cell) => /^.*(?=…)|.*/.exec(cell)?.[0].length);
    };
    expect([6_000, 2_000, 800, 500].map(at)).toEqual([
      [100, 900],
      [100, 200],
      [100, 25],
      [50, 25],
    ]);
  });

  it("drops columns from the right, keys last, when one row does not fit", () => {
    const wide = { id: "k".repeat(30), a: "a".repeat(30), b: "b".repeat(30) };
    const input = { columns: ["a", "id", "b"], keys: ["id"], rows: [wide, wide] };
    const layout = layoutResult(input, 50, chars);
    expect(layout).toMatchObject({ dropped: ["a", "b"], header: "id", shown: 1 });
  });

  it("P16 shows a row if there is one, and names every clipped or dropped column", () =>
    assertProperty(layouts));

  it("P16 counts no more of a cell of a megabyte than shows that it does not fit", () => {
    let counted = 0;
    const counting = (text: string): number => {
      counted += text.length;
      return text.length;
    };
    const input = { columns, keys: ["id"], rows: rows(20, "x".repeat(1_000_000)) };
    expect(layoutResult(input, 4_000, counting)).toMatchObject({ shown: 9, clipped: ["note"] });
    expect(counted).toBeLessThan(100_000);
  });

  it("gives each result its share, and what one leaves to the next (SURF-11)", () => {
    const small = { columns, keys: [], rows: rows(1, "a") };
    const large = { columns, keys: [], rows: rows(100, "abcdefgh") };
    const [first, second] = layoutResults([small, large], 1_000, chars);
    expect(first?.shown).toBe(1);
    expect(second?.tokens).toBeGreaterThan(700);
  });
});

describe("resultBlock", () => {
  const layout = {
    header: "id\tspecies\tnote",
    rows: [],
    lines: ["7\tquince\tplanted", "9\tpear\t"],
    shown: 2,
    clipped: ["note"],
    dropped: [],
    referenced: [],
    files: [],
    tokens: 10,
  };

  it("prints SURF-12's example", () => {
    const handles = { snapshot: "plasm://session/s0/r/3", rest: "s0_pg2", next: "s0_pg1" };
    expect(resultBlock(head, layout, handles)).toBe(
      [
        "old · 40 rows",
        "```tsv",
        "id\tspecies\tnote",
        "7\tquince\tplanted",
        "9\tpear\t",
        "```",
        "38 rows left out, note clipped · all: plasm://session/s0/r/3 · rest: page(s0_pg2) · next: page(s0_pg1)",
      ].join("\n"),
    );
  });

  it("SURF-5: says first what a diagnostic made it lack", () => {
    const lacking = "source_failed at row 3: not_found: Boat:b4 does not exist.";
    const handles = { snapshot: null, rest: null, next: "s0_pg1" };
    const whole = { ...layout, clipped: [] };
    const partial = { ...head, rows: 2, partial: "source_failed", lacking };
    const lines = resultBlock(partial, whole, handles).split("\n");
    expect([lines[0], lines.at(-1)]).toEqual([
      "old · 2 rows, partial (source_failed)",
      `${lacking} · next: page(s0_pg1)`,
    ]);
  });

  it("names columns by reference, and where their values are (RUN-038)", () => {
    const shown = { ...layout, clipped: [], referenced: ["note"] };
    const handles = { snapshot: "plasm://session/s0/r/3", rest: null, next: null };
    const text = resultBlock({ ...head, rows: 2 }, shown, handles);
    expect(text.split("\n").at(-1)).toBe("note by reference · all: plasm://session/s0/r/3");
  });

  it("VAL-04: says how a program passes a file on", () => {
    const columns = ["id", "content"];
    const file = {
      size: 104_857_600,
      mime_type: "a/b",
      uri: `plasm://session/s0/a/${"0".repeat(64)}`,
    };
    const rows = [{ id: 1, content: { __plasm_attachment: file } }];
    const shown = layoutResult({ columns, keys: ["id"], rows }, 200, chars);
    expect(shown).toMatchObject({ files: ["content"], rows, referenced: [], clipped: [] });
    const handles = { ...none, snapshot: "plasm://session/s0/r/3", kept: "s0_r3" };
    const text = resultBlock({ ...head, rows: 1 }, shown, handles);
    expect(text.split("\n").at(-1)).toBe("to pass on: kept(s0_r3, content)");
  });

  it("leaves the remark out when nothing is missing (SURF-14)", () => {
    const whole = { ...layout, clipped: [] };
    expect(resultBlock({ ...head, rows: 2 }, whole, none).split("\n")).toHaveLength(6);
  });

  it("marks partial results, pages and columns not loaded (SURF-13)", () => {
    const partial = { ...head, rows: 10_000, partial: "rows" };
    expect(resultBlock(partial, layout, none)).toMatch(/^old · 10000 rows, partial \(rows\)\n/);
    const page = { ...head, range: { first: 41, last: 80 }, notLoaded: ["note", "meta"] };
    const text = resultBlock(page, { ...layout, clipped: [], shown: 40 }, none);
    expect(text).toMatch(/^old · rows 41-80\n/);
    expect(text).toMatch(/not loaded: note, meta$/);
  });

  it("of rows of which nothing was loaded there is no table, but the remark (SURF-13)", () => {
    const blank = { ...layout, header: "", lines: ["", ""], clipped: [] };
    const nothing = { ...head, rows: 2, notLoaded: ["note"] };
    expect(resultBlock(nothing, blank, none)).toBe("old · 2 rows\nnot loaded: note");
  });

  it("names the snapshot whose place a whole result takes (PLAN-080)", () => {
    const anew = { ...head, rows: 1, partial: "pages", replaces: "r/1" };
    expect(resultBlock(anew, layout, none)).toMatch(
      /^old · 1 row, partial \(pages\) · replaces: r\/1\n/,
    );
  });

  it("uses a fence that no data can close", () => {
    expect(fenceFor("a")).toBe("```");
    expect(fenceFor("x ```` y")).toBe("`````");
  });
});

const failed: RunDiagnostic = {
  code: "source_failed",
  node: "n2",
  row: 3,
  count: 2,
  detail: "not_found: Boat:b4 does not exist.",
};
const odd: RunDiagnostic = { code: "path_type", node: "n1", count: 1, detail: "a is text" };

it.each<[string, RunResult["partial"], readonly RunDiagnostic[], string | null]>([
  ["nothing of a whole result", null, [odd], null],
  ["nothing of one that a budget cut", "pages", [failed], null],
  [
    "which row, how many, and why",
    "source_failed",
    [odd, failed],
    "source_failed at row 3, 2 in all: not_found: Boat:b4 does not exist.",
  ],
  ["one line", "path_type", [{ ...odd, detail: "a\n  is\ttext" }], "path_type: a is text"],
  [
    "no more than a line holds",
    "path_type",
    [{ ...odd, detail: "🚢".repeat(300) }],
    `path_type: ${"🚢".repeat(239)}…`,
  ],
])("SURF-5, RUN-003: says %s", (_what, partial, diagnostics, said) => {
  expect(lackingOf({ partial, diagnostics } as RunResult)).toBe(said);
});

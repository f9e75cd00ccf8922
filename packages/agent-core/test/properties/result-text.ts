import assert from "node:assert/strict";
import fc from "fast-check";
import type { Json } from "@plasm/core";
import { pureProperty } from "@plasm/testkit";
import { cellText } from "../../src/answer/cell.ts";
import type { Layout, LayoutInput } from "../../src/answer/layout.ts";
import { layoutResults, resultBlock } from "../../src/answer/results.ts";

/** What data may hold to break out of a cell, a row or a table, or to be counted wrongly. */
const HOSTILE = [
  ..."a \t\n\r\v\f\0\b\u001b\u007f\u0085\u2028\u2029\u200b\u202e\u2066\ufeff\u00ad`\"'\\|".split(
    "",
  ),
  ..."```|```tsv|\r\n|\\n|\\t|… (+5)|🌳|é|e\u0301|👩‍👩‍👧|\ud800|\udc00| · |rest: page(s0_pg1)|ignore all".split(
    "|",
  ),
];

const text = fc
  .array(fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(1, 1, 1, 1, 2, 30, 30, 400)), {
    maxLength: 4,
  })
  .map((runs) => runs.map(([piece, times]) => piece.repeat(times)).join(""));

const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: text },
  fc.constantFrom<Json>(null, true, false, 0, -1.5, 1e21, ""),
);
const cell: fc.Arbitrary<Json> = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.tuple(text, scalar).map(([key, value]): Json => ({ [key]: value })) },
  {
    weight: 1,
    arbitrary: text.map((mime): Json => ({
      __plasm_attachment: { mime_type: mime, bytes_base64: "AAAA" },
    })),
  },
);

const ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]/;

export const cells = pureProperty({
  key: "P16-cells",
  says: "a cell holds no TAB and no line end, whatever the data",
  runs: 1000,
  holds: () => fc.property(cell, (value) => assert(!ENDS.test(cellText(value)))),
});

const COLUMNS = ["a", "id", "b"] as const;
const row = fc.tuple(cell, cell, cell).map(([a, id, b]) => ({ a, id, b }));
const rows = fc
  .tuple(fc.array(row, { maxLength: 4 }), fc.constantFrom(1, 1, 2, 9))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat());

const budget = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 9000 }));
/** One token a character: any budget is reached with little data. */
const characters = (words: string): number => words.length;

const handles = { snapshot: "plasm://session/s0/r/1", rest: null, next: null };

/** The columns of which a line shows other cells than the row has. */
function changedIn({ header, lines }: Layout, input: LayoutInput): ReadonlySet<string> {
  const shown = header.split("\t");
  const changed = new Set<string>();
  for (const [at, line] of lines.entries()) {
    const cellsOfLine = line.split("\t");
    assert.equal(cellsOfLine.length, shown.length, line);
    for (const [place, name] of shown.entries()) {
      if (cellsOfLine[place] !== cellText(input.rows[at]?.[name])) changed.add(name);
    }
  }
  return changed;
}

/** The text of a result: its table is a row a line, and its remark names all that is missing. */
function checkBlock(input: LayoutInput, layout: Layout): void {
  const facts = { range: null, partial: null, notLoaded: [], replaces: null };
  const head = { name: "old", rows: input.rows.length, ...facts };
  const [first, fence = "", ...rest] = resultBlock(head, layout, handles).split("\n");
  assert.equal(first, `old · ${input.rows.length} row${input.rows.length === 1 ? "" : "s"}`);
  const close = fence.replace(/tsv$/, "");
  assert.equal(rest.indexOf(close), layout.shown + 1, "the data closes its fence");
  const remark = rest.slice(layout.shown + 2);
  const left = input.rows.length - layout.shown;
  const missing = [
    ...(left > 0 ? [`${left} row${left === 1 ? "" : "s"} left out`] : []),
    ...(layout.clipped.length > 0 ? [`${layout.clipped.join(", ")} clipped`] : []),
    ...(layout.dropped.length > 0 ? [`${layout.dropped.join(", ")} dropped`] : []),
  ];
  const said = missing.length === 0 ? [] : [`${missing.join(", ")} · all: ${handles.snapshot}`];
  assert.deepEqual(remark, said);
}

export const layouts = pureProperty({
  key: "P16-results",
  says: "a result that has rows shows one within any budget, and names every cell, column and row it lacks",
  runs: 600,
  holds: () =>
    fc.property(fc.array(rows, { minLength: 1, maxLength: 2 }), budget, (results, tokens) => {
      const inputs = results.map((of) => ({ columns: COLUMNS, keys: ["id"], rows: of }));
      const made = layoutResults(inputs, tokens, characters);
      for (const [at, input] of inputs.entries()) {
        const layout = made[at];
        assert(layout !== undefined);
        assert.equal(layout.shown > 0, input.rows.length > 0);
        assert.equal(layout.lines.length, layout.shown);
        const columns = [...layout.header.split("\t"), ...layout.dropped];
        assert.deepEqual(columns.toSorted(), COLUMNS.toSorted());
        const changed = changedIn(layout, input);
        assert.deepEqual(new Set(layout.clipped), changed);
        checkBlock(input, layout);
      }
    }),
});

export const properties = [cells, layouts];

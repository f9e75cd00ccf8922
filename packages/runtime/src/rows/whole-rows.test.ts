import fc from "fast-check";
import type { Json, ValueType } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { type AggregateFn, aggregateRows, groupRows, type RowAggregate } from "./aggregate-rows.ts";
import { atOnce } from "../base/turns.ts";
import { distinctInSteps } from "../run/compute-node.ts";
import { type Row, rowColumn, type RowColumn } from "./row.ts";
import { sortRows } from "./sort-rows.ts";

const distinctRows = (...given: Parameters<typeof distinctInSteps>): readonly Row[] =>
  atOnce(distinctInSteps(...given));

const number: ValueType = { kind: "number" };
const text: ValueType = { kind: "string", semantics: "short" };
const date: ValueType = { kind: "date", format: "rfc3339" };
const unix: ValueType = { kind: "date", format: "unix_ms" };
const json: ValueType = { kind: "json" };
const boolean: ValueType = { kind: "boolean" };
const ref: ValueType = { kind: "entity_ref", target: "Boat" };

type Cells = Readonly<Record<string, Json>>;

const rowsOf = (all: readonly Cells[], types: Readonly<Record<string, ValueType>>): Row[] =>
  all.map((cells) => ({
    base: null,
    cells: new Map(Object.entries(cells)),
    joined: new Map(),
    types: new Map(Object.entries(types)),
  }));

const column = (name: string, type: ValueType): RowColumn =>
  rowColumn({ cgs: null, entity: null, types: new Map([[name, type]]) }, [name]);

const cellsOf = (row: Row): Cells => Object.fromEntries(row.cells ?? []);

/** What is told of cells that do not fit. */
function notes() {
  const told: string[] = [];
  const unfit = (name: string, expected: string, _cell: Json, row: number): void => {
    told.push(`${name} ${row}: not ${expected}`);
  };
  return { told, unfit };
}

/** Cells of one column `v`, of a type. */
const column1 = (cells: readonly Json[], type: ValueType): Row[] =>
  rowsOf(
    cells.map((v, i) => ({ v, i })),
    { v: type },
  );

describe("LANG-066: aggregates", () => {
  const fold = (fn: AggregateFn, cells: readonly Json[], type: ValueType) => {
    const { told, unfit } = notes();
    const aggs = [{ as: "x", fn, column: column("v", type) }];
    const row = aggregateRows(column1(cells, type), aggs, unfit);
    return [row.cells?.get("x"), told.length];
  };

  test.each<[AggregateFn, ValueType, readonly Json[], Json, number]>([
    ["count", number, [1, null, "2.5", 0], 3, 0],
    ["count", number, [1, "heavy"], 1, 1],
    ["count", json, [1, "heavy", { a: 1 }, null, false], 4, 0],
    ["sum", number, [0.1, 0.2, null], 0.3, 0],
    ["sum", number, ["9007199254740993", 0.5], "9007199254740993.5", 0],
    ["sum", number, [1, "heavy", 2], 3, 1],
    ["sum", json, [1, "2.5", "heavy", true, [1], null], 3.5, 3],
    ["avg", number, [1, null, 2], 1.5, 0],
    ["avg", number, [1, 1, 0], 0.666666666666667, 0],
    ["avg", number, ["9007199254740993", "9007199254740993"], "9007199254740993", 0],
    ["avg", number, [4, "heavy"], 4, 1],
    ["min", number, [3, "2.50", null, 10], "2.50", 0],
    ["max", number, [3, "12345678901234567890", 10], "12345678901234567890", 0],
    ["min", text, ["b", "B", "10", "9", null], "10", 0],
    ["max", text, ["\u{1F6A4}", "\uFB01"], "\u{1F6A4}", 0],
    ["min", date, ["2026-01-05", "2026-01-05T01:30:00+02:00"], "2026-01-05T01:30:00+02:00", 0],
    ["max", date, ["2026-01-05", "soon", null], "2026-01-05", 1],
    ["max", unix, [1_700_000_000_000, 1_600_000_000_000], 1_700_000_000_000, 0],
    ["max", json, [3, "10", true, null], "10", 1],
  ])("%s of %j %j is %j, %i do not fit", (fn, type, cells, expected, misfits) => {
    expect(fold(fn, cells, type)).toEqual([expected, misfits]);
  });

  test("C-089: of no rows, count and sum are 0, others null", () => {
    const functions: readonly AggregateFn[] = ["count", "sum", "avg", "min", "max"];
    for (const cells of [[], [null, null]]) {
      expect(functions.map((fn) => fold(fn, cells, number)[0])).toEqual([0, 0, null, null, null]);
    }
  });

  test("count without a column is the number of rows", () => {
    const aggs: RowAggregate[] = [{ as: "n", fn: "count", column: null }];
    const { unfit } = notes();
    expect(cellsOf(aggregateRows(column1([null, 1, "x"], number), aggs, unfit))).toEqual({ n: 3 });
  });

  test("a cell that does not fit is told once, with its row and what it should be", () => {
    const { told, unfit } = notes();
    aggregateRows(
      column1([1, "heavy"], number),
      [{ as: "s", fn: "sum", column: column("v", number) }],
      unfit,
    );
    expect(told).toEqual(["v 1: not a number"]);
  });

  test("of equal cells the first is the least and the greatest, as it stands", () => {
    for (const fn of ["min", "max"] as const) {
      expect(fold(fn, [0, -0], number)).toEqual([0, 0]);
      expect(fold(fn, [-0, 0], number)).toEqual([-0, 0]);
      expect(fold(fn, ["2.50", 2.5], number)).toEqual(["2.50", 0]);
    }
  });

  test("the sum does not depend on the order of the rows", () => {
    const cell = fc.oneof(
      // Of equal cells the first is the least, as it stands: -0 is drawn by none.
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((drawn) => drawn + 0),
      fc.constantFrom<Json>(null, "0.1", "12345678901234567890", "x", 1e300, -1e300),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 30 }), fc.func(fc.integer()), (cells, rank) => {
        const shuffled = cells.toSorted((a, b) => rank(a) - rank(b));
        for (const fn of ["sum", "avg", "min", "max", "count"] as const) {
          expect(fold(fn, shuffled, number)).toEqual(fold(fn, cells, number));
        }
      }),
    );
  });
});

describe("LANG-061, LANG-065: groups", () => {
  const group = (rows: readonly Cells[], types: Readonly<Record<string, ValueType>>) => {
    const { told, unfit } = notes();
    const keys = Object.entries(types).map(([name, type]) => column(name, type));
    const made = groupRows(
      rowsOf(rows, types),
      keys,
      [{ as: "n", fn: "count", column: null }],
      unfit,
    );
    return { rows: made.map(cellsOf), told, types: made[0]?.types };
  };

  test("C-088: in order of first appearance; null is one group", () => {
    const states = ["moored", null, "lost", "moored", null].map((state) => ({ state }));
    expect(group(states, { state: text }).rows).toEqual([
      { state: "moored", n: 2 },
      { state: null, n: 2 },
      { state: "lost", n: 1 },
    ]);
  });

  test.each<[string, ValueType, readonly Json[], readonly (readonly [Json, number])[]]>([
    [
      '1 and "1" differ',
      json,
      [1, "1", 1, "1.0"],
      [
        [1, 2],
        ["1", 1],
        ["1.0", 1],
      ],
    ],
    ["a number and its decimal text are one", number, [1, "1.0", "1e0"], [[1, 3]]],
    ["dates are instants", date, ["2026-01-05", "2026-01-05T00:00Z"], [["2026-01-05", 2]]],
    ["references go by key", ref, [7, "7", { id: 7 }], [[7, 3]]],
    [
      "false is not null",
      boolean,
      [false, null, true, false],
      [
        [false, 2],
        [null, 1],
        [true, 1],
      ],
    ],
    [
      "objects have no order",
      json,
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[{ a: 1, b: 2 }, 2]],
    ],
    [
      "empty text is not null",
      text,
      ["", null],
      [
        ["", 1],
        [null, 1],
      ],
    ],
  ])("%s", (_name, type, cells, expected) => {
    const { rows } = group(
      cells.map((k) => ({ k })),
      { k: type },
    );
    expect(rows).toEqual(expected.map(([k, n]) => ({ k, n })));
  });

  test("what does not fit is null, and said", () => {
    const { rows, told } = group([{ k: 1 }, { k: "heavy" }, { k: null }], { k: number });
    expect(rows).toEqual([
      { k: 1, n: 1 },
      { k: null, n: 2 },
    ]);
    expect(told).toEqual(["k 1: not a number"]);
  });

  test("several keys: no two combinations meet", () => {
    const pairs: readonly Cells[] = [
      { a: "x", b: "1:y" },
      { a: "x1", b: ":y" },
      { a: null, b: "" },
      { a: "", b: null },
      { a: "x", b: "1:y" },
    ];
    expect(group(pairs, { a: text, b: text }).rows.map(({ n }) => n)).toEqual([2, 1, 1, 1]);
  });

  test("columns keep their types", () => {
    const { types } = group([{ k: 1_700_000_000_000 }], { k: unix });
    expect(types?.get("k")).toEqual(unix);
    expect(types?.get("n")).toEqual({ kind: "integer" });
  });

  const cell = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
    fc.constantFrom<Json>(null, 1, "1", "1.0", "2026-01-05", "2026-01-05T00:00Z"),
  );
  const anyType = fc.constantFrom(number, text, date, json, ref);

  test("Σn of the groups is the count of rows", () => {
    fc.assert(
      fc.property(fc.array(cell), anyType, (cells, type) => {
        const { rows } = group(
          cells.map((k) => ({ k })),
          { k: type },
        );
        expect(rows.reduce((sum, { n }) => sum + Number(n), 0)).toBe(cells.length);
      }),
    );
  });

  const values = (rows: readonly Row[]) => rows.map((row) => row.cells?.get("i"));
  const quiet = (): void => undefined;

  test("distinct keeps the first of each group, and once is enough", () => {
    fc.assert(
      fc.property(fc.array(cell), anyType, (cells, type) => {
        const rows = column1(cells, type);
        const by = [column("v", type)];
        const once = distinctRows(rows, by, quiet);
        expect(values(distinctRows(once, by, quiet))).toEqual(values(once));
        expect(once).toHaveLength(groupRows(rows, by, [], quiet).length);
        expect(values(once)).toEqual(values(once).toSorted((a, b) => Number(a) - Number(b)));
      }),
    );
  });

  test("rows of one group lie together when sorted by its key, in their order", () => {
    fc.assert(
      fc.property(fc.array(cell), anyType, fc.boolean(), (cells, type, desc) => {
        const rows = column1(cells, type);
        const by = [column("v", type)];
        const sorted = sortRows(
          rows,
          by.map((each) => ({ column: each, desc })),
          quiet,
        );
        expect(distinctRows(sorted, by, quiet)).toHaveLength(distinctRows(rows, by, quiet).length);
        const runs = groupRows(
          sorted,
          by,
          [{ as: "first", fn: "min", column: column("i", number) }],
          quiet,
        );
        const ofRows = groupRows(
          rows,
          by,
          [{ as: "first", fn: "min", column: column("i", number) }],
          quiet,
        );
        const firsts = (made: readonly Row[]) =>
          new Set(made.map(({ cells: own }) => own?.get("first")));
        expect(firsts(runs)).toEqual(firsts(ofRows));
      }),
    );
  });
});

describe("LANG-065: sort", () => {
  const quiet = (): void => undefined;
  const order = (cells: readonly Json[], type: ValueType, desc = false) =>
    sortRows(column1(cells, type), [{ column: column("v", type), desc }], quiet).map((row) =>
      row.cells?.get("v"),
    );

  test("json: booleans, numbers, text, then others; nulls last both ways", () => {
    const cells = ["b", null, 10, { a: 1 }, true, 9, "B", false];
    expect(order(cells, json)).toEqual([false, true, 9, 10, "B", "b", { a: 1 }, null]);
    expect(order(cells, json, true)).toEqual([{ a: 1 }, "b", "B", 10, 9, true, false, null]);
  });

  test("C-084: numbers and decimal text numerically, text by code point, dates by instant", () => {
    expect(order([10, "9.5", "12345678901234567890", 1e19, "2"], number)).toEqual([
      "2",
      "9.5",
      10,
      1e19,
      "12345678901234567890",
    ]);
    expect(order(["9", "10", "\u{1F6A4}", "\uFB01"], text)).toEqual([
      "10",
      "9",
      "\uFB01",
      "\u{1F6A4}",
    ]);
    expect(order(["2026-01-05T01:00:00+02:00", "2026-01-04T22:00:00Z"], date)).toEqual([
      "2026-01-04T22:00:00Z",
      "2026-01-05T01:00:00+02:00",
    ]);
  });

  test("C-083: nulls are last in each key, desc keeps ties in order", () => {
    const rows = rowsOf(
      [
        { a: "x", b: 1, i: 0 },
        { a: null, b: 5, i: 1 },
        { a: "x", b: null, i: 2 },
        { a: "w", b: 1, i: 3 },
        { a: "x", b: 1, i: 4 },
        { a: null, b: null, i: 5 },
        { a: "x", b: 2, i: 6 },
      ],
      {},
    );
    const sorted = sortRows(
      rows,
      [
        { column: column("a", text), desc: false },
        { column: column("b", number), desc: true },
      ],
      quiet,
    );
    expect(sorted.map((row) => row.cells?.get("i"))).toEqual([3, 6, 0, 4, 2, 1, 5]);
  });

  test("it is stable, and sorting twice changes nothing", () => {
    const cell = fc.constantFrom<Json>(null, true, false, 1, "1", "1.0", 2, "x", { a: 1 });
    fc.assert(
      fc.property(
        fc.array(cell, { maxLength: 20 }),
        fc.constantFrom(number, text, json, date),
        fc.boolean(),
        (cells, type, desc) => {
          const by = [{ column: column("v", type), desc }];
          const sorted = sortRows(column1(cells, type), by, quiet);
          expect(sortRows(sorted, by, quiet)).toEqual(sorted);
          const places = new Map<string, number>();
          for (const row of sorted) {
            const group = JSON.stringify(row.cells?.get("v"));
            const at = Number(row.cells?.get("i"));
            expect(at).toBeGreaterThan(places.get(group) ?? -1);
            places.set(group, at);
          }
        },
      ),
    );
  });
});

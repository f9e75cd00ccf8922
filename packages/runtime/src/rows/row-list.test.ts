import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@plasm/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntityRow } from "../decode/entity-row.ts";
import { RowMemory, rowLimits, type RunMemory } from "../limits/row-memory.ts";
import { atOnce } from "../base/turns.ts";
import { keepAsItIs, RowPacker } from "./packed-row.ts";
import { holdRows, LaterRows, OrderedRows, RowList } from "./row-list.ts";
import { type Row, wholeRow } from "./row.ts";
import { openShelf, openSpillPlace, type Shelf, spilledBytes } from "./shelf.ts";

const MIB = 1024 * 1024;

const openMemory = (): RunMemory => new RowMemory(rowLimits({}, 1024 * MIB)).open("a");

/** The row of an entity: its reference is said by its field, as APIs mostly have it. */
const parcel = (at: number, over: Partial<EntityRow> = {}): EntityRow => ({
  entryId: "parcels",
  entity: "Parcel",
  identity: { key: { id: `p${at}` }, text: `Parcel:p${at}` },
  ambient: { shelf: "x", id: `p${at}` },
  fields: new Map<string, Json>([
    ["id", `p${at}`],
    ["size", at % 7 === 0 ? null : at / 4],
    ["note", `näme, "${at}" \u{1F6A4}`],
    ["owner", `o${at % 3}`],
  ]),
  references: new Map([
    [
      "owner",
      { identity: { key: { id: `o${at % 3}` }, text: `Owner:o${at % 3}` }, embedded: null },
    ],
  ]),
  edges: new Map(),
  loadedBy: new Set(),
  wire: null,
  ...over,
});

const parcels = (count: number): Row[] =>
  Array.from({ length: count }, (_none, at) => wholeRow(parcel(at)));

function listOf(rows: readonly Row[], shelf: Shelf = openShelf(openMemory(), null)): RowList {
  const list = new RowList(shelf);
  for (let at = 0; at < rows.length; at += 700) atOnce(list.add(rows.slice(at, at + 700)));
  return list;
}

describe("18.6 rows come back from their packed form as they were", () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constantFrom(null, "", "__proto__", "a:b", "é\u2028\u{1F6A4}"),
  );
  const json: fc.Arbitrary<Json> = fc.oneof(
    scalar,
    fc.array(scalar),
    fc.dictionary(fc.string(), scalar, { noNullPrototype: true }),
  );
  const name = fc.constantFrom("id", "name", "size", "owner", "__proto__", "a.b", "0");
  const cells = fc.uniqueArray(fc.tuple(name, json), { selector: ([key]) => key });
  const key = fc.dictionary(fc.constantFrom("id", "part", "2"), fc.string({ minLength: 1 }), {
    minKeys: 1,
    noNullPrototype: true,
  });
  const identity = key.map((parts) => {
    const [first] = Object.values(parts);
    // Of several parts the text is another; such a row stays as it is unless it fits.
    return { key: parts, text: `Boat:${first}` };
  });
  const entity = fc.record(
    {
      entryId: fc.constantFrom("quay", "yard"),
      entity: fc.constant("Boat"),
      identity: fc.option(identity),
      ambient: fc.dictionary(fc.constantFrom("id", "scope", "__proto__"), scalar, {
        noNullPrototype: true,
      }),
      fields: cells.map((all) => new Map(all)),
      references: fc
        .uniqueArray(fc.tuple(name, fc.option(identity)), { selector: ([at]) => at })
        .map((all) => new Map(all.map(([at, to]) => [at, to && { identity: to, embedded: null }]))),
      edges: fc.constantFrom(new Map(), new Map([["parts", []]])),
      loadedBy: fc.constantFrom(new Set<string>(), new Set(["boat_get"])),
      wire: fc.constant<Json>(null),
    },
    { noNullPrototype: true },
  );
  const joined = parcel(1);
  const types = new Map([["size", { kind: "number" } as const]]);
  const row: fc.Arbitrary<Row> = fc.record(
    {
      base: fc.option(entity),
      cells: fc.option(cells.map((all) => new Map(all))),
      joined: fc.constantFrom(new Map(), new Map([["owner", joined]]), new Map([["owner", null]])),
      types: fc.constant(types),
      name: fc.string(),
    },
    { requiredKeys: ["base", "cells", "joined"], noNullPrototype: true },
  );

  test("whatever stands in them, or they are not packed (fast-check)", () => {
    let packed = 0;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
        const packer = new RowPacker();
        for (const each of rows) {
          const text = packer.pack(each);
          if (text === null) continue;
          packed += 1;
          expect(packer.unpack(JSON.parse(text) as Json[])).toStrictEqual(each);
        }
      }),
    );
    expect(packed).toBeGreaterThan(50);
  });

  test("names of columns that objects have of their own are no others", () => {
    const base = parcel(1, { fields: new Map<string, Json>([["__proto__", { x: 1 }]]) });
    const packer = new RowPacker();
    const text = packer.pack(wholeRow(base));
    expect(packer.unpack(JSON.parse(text ?? "null") as Json[]).base?.fields).toEqual(base.fields);
  });

  test("rows that are being completed, or have rows in them, are not packed", () => {
    const packer = new RowPacker();
    const row = parcel(1);
    keepAsItIs(row);
    expect(packer.pack(wholeRow(row))).toBeNull();
    expect(packer.pack(wholeRow(parcel(2)))).not.toBeNull();
    const inside = new Map([["parts", [parcel(3)]]]);
    expect(packer.pack(wholeRow(parcel(4, { edges: inside })))).toBeNull();
    const embedded = new Map([
      ["owner", { identity: parcel(5).identity ?? never(), embedded: parcel(5) }],
    ]);
    expect(packer.pack(wholeRow(parcel(6, { references: embedded })))).toBeNull();
  });
});

const never = (): never => {
  throw new Error("not reached");
};

describe("18.6 a list of many rows is read as one of few", () => {
  const all = parcels(5_000);
  const list = listOf(all);

  test("as a whole, in parts, and one by one", () => {
    expect(list).toHaveLength(5_000);
    expect([...list]).toEqual(all);
    for (const [from, to] of [
      [0, 3],
      [510, 1_030],
      [1_023, 1_024],
      [4_990, 6_000],
      [5_000, 5_001],
      [7, 3],
    ] as const) {
      expect(list.slice(from, to)).toEqual(all.slice(from, to));
    }
    expect([0, 511, 512, 4_999, 5_000, -1].map((at) => list.at(at))).toEqual([
      all[0],
      all[511],
      all[512],
      all[4_999],
      undefined,
      undefined,
    ]);
    expect(list.at(0)).not.toBe(all[0]);
  });

  test("rows that are held for being completed stay what they are", () => {
    const own = listOf(parcels(5_000));
    const [held, ...others] = atOnce(holdRows(own, ({ base }) => base?.fields.get("id") === "p40"));
    expect(others).toEqual([]);
    held?.base?.fields.set("city", "Oslo");
    expect(own.at(40)).toBe(held);
    expect([...own][40]?.base?.fields.get("city")).toBe("Oslo");
  });

  test("rows of other forms stay among those that are packed", () => {
    const rows = parcels(5_000);
    const odd = wholeRow(parcel(600, { loadedBy: new Set(["parcel_get"]) }));
    rows[600] = odd;
    const own = listOf(rows);
    expect(own.at(600)).toBe(odd);
    expect([...own]).toEqual(rows);
  });

  test("rows behind the first ones, as far as the list had come", () => {
    const own = listOf(all);
    const later = new LaterRows(own, 700);
    atOnce(own.add(parcels(3)));
    expect([...later]).toEqual(all.slice(700));
    expect(later).toHaveLength(4_300);
    expect(later.slice(0, 2)).toEqual(all.slice(700, 702));
    expect([0, 4_299, 4_300, -1].map((at) => later.at(at))).toEqual([
      all[700],
      all[4_999],
      undefined,
      undefined,
    ]);
    expect([...new LaterRows(own, 6_000)]).toEqual([]);
  });

  test("rows in an order of their own", () => {
    const order = Uint32Array.from({ length: 5_000 }, (_none, at) => 4_999 - at);
    const reversed = new OrderedRows(list, order);
    expect([...reversed]).toEqual(all.toReversed());
    expect(reversed.slice(2, 5)).toEqual(all.toReversed().slice(2, 5));
    const [first] = atOnce(holdRows(reversed, ({ base }) => base?.fields.get("owner") === "o0"));
    expect(first).toBe(reversed.at(1));
  });
});

describe("18.6 rows beyond a few MB go into a file", () => {
  const directory = mkdtempSync(join(tmpdir(), "plasm-spill-"));
  const place = openSpillPlace(join(directory, "spill"), 64 * MIB) ?? never();
  const rows = Array.from({ length: 9_000 }, (_none, at) =>
    wholeRow(parcel(at, { fields: new Map([["note", `${at} ${"n".repeat(1_000)}`]]) })),
  );

  test("which nobody can open, and which ends with the run", () => {
    const memory = openMemory();
    const shelf = openShelf(memory, place);
    const list = listOf(rows, shelf);
    expect(spilledBytes()).toBeGreaterThan(3 * MIB);
    expect([...list]).toEqual(rows);
    expect(list.at(4_000)).toEqual(rows[4_000]);
    expect(readdirSync(place.directory)).toEqual([]);
    expect(statSync(place.directory).mode & 0o077).toBe(0);
    shelf.close();
    expect(spilledBytes()).toBe(0);
    expect(() => list.at(8_000 - 1_024)).toThrow("after their run");
  });

  test("unless the place is full or gone: then they stay in memory, and are counted", () => {
    for (const other of [{ ...place, most: 1 }, { ...place, directory: "/nowhere/at/all" }, null]) {
      const run = new RowMemory(rowLimits({}, 1024 * MIB));
      const memory = run.open("a");
      memory.note(32 * MIB);
      const shelf = openShelf(memory, other);
      const list = new RowList(shelf);
      atOnce(list.add(rows, 32 * MIB));
      expect(run.held()).toBeGreaterThan(10 * MIB);
      expect(list.at(7_000)).toEqual(rows[7_000]);
      shelf.close();
    }
  });

  test("what a process that was killed has left there is removed at the next start", () => {
    writeFileSync(join(place.directory, "999999999-00ff.rows"), "x");
    writeFileSync(join(place.directory, `${process.ppid}-00ff.rows`), "x");
    writeFileSync(join(place.directory, "notes.txt"), "x");
    openSpillPlace(place.directory, 1);
    expect(readdirSync(place.directory).toSorted()).toEqual(
      [`${process.ppid}-00ff.rows`, "notes.txt"].toSorted(),
    );
    expect(openSpillPlace(join(place.directory, "notes.txt"), 1)).toBeNull();
  });
});

test("18.6 what rows were counted as is given back once they are packed", () => {
  const all = new RowMemory(rowLimits({}, 1024 * MIB));
  const memory = all.open("a");
  memory.note(10_000 * 1_000);
  const list = new RowList(openShelf(memory, null));
  atOnce(list.add(parcels(10_000), 10_000 * 1_000));
  // The last rows are as they came; of the others there is their text.
  expect(all.held()).toBeGreaterThan(1_000_000);
  expect(all.held()).toBeLessThan(3_000_000);
});

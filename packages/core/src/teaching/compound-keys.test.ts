import { expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { rowFaults } from "../../test/row-faults.ts";
import { rowsOf, tableLines, teach, type TeachOptions } from "../../test/teach.ts";
import type { Catalog } from "../mapping/template.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { executableRows } from "../../test/executable-rows.ts";

const done = () => ({ output: { type: "side_effect", description: "done" } });

/** A yard whose parts are known by maker and number, and whose shelves by hall and row. */
function yard(more: Readonly<Record<string, CapabilitySpec>>): Catalog {
  return buildCatalog("yard", {
    entities: {
      Part: {
        key: ["maker", "no"],
        fields: { maker: "str", no: "int", note: "str" },
        relations: {
          twins: {
            target: "Part",
            cardinality: "many",
            materialize: {
              kind: "query_scoped_bindings",
              capability: "part_query",
              bindings: { maker: "maker" },
            },
          },
        },
      },
      Shelf: { key: ["hall", "row"], fields: { hall: "str", row: "int", best: "→Part" } },
    },
    capabilities: {
      part_query: { kind: "query", entity: "Part", params: { "maker?": "str" } },
      part_mend: { kind: "action", entity: "Part", more: done },
      part_move: { kind: "action", entity: "Part", params: { to: "→Shelf" }, more: done },
      shelf_query: { kind: "query", entity: "Shelf", params: { holds: "→Part" } },
      shelf_clear: { kind: "action", entity: "Shelf", more: done },
      ...more,
    },
  });
}

const gets: Readonly<Record<string, CapabilitySpec>> = {
  part_get: { kind: "get", entity: "Part" },
  shelf_get: { kind: "get", entity: "Shelf" },
};

/** Rows of both entities, in one wave or in two, without those of slots. */
function codeRows(catalog: Catalog, options: TeachOptions = {}, waves: 1 | 2 = 1) {
  const calls =
    waves === 1
      ? [[["yard", "Part", "Shelf"]] as const]
      : [[["yard", "Part"]], [["yard", "Shelf"]]];
  const taught = teach(new Map([["yard", catalog]]), calls as never, {
    notation: "names",
    ...options,
  });
  return taught.waves.map((wave) =>
    tableLines(wave).filter((line) => line.startsWith("Part") || line.startsWith("Shelf")),
  );
}

test("a compound key is written out where it reads, then once before a step, else left to $ (TEACH-14, TEACH-41)", () => {
  expect(codeRows(yard(gets))).toEqual([
    [
      "Part[maker,no,note]  [Part] · opt maker",
      "Part(maker=$, no=$)  Part",
      "Part(maker=$, no=$).twins  [Part]",
      "Part($).mend()  ()",
      "Part($).move(to=Shelf($))  ()",
      "Shelf{holds=Part($)}[hall,row,best]  [Shelf]",
      "Shelf(hall=$, row=$)  Shelf",
      "Shelf($).clear()  ()",
    ],
  ]);
});

test("a later wave knows which form was shown", () => {
  const [, second] = codeRows(yard(gets), {}, 2);
  expect(second).toEqual([
    "Shelf{holds=Part($)}[hall,row,best]  [Shelf]",
    "Shelf(hall=$, row=$)  Shelf",
    "Shelf($).clear()  ()",
  ]);
});

test("a key that no row of its entity reads by is written out in its first row, and elsewhere", () => {
  const [rows] = codeRows(yard({}));
  expect(rows).toEqual([
    "Part[maker,no,note]  [Part] · opt maker",
    "Part(maker=$, no=$).twins  [Part]",
    "Part($).mend()  ()",
    "Part($).move(to=Shelf(hall=$, row=$))  ()",
    "Shelf{holds=Part(maker=$, no=$)}[hall,row,best]  [Shelf]",
    "Shelf(hall=$, row=$).clear()  ()",
  ]);
  const policy = { apis: { yard: { deny: ["part_get"] } } };
  const [hidden] = codeRows(yard(gets), { policy });
  expect(hidden?.[1]).toBe("Part(maker=$, no=$).twins  [Part]");
  expect(hidden?.[4]).toBe("Shelf{holds=Part(maker=$, no=$)}[hall,row,best]  [Shelf]");
});

test("P20: a key left to $ plans like one written out, and alone is a placeholder (TEACH-19)", () => {
  const catalog = yard(gets);
  for (const notation of ["symbols", "names"] as const) {
    const exposure = { ...exposureOf([catalog]), notation };
    const brief = executableRows(exposure, ALL_FEATURES).filter(({ printed }) =>
      /\b(?:e\d|Part|Shelf)\(\$\)/.test(printed),
    );
    expect(brief).toHaveLength(4);
    expect(rowFaults(exposure, ALL_FEATURES)).toEqual([]);
  }
});

test("without a projection row, fields are taught only where a request takes them (TEACH-14, A15)", () => {
  const catalog = (shown: boolean) =>
    buildCatalog("yard", {
      entities: {
        Crane: {
          fields: { id: "str", load: "num", log: "markdown" },
          more: { domain_projection_examples: shown },
        },
      },
      capabilities: {
        crane_query: { kind: "query", entity: "Crane", params: { "load?": "num" } },
        crane_get: { kind: "get", entity: "Crane" },
      },
    });
  const [whole, brief] = [true, false].map((shown) => {
    const { waves } = teach(new Map([["yard", catalog(shown)]]), [[["yard", "Crane"]]]);
    return waves[0];
  });
  expect(rowsOf(whole).map(([left]) => left)).toEqual(["p1", "p2", "p3", "e1[p1,p2,p3]", "e1($)"]);
  expect(rowsOf(brief).map(([left]) => left)).toEqual(["p2", "e1", "e1($)"]);
  expect(brief?.p).toEqual(whole?.p);
  expect(brief?.parts).toEqual(whole?.parts);
});

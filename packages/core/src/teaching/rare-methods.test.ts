import { expect, test } from "vitest";
import { catalogDocuments, type CatalogSpec, loadDocuments } from "../../test/build-catalog.ts";
import { planOf } from "../../test/plan-of.ts";
import { tableLines } from "../../test/teach.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { exposeSeeds } from "./expose-seeds.ts";

const sideEffect = { output: { type: "side_effect", description: "done" } };

const BOATS: CatalogSpec = {
  entities: {
    Boat: { fields: { id: "str", name: "str", self_url: "str", hull_url: "str" } },
  },
  capabilities: {
    boat_query: { kind: "query", entity: "Boat", more: () => ({ detail: true }) },
    boat_get: { kind: "get", entity: "Boat", more: () => ({ detail: true }) },
    boat_create: { kind: "create", entity: "Boat" },
    boat_sink: { kind: "action", entity: "Boat", more: () => ({ ...sideEffect, detail: true }) },
    boat_paint: {
      kind: "action",
      entity: "Boat",
      more: (ref) => ({
        ...sideEffect,
        detail: true,
        input_schema: {
          input_type: {
            type: "object",
            fields: [{ name: "colour", value_ref: ref("str"), required: true }],
          },
        },
      }),
    },
  },
};

/** The boats, whose links are rarely read: the format says so at each field. */
function boats() {
  const { domain, mappings } = catalogDocuments(BOATS);
  const text = JSON.stringify(domain);
  const marked = text.replaceAll(
    /("(?:self|hull|id)_?(?:url)?":\{)("value_ref")/g,
    '$1"detail":true,$2',
  );
  return loadDocuments("quay", { domain: JSON.parse(marked), mappings });
}

const catalogs = new Map([["quay", boats()]]);
const opened = (notation: "names" | "symbols", inFull = false) =>
  exposeSeeds({
    catalogs,
    notation,
    policy: {},
    features: ALL_FEATURES,
    exposure: null,
    seeds: [{ entryId: "quay", entities: ["Boat"] }],
    inFull,
  });
const lastLine = (text = ""): string | undefined => text.trimEnd().split("\n").at(-1);

test("a table names methods that are rarely called, and counts fields that are rarely read (TEACH-57)", () => {
  const [wave] = opened("names").waves;
  expect(tableLines(wave)).toEqual([
    "id  str",
    "name  str",
    "Boat[id,name]  [Boat]",
    "Boat($)  Boat",
    "Boat.create()  Boat",
  ]);
  expect(lastLine(wave?.text)).toBe(
    "Boat also has 2 fields, methods paint, sink; detail:true with the seed shows them",
  );
  expect(lastLine(opened("symbols").waves[0]?.text)).toMatch(
    /^e1 Boat also has 2 fields, methods m\d paint, m\d sink; detail:true with the seed shows them$/,
  );
  // What they are called with is said before it is needed.
  expect(wave?.parts).toContain("effects");
});

test("in full a table has the methods and fields that are marked (TEACH-57)", () => {
  const [text = ""] = opened("names", true).inFull;
  expect(text).toContain("\nBoat[id,hull_url,name,self_url]\t[Boat]");
  expect(text).toContain("\nBoat($).paint(colour=$)\t()");
  expect(text).toContain("\nBoat($).sink()\t()");
  expect(text).not.toContain("also has");
});

test("what a table leaves out is called and read all the same, and a key is never left out (TEACH-57)", () => {
  const { log, symbols } = opened("names");
  const exposure = { catalogs, notation: "names", policy: {}, log, symbols } as const;
  const nodesOf = (program: string) => planOf(program, exposure).nodes.map(({ kind }) => kind);
  for (const program of ['Boat("b1").sink()', 'Boat("b1").paint(colour="red")', "Boat[hull_url]"])
    expect(nodesOf(program)).not.toEqual([]);
});

import { expect, test } from "vitest";
import { buildCatalog, type CatalogSpec } from "../../test/build-catalog.ts";
import { rowsOf, tableLines } from "../../test/teach.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { executableRows } from "../../test/executable-rows.ts";
import { exposeSeeds } from "./expose-seeds.ts";

const rare = (slots: readonly object[]): readonly object[] =>
  slots.map((slot) => ({ ...slot, detail: true }));

const BOATS: CatalogSpec = {
  entities: { Boat: { fields: { id: "str", name: "str" } }, Crew: { fields: { id: "str" } } },
  capabilities: {
    boat_query: {
      kind: "query",
      entity: "Boat",
      more: (ref) => ({
        parameters: [
          { name: "name", value_ref: ref("str") },
          ...rare([{ name: "hull", value_ref: ref("str") }]),
        ],
      }),
      mapping: {
        method: "GET",
        path: [{ type: "literal", value: "boats" }],
        query: {
          type: "object",
          fields: [
            ["name", { type: "var", name: "name" }],
            ["hull", { type: "var", name: "hull" }],
          ],
        },
      },
    },
    boat_create: {
      kind: "create",
      entity: "Boat",
      more: (ref) => ({
        input_schema: {
          input_type: {
            type: "object",
            fields: [
              { name: "name", value_ref: ref("str"), required: true },
              { name: "keel", value_ref: ref("int"), detail: true, required: true },
              ...rare([
                { name: "paint", value_ref: ref("str") },
                {
                  name: "engine",
                  input_type: {
                    type: "object",
                    fields: [{ name: "power", value_ref: ref("int") }],
                  },
                },
              ]),
            ],
          },
        },
      }),
    },
    boat_sweep: {
      kind: "action",
      entity: "Boat",
      more: (ref) => ({
        input_schema: {
          input_type: { type: "object", fields: rare([{ name: "hard", value_ref: ref("bool") }]) },
        },
        output: { type: "side_effect", description: "done" },
      }),
    },
    crew_query: { kind: "query", entity: "Crew" },
  },
};

const catalogs = new Map([["quay", buildCatalog("quay", BOATS)]]);
const setup = { catalogs, notation: "names", policy: {}, features: ALL_FEATURES } as const;
const seedsOf = (...entities: string[]) => [{ entryId: "quay", entities }];
const opened = (inFull?: boolean, entities = ["Boat"]) =>
  exposeSeeds({
    ...setup,
    exposure: null,
    seeds: seedsOf(...entities),
    ...(inFull === undefined ? {} : { inFull }),
  });

test("a table leaves out optional arguments that are marked, and says how many (TEACH-46)", () => {
  const [wave] = opened().waves;
  expect(tableLines(wave)).toEqual([
    "id  str",
    "keel  int",
    "name  str",
    "Boat[id,name]  [Boat] · opt name",
    "Boat.create(name=$, keel=$)  Boat",
    "Boat($).sweep(..)  ()",
  ]);
  expect(wave?.text.trimEnd().split("\n").at(-1)).toBe(
    "Boat also has 4 arguments; detail:true with the seed shows them",
  );
  expect(opened(undefined, ["Crew"]).waves[0]?.text).not.toContain("also has");
});

test("in full the table of a seed has them all, before and after it was exposed, and changes nothing (TEACH-46)", () => {
  const first = opened(true);
  const plain = opened();
  expect([first.waves, first.log, first.symbols]).toEqual([plain.waves, plain.log, plain.symbols]);
  expect(plain.inFull).toEqual([]);
  const [text = ""] = first.inFull;
  expect(rowsOf({ text }).map(([left]) => left)).toEqual(
    expect.arrayContaining(["hull", "paint", "power", "Boat.create(name=$, keel=$, engine={})"]),
  );
  expect(text).toContain("\nIn full: Boat\n");
  // What members are is said with the first table that has any.
  expect(first.waves[0]?.parts).not.toContain("unions");
  expect(text).toContain("opt p.p: a member");
  const again = exposeSeeds({
    ...setup,
    exposure: { log: plain.log },
    seeds: seedsOf("Boat"),
    inFull: true,
  });
  expect(again.waves).toEqual([]);
  expect(again.inFull).toEqual(first.inFull);
});

test("rows without marked arguments plan as they stand (TEACH-19)", () => {
  const { log, symbols } = opened();
  const exposure = { ...setup, log, symbols };
  const rows = executableRows(exposure, ALL_FEATURES);
  expect(rows.map(({ printed }) => printed)).toContain("Boat($).sweep(..)");
  expect(rows.find(({ printed }) => printed === "Boat($).sweep(..)")?.filled).toBe(
    'Boat("x").sweep(hard=true)',
  );
});

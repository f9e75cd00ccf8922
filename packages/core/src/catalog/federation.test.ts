import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { resolveEntity, unexposedEntities } from "./federation.ts";

const one = (name: string, aliases: readonly string[]) =>
  buildCatalog(name, {
    entities: {
      Harvest: { fields: { id: "str" }, more: { expression_aliases: aliases } },
      Crate: { fields: { id: "str" } },
      Base: { fields: { id: "str" }, more: { abstract: true } },
    },
    capabilities: {
      harvest_get: { kind: "get", entity: "Harvest" },
      crate_get: { kind: "get", entity: "Crate" },
    },
  });

const catalogs = new Map([
  ["depot", one("depot", ["Lot"])],
  ["orchard", one("orchard", ["Picking", "Yield"])],
]);
const depot = { entryId: "depot", entity: "Harvest" };
const orchard = { entryId: "orchard", entity: "Harvest" };
const exposed = [orchard, depot];

test.each([
  ["Harvest", [orchard, depot]],
  ["orchard.Harvest", [orchard]],
  ["depot.Harvest", [depot]],
  ["Lot", [depot]],
  ["orchard.Yield", [orchard]],
  ["depot.Yield", []],
  ["harvest", []],
  ["Crate", []],
])("resolveEntity(%s): by name or alias, in exposure order (TEACH-10, SESS-23)", (name, keys) => {
  expect(resolveEntity(catalogs, exposed, name)).toEqual(keys);
});

test.each([
  ["Crate", ["depot", "orchard"]],
  ["orchard.Crate", ["orchard"]],
  ["Harvest", []],
  ["Base", []],
])(
  "unexposedEntities(%s): what the catalogs have but the session does not (LANG-020)",
  (name, ids) => {
    expect(unexposedEntities(catalogs, exposed, name).map(({ entryId }) => entryId)).toEqual(ids);
  },
);

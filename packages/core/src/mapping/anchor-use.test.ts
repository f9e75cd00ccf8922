import { expect, test } from "vitest";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { millCatalog } from "../../test/mill-catalog.ts";
import { type AnchorUse, anchorUse } from "./anchor-use.ts";
import { capabilitySlots } from "./capability-slots.ts";
import type { Catalog } from "./catalog.ts";
import { takesUndeclared } from "./takes-undeclared.ts";

function capability(catalog: Catalog, name: string) {
  const found = catalog.cgs.capabilities.get(name);
  if (found === undefined) throw new Error(name);
  return found;
}

test.each<[string, AnchorUse, string]>([
  ["sack_query", "never", "lists"],
  ["sack_pack", "never", "creates"],
  ["lid_create", "never", "creates whose path names another row"],
  ["sack_get", "required", "gets by key"],
  ["sack_set", "required", "a path variable"],
  ["lid_delete", "required", "path variables of a compound key"],
  ["sack_rest", "optional", "nothing of the row is read"],
  ["sack_stamp", "optional", "the key is an argument"],
  ["sack_touch", "required", "the key is read and no argument"],
  ["sack_mill", "required", "the row is read before"],
])("%s is called on a row: %s, by %s (TEACH-34, TEACH-35)", (name, use) => {
  expect(anchorUse(millCatalog, capability(millCatalog, name))).toBe(use);
});

test.each([
  ["sack_stamp", ["id", "mark"]],
  ["sack_set", ["label", "kg", "code", "from", "to"]],
  ["lid_create", ["no", "label", "sack_id"]],
])("the arguments of %s: what a row may give stays one where none is needed", (name, slots) => {
  const found = capabilitySlots(millCatalog, capability(millCatalog, name)).slots;
  expect(found.map((slot) => slot.name)).toEqual(slots);
});

test("undeclared arguments are taken where the whole input is sent and nothing forbids them (RUN-013)", () => {
  const taking = [...millCatalog.cgs.capabilities.values()]
    .filter((each) => takesUndeclared(millCatalog, each))
    .map(({ name }) => name);
  expect(taking).toEqual(["sack_free"]);
  const depot = fixtureCatalog("depot");
  expect(takesUndeclared(depot, capability(depot, "harvest_accept"))).toBe(false);
});

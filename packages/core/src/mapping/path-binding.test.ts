import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { pathArguments } from "./capability-slots.ts";
import { pathBindings, type PathSource, splatParts } from "./path-binding.ts";

/** How `x`, a capability of Parcel (key id) or Shelf (key hall, row), binds its path variables. */
function bound(
  kind: string,
  entity: string,
  path: readonly string[],
  parameters = "[]",
  hook = "",
) {
  const segments = path.map((name) => `{type: var, name: ${name}}`).join(", ");
  const { domain, mappings } = patchedCatalog({
    values: "shelf: {type: entity_ref, target: Shelf}",
    entities: `Shelf:
  id_field: row
  key_vars: [hall, row]
  fields: {hall: {value_ref: text}, row: {value_ref: text}}`,
    capabilities: `x: {kind: ${kind}, entity: ${entity}, parameters: ${parameters}, output: {type: side_effect, description: d}}`,
    mappings: `x: {method: GET, path: [${segments}]${hook}}`,
  });
  const { catalog } = loadCatalog({
    entryId: "parcels",
    functions: ["open_door"],
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  const capability = catalog?.cgs.capabilities.get("x");
  const template = catalog?.cml.get("x");
  if (!catalog || !capability || !template) throw new Error("the catalog does not load");
  return {
    sources: pathBindings(catalog, capability, template).map(({ source }) => source),
    arguments: pathArguments(catalog, capability),
    splat: [...splatParts(catalog.cgs, capability)],
  };
}

const identity: PathSource = { kind: "identity" };
const argument: PathSource = { kind: "argument" };

test.each<[string, string, string, readonly string[], readonly PathSource[]]>([
  ["id, the id_field", "get", "Parcel", ["id"], [identity]],
  ["<entity>id, ignoring case and _", "update", "Parcel", ["Parcel_ID"], [identity]],
  ["the only unbound one", "delete", "Parcel", ["whatever"], [identity]],
  ["not the only one", "action", "Parcel", ["a", "b"], [argument, argument]],
  ["none beside the identity itself", "action", "Parcel", ["b", "id"], [argument, identity]],
  [
    "key parts",
    "get",
    "Shelf",
    ["hall", "row"],
    [
      { kind: "key", field: "hall" },
      { kind: "key", field: "row" },
    ],
  ],
  ["a compound identity whole", "get", "Shelf", ["id"], [identity]],
  ["no identity in lists", "query", "Parcel", ["id"], [argument]],
  ["none in a singleton", "singleton", "Parcel", ["id"], [argument]],
  [
    "the receiver of a create",
    "create",
    "Parcel",
    ["depot_id"],
    [{ kind: "receiver", entity: "Depot" }],
  ],
  ["else an argument", "create", "Parcel", ["place"], [argument]],
])("RUN-011: %s", (_name, kind, entity, path, sources) => {
  expect(bound(kind, entity, path).sources).toEqual(sources);
});

const HOOK =
  ", response: {response_preprocess: {kind: open_door, sets: [hall, sash, parcel_id, depot]}}";
const session: PathSource = { kind: "session" };

test.each<[string, string, readonly string[], readonly PathSource[], readonly string[]]>([
  ["though it is the only unbound one", "get", ["sash"], [session], []],
  ["beside the only unbound one", "get", ["sash", "whatever"], [session, identity], []],
  ["what the host sets", "update", ["share_token", "base_token"], [session, session], []],
  [
    "what the host sets, of lists",
    "query",
    ["share_token", "other"],
    [session, argument],
    ["other"],
  ],
  ["but where it can only mean the identity", "get", ["parcel_id"], [identity], []],
  ["nothing that is declared", "query", ["depot"], [{ kind: "slot", slot: "depot" }], []],
])("RUN-015: session variables bind %s", (_name, kind, path, sources, names) => {
  const parameters = "[{name: depot, value_ref: depot}]";
  const found = bound(kind, "Parcel", path, parameters, HOOK);
  expect([found.sources, found.arguments]).toEqual([sources, names]);
});

test("RUN-010: arguments bind where identity does not", () => {
  const depot = "[{name: depot, value_ref: depot}, {name: id, value_ref: text}]";
  expect(bound("query", "Parcel", ["depot", "id"], depot)).toMatchObject({
    sources: [
      { kind: "slot", slot: "depot" },
      { kind: "slot", slot: "id" },
    ],
    arguments: [],
  });
  expect(bound("get", "Parcel", ["id"], depot).sources).toEqual([identity]);
  expect(bound("query", "Parcel", ["hall"]).arguments).toEqual(["hall"]);
});

test("RUN-012: a scope reference with several key parts is spread", () => {
  const shelf = "[{name: shelf, value_ref: shelf, role: scope, required: true}]";
  expect(bound("query", "Parcel", ["hall", "row"], shelf)).toEqual({
    sources: [
      { kind: "splat", slot: "shelf", key: "hall" },
      { kind: "splat", slot: "shelf", key: "row" },
    ],
    arguments: [],
    splat: [
      ["hall", { slot: "shelf", key: "hall" }],
      ["row", { slot: "shelf", key: "row" }],
    ],
  });
  const filter = "[{name: shelf, value_ref: shelf}]";
  expect(bound("query", "Parcel", ["hall"], filter).sources).toEqual([argument]);
});

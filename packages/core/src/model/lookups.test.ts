import { patchedCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { loadCatalog } from "../catalog/load-catalog.ts";
import {
  capabilitiesOf,
  capabilityByLabel,
  capabilityLabel,
  findEntity,
  keyParts,
  providedFields,
} from "./lookups.ts";
import { rootUnion, slotsOf } from "./slots-of.ts";

test.each([
  ["parcel_mark_lost", "Parcel", "mark-lost"],
  ["parcel_get", "Parcel", "get"],
  ["pull_request_get", "PullRequest", "pull-request-get"],
  ["pullrequest_get", "PullRequest", "get"],
  ["ping", "Parcel", "ping"],
  ["parcel_", "Parcel", "parcel-"],
])("the label of %s on %s is %s", (capability, entity, label) => {
  expect(capabilityLabel(capability, entity)).toBe(label);
});

const { domain, mappings } = patchedCatalog({
  entities: `Shelf:
  abstract: true
  key_vars: [hall, row]
  id_field: row
  expression_aliases: [Rack]
  fields: {hall: {value_ref: text}, row: {value_ref: text}}
Room: {abstract: true, key_vars: [code], fields: {code: {value_ref: text}}}`,
  capabilities: `parcel_new:
  kind: create
  entity: Parcel
  parameters: [{name: a, value_ref: text}]
  input_schema: {input_type: {type: object, fields: [{name: b, value_ref: text}]}}
parcel_tag:
  kind: action
  entity: Parcel
  provides: [id]
  input_schema: {description: tags, input_type: {type: array, element_type: {type: value, field_type: string}}}
parcel_move:
  kind: action
  entity: Parcel
  input_schema: {input_type: {type: union, variants: [{name: up, wire: {field: op, value: up}}]}}
  output: {type: side_effect, description: moves}`,
  mappings: `parcel_new: &post {method: POST, path: [{type: var, name: id}]}
parcel_tag: *post
parcel_move: *post`,
});
const { catalog } = loadCatalog({
  entryId: "parcels",
  domain: { file: "domain.yaml", text: domain },
  mappings: { file: "mappings.yaml", text: mappings },
});
if (catalog === null) throw new Error("the catalog does not load");
const { cgs } = catalog;

const capability = (label: string) => {
  const found = capabilityByLabel(cgs, "Parcel", label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found;
};

test("key parts: two or more key_vars, else the id field (RUN-011)", () => {
  const parts = (name: string) => {
    const entity = cgs.entities.get(name);
    return entity && keyParts(entity);
  };
  expect(parts("Shelf")).toEqual(["hall", "row"]);
  expect(parts("Room")).toEqual(["code"]);
  expect(parts("Parcel")).toEqual(["id"]);
});

test("entities are found by name and alias", () => {
  expect(findEntity(cgs, "Shelf")?.name).toBe("Shelf");
  expect(findEntity(cgs, "Rack")?.name).toBe("Shelf");
  expect(findEntity(cgs, "rack")).toBeUndefined();
});

test("capabilities of an entity, by name", () => {
  const names = capabilitiesOf(cgs, "Parcel").map(({ name }) => name);
  expect(names).toEqual(["parcel_get", "parcel_move", "parcel_new", "parcel_query", "parcel_tag"]);
  expect(capabilityByLabel(cgs, "Depot", "new")).toBeUndefined();
});

test("slots: parameters, then input fields; a root array is `input`; a root union has members", () => {
  expect(slotsOf(capability("new")).map(({ name }) => name)).toEqual(["a", "b"]);
  expect(slotsOf(capability("tag"))).toMatchObject([
    { name: "input", required: true, description: "tags" },
  ]);
  expect(slotsOf(capability("move"))).toEqual([]);
  expect(rootUnion(capability("move"))).toMatchObject({ wireField: "op" });
  expect(rootUnion(capability("tag"))).toBeUndefined();
});

test("provides: all fields for reads, none for writes, unless declared", () => {
  expect(providedFields(cgs, capability("query"))).toEqual(["id", "depot", "stage"]);
  expect(providedFields(cgs, capability("new"))).toEqual([]);
  expect(providedFields(cgs, capability("tag"))).toEqual(["id"]);
});

import { patchedCatalog } from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import { openCatalog } from "./open/open-catalog.ts";

/** The parcel catalog with some text added, opened strictly; what is said of it fails the test. */
function opened(patch: Parameters<typeof patchedCatalog>[0]) {
  const { domain, mappings } = patchedCatalog(patch);
  const { catalog, diagnostics } = openCatalog(
    {
      entryId: "parcels",
      domain: { file: "domain.yaml", text: domain },
      mappings: { file: "mappings.yaml", text: mappings },
    },
    { strict: true },
  );
  expect(diagnostics).toEqual([]);
  if (catalog === null) throw new Error("not opened");
  return catalog;
}

describe("17.13: one key of from_each may be text", () => {
  const withKeys = (keys: string) =>
    opened({
      capabilities:
        "parcel_x: {kind: search, entity: Parcel, parameters: [{name: q, value_ref: text, required: true}]}",
      mappings: `parcel_x: {method: GET, path: [{type: literal, value: x}], query: {type: object, fields: [[q, {type: var, name: q}]]}, response: {response_preprocess: {kind: concat_field_arrays, path: [groups], from_each: ${keys}}}}`,
    });

  test("it is that key, whatever dots it has", () => {
    const template = withKeys("a.b").cml.get("parcel_x");
    const { response } = template?.transport === "http" ? template : {};
    expect(response?.preprocess).toEqual({
      kind: "concat_field_arrays",
      path: ["groups"],
      fromEach: ["a.b"],
    });
  });

  test("RUN-170: the digest is that of a list of one", () => {
    expect(withKeys("members").digest).toBe(withKeys("[members]").digest);
  });
});

describe("17.13: elements of an array may be written in place", () => {
  const typeOf = (items: string) =>
    opened({
      values: `many: {type: array, items: ${items}}`,
      fields: "labels: {value_ref: many}",
    })
      .cgs.entities.get("Parcel")
      ?.fields.get("labels")?.type;

  test.each<[string, object]>([
    ["{type: string, allowed_values: [red, blue]}", { kind: "select", options: ["red", "blue"] }],
    ["{type: enum, allowed_values: [red, blue]}", { kind: "select", options: ["red", "blue"] }],
    ["{allowed_values: [red, 2]}", { kind: "select", options: ["red", "2"] }],
    ["{type: string}", { kind: "string", semantics: "short" }],
    ["{type: string, string_semantics: markdown}", { kind: "string", semantics: "markdown" }],
    ["{type: int}", { kind: "integer" }],
    ["{type: date, value_format: unix_sec}", { kind: "date", format: "unix_sec" }],
    ["{type: entity_ref, target: Depot}", { kind: "entity_ref", target: "Depot" }],
    ["{value_ref: text}", { kind: "string", semantics: "short" }],
  ])("%s", (items, element) => {
    expect(typeOf(items)).toEqual({ kind: "array", items: element });
  });
});

describe("17.13 RUN-103: an overlay with scope parameters", () => {
  const overlay = (source: string, params: string, capabilities: string) =>
    opened({
      capabilities:
        "depot_of: {kind: query, entity: Depot, parameters: [{name: team, value_ref: text, required: true, role: scope}, {name: size, value_ref: count}]}",
      mappings:
        "depot_of: {method: GET, path: [{type: literal, value: teams}, {type: var, name: team}], query: {type: object, fields: [[size, {type: var, name: size}]]}}",
      top: `schema_overlay:
  source: ${source}
  projection: {mode: per_scope_entity, items_path: [forms]}
  entity:
    from_template: Depot
    name: {template: "D{{ row.id }}"}
    scope_key: {template: "{{ row.id }}"}
    static_fields: {team: {template: "{{ row.id }}", value_ref: text}}
  decode: {scope: {params: [${params}], key: {template: "{{ ambient.team }}"}}, capabilities: [${capabilities}]}`,
    } as never).cgs.overlay;

  test("is given them as template text, as a template, or as a value", () => {
    const found = overlay(
      '{capability: depot_of, bind: {team: {template: "t{{ 1 }}"}, size: 50}}',
      "team",
      "depot_of",
    );
    expect(found?.source).toEqual({
      capability: "depot_of",
      bind: new Map([
        ["team", "t{{ 1 }}"],
        ["size", "50"],
      ]),
    });
  });

  test("a capability that it decodes takes those it has", () => {
    const found = overlay(
      "{capability: depot_of, bind: {team: all}}",
      "team",
      "depot_of, depot_get",
    );
    expect(found?.decode?.scopeParams).toEqual(["team"]);
  });
});

import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

interface Parts {
  /** Spelling of the key `source`. */
  readonly key?: string;
  readonly source?: string;
  readonly mode?: string;
  readonly template?: string;
  readonly ref?: string;
  readonly fallback?: string;
  readonly decode?: string;
  readonly params?: string;
  readonly field?: string;
}

export const overlay = (parts: Parts): CatalogPatch => ({
  top: `schema_overlay:
  ${parts.key ?? "source"}: ${parts.source ?? "{capability: parcel_query}"}
  projection: {mode: ${parts.mode ?? "per_scope_entity"}, items_path: [forms]}
  entity:
    from_template: ${parts.template ?? "Parcel"}
    name: {template: "Entry__{{ row.title | sanitize_identifier }}"}
    scope_key: {template: "{{ row.id }}"}
    static_fields: {${parts.field ?? "depot"}: {template: "{{ row.id }}", value_ref: ${parts.ref ?? "text"}}}
    dynamic_fields: {from: {kind: array, path: [columns]}, wire_name_path: [key], wire_type_path: [type], name: {template: "{{ field.key | sanitize_identifier }}"}, type_map: {int: count}, default: ${parts.fallback ?? "text"}, extract: {kind: path_segments, segments: [cells, "{{ field.key }}"]}}
  decode: {scope: {params: [${parts.params ?? "depot"}], key: {template: "{{ ambient.depot }}"}}, capabilities: [${parts.decode ?? "parcel_query"}]}`,
});

const AT = "schema_overlay";

/** Faults of CAT-150, CAT-151, CAT-152. */
export const overlayCases: readonly BrokenCase[] = [
  {
    rule: "CAT-150",
    when: "capability and steps",
    patch: overlay({
      key: "«source»",
      source:
        "{capability: parcel_query, steps: [{capability: parcel_query, collect: a, items_path: [x]}]}",
    }),
    at: `${AT}.source`,
    says: ["capability and steps", "exactly one"],
  },
  {
    rule: "CAT-150",
    when: "a step that is neither",
    patch: overlay({ source: "{steps: [«{capability: parcel_query}»]}" }),
    at: `${AT}.source.steps[0]`,
    says: ["capability", "collect", "for_each"],
  },
  {
    rule: "CAT-150",
    when: "a for_each over nothing collected",
    patch: overlay({
      source:
        "{steps: [{capability: parcel_query, collect: forms, items_path: [x]}, {capability: depot_get, for_each: «form», merge: {kind: append_array, path: [y]}}]}",
    }),
    at: `${AT}.source.steps[1].for_each`,
    says: ["form", "(nearest: forms)"],
  },
  {
    rule: "CAT-151",
    when: "the reserved mode",
    patch: overlay({ mode: "«column_schema»" }),
    at: `${AT}.projection.mode`,
    says: ["column_schema", "per_scope_entity, augment_base"],
  },
  {
    rule: "CAT-152",
    when: "an unknown template entity",
    patch: overlay({ template: "«Parcl»" }),
    at: `${AT}.entity.from_template`,
    says: ["no entity Parcl", "(nearest: Parcel)"],
  },
  {
    rule: "CAT-152",
    when: "an unknown value",
    patch: overlay({ fallback: "«txt»" }),
    at: `${AT}.entity.dynamic_fields.default`,
    says: ["no value txt", "(nearest: text)"],
  },
  {
    rule: "CAT-152",
    when: "an unknown capability",
    patch: overlay({ decode: "«parcels»" }),
    at: `${AT}.decode.capabilities[0]`,
    says: ["no capability parcels"],
  },
  {
    rule: "CAT-150",
    when: "no steps",
    patch: overlay({ source: "{steps: «[]»}" }),
    at: `${AT}.source.steps`,
    says: ["no steps", "at least one"],
  },
  {
    rule: "CAT-152",
    when: "an effect as source",
    patch: {
      ...overlay({ source: "{capability: «parcel_x»}" }),
      capabilities:
        "parcel_x: {kind: action, entity: Parcel, output: {type: side_effect, description: Done}}",
      mappings: "parcel_x: {method: POST, path: [{type: var, name: id}]}",
    },
    at: `${AT}.source.capability`,
    says: ["parcel_x is an action", "query, search or get"],
  },
  {
    rule: "CAT-005",
    when: "a source that binds what its capability does not take",
    patch: overlay({ source: "{capability: parcel_query, bind: {dept: «x»}}" }),
    at: `${AT}.source.bind.dept`,
    says: ["no parameter of parcel_query dept", "(nearest: depot)"],
  },
  {
    rule: "CAT-005",
    when: "a decode scope that a decoded capability does not take",
    patch: overlay({ params: "«form»" }),
    at: `${AT}.decode.scope.params[0]`,
    says: ["no parameter of parcel_query form", "depot"],
  },
  {
    rule: "CAT-017",
    when: "a static field whose name is none",
    patch: overlay({ field: "«a-b»" }),
    at: `${AT}.entity.static_fields.a-b`,
    says: ['"a-b"', "letter or _"],
  },
];

import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

interface Templates {
  readonly source?: string;
  readonly name?: string;
  readonly scopeKey?: string;
  readonly alias?: string;
  readonly field?: string;
  readonly dynamic?: string;
  readonly extract?: string;
  readonly decode?: string;
}

const overlay = (templates: Templates): CatalogPatch => ({
  top: `schema_overlay:
  source: ${templates.source ?? "{capability: parcel_query}"}
  projection: {mode: per_scope_entity, items_path: [forms]}
  entity:
    from_template: Parcel
    name: {template: ${templates.name ?? '"Entry__{{ row.title | sanitize_identifier }}"'}}
    scope_key: {template: ${templates.scopeKey ?? '"{{ row.id }}"'}}
    expression_aliases: [{template: ${templates.alias ?? '"{{ parent.title }}"'}}]
    static_fields: {depot: {template: ${templates.field ?? '"{{ row.id }}"'}, value_ref: text}}
    dynamic_fields: {from: {kind: array, path: [columns]}, wire_name_path: [key], wire_type_path: [type], name: {template: ${templates.dynamic ?? '"{{ field.key ~ field_key }}"'}}, type_map: {int: count}, default: text, extract: ${templates.extract ?? '{kind: path_segments, segments: [cells, "{{ field.key }}"]}'}}
  decode: {scope: {params: [depot], key: {template: ${templates.decode ?? '"{{ ambient.depot }}"'}}}, capabilities: [parcel_query]}`,
});

const WRONG = '«"{{ env.HOME }}"»';

const at = (path: string) => `schema_overlay.${path}`;

const says = ["Template 1:4", "no name env", "row, parent, field, field_key, ambient"];

/** `env` at every place an overlay has a template. */
const places: readonly [Templates, string][] = [
  [{ name: WRONG }, "entity.name.template"],
  [{ scopeKey: WRONG }, "entity.scope_key.template"],
  [{ alias: WRONG }, "entity.expression_aliases[0].template"],
  [{ field: WRONG }, "entity.static_fields.depot.template"],
  [{ dynamic: WRONG }, "entity.dynamic_fields.name.template"],
  [
    { extract: `{kind: path_segments, segments: [cells, ${WRONG}]}` },
    "entity.dynamic_fields.extract.segments[1]",
  ],
  [
    {
      extract: `{kind: name_value_array, array_path: [cells], match_key_field: k, match_equals: {template: ${WRONG}}}`,
    },
    "entity.dynamic_fields.extract.match_equals.template",
  ],
  [{ decode: WRONG }, "decode.scope.key.template"],
  [{ source: `{capability: parcel_query, bind: {depot: ${WRONG}}}` }, "source.bind.depot"],
  [
    {
      source: `{steps: [{capability: parcel_query, collect: forms, items_path: [x]}, {capability: depot_get, for_each: forms, bind: {id: ${WRONG}}, merge: {kind: append_array, path: [y]}}]}`,
    },
    "source.steps[1].bind.id",
  ],
];

/** Faults of CAT-153. */
export const overlayTemplatesCases: readonly BrokenCase[] = [
  ...places.map(([templates, path]) => ({
    rule: "CAT-153",
    when: `env in ${path}`,
    patch: overlay(templates),
    at: at(path),
    says,
  })),
  {
    rule: "CAT-153",
    when: "an unknown filter",
    patch: overlay({ name: '«"{{ row.title | slugify }}"»' }),
    at: at("entity.name.template"),
    says: ["Template 1:16", "no filter slugify", "sanitize_identifier"],
  },
];

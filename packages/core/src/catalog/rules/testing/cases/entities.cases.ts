import type { BrokenCase } from "../broken-case.ts";

/** Faults of CAT-005, CAT-017, CAT-040, CAT-041, CAT-042, CAT-043, CAT-044, CAT-045, CAT-046, CAT-060. */
export const entitiesCases: readonly BrokenCase[] = [
  {
    rule: "CAT-040",
    when: "an id_field that is no field",
    patch: { parcel: "id_field: «ident»" },
    at: "entities.Parcel.id_field",
    says: ["ident", "Parcel", "id, depot, stage", "id_from"],
  },
  {
    rule: "CAT-040",
    when: "rows without a key that something refers to",
    patch: {
      values: "leg: {type: entity_ref, target: Leg}",
      entities: "«Leg»: {abstract: true, fields: {stage: {value_ref: stage}}}",
    },
    at: "entities.Leg.id_field",
    says: ["id", "Leg", "stage", "id_from"],
  },
  {
    rule: "CAT-040",
    when: "rows without a key that a request is about",
    patch: {
      entities: "«Leg»: {abstract: true, fields: {stage: {value_ref: stage}}}",
      capabilities: "leg_query: {kind: query, entity: Leg}",
      mappings: "leg_query: {method: GET, path: [{type: literal, value: legs}]}",
    },
    at: "entities.Leg.id_field",
    says: ["id", "Leg", "stage", "id_from"],
  },
  {
    rule: "CAT-040",
    when: "one row without a key in another",
    patch: {
      relations:
        "leg: {target: Leg, cardinality: one, materialize: {kind: from_parent_get, path: [{key: leg}]}}",
      entities: "«Leg»: {abstract: true, fields: {stage: {value_ref: stage}}}",
    },
    at: "entities.Leg.id_field",
    says: ["id", "Leg", "stage", "id_from"],
  },
  {
    rule: "CAT-041",
    when: "key_vars that are no fields",
    patch: { parcel: "id_field: id\nkey_vars: «[depot, number]»" },
    at: "entities.Parcel.key_vars",
    says: ["number", "id, depot, stage"],
  },
  {
    rule: "CAT-041",
    when: "two key_vars without id_field",
    patch: { parcel: "«key_vars»: [depot, id]" },
    at: "entities.Parcel.key_vars",
    says: ["depot, id", "id_from or implicit_request_identity"],
  },
  {
    rule: "CAT-042",
    when: "an alias that is an entity's name",
    patch: { parcel: "expression_aliases: [«Depot»]" },
    at: "entities.Parcel.expression_aliases[0]",
    says: ["Depot", "Parcel", "at 17:3"],
  },
  {
    rule: "CAT-042",
    when: "an alias of two entities",
    patch: {
      parcel: "expression_aliases: [Box]",
      entities:
        "Other: {abstract: true, expression_aliases: [«Box»], fields: {id: {value_ref: text}}}",
    },
    at: "entities.Other.expression_aliases[0]",
    says: ["Box", "Other", "Parcel", "at 12:26"],
  },
  {
    rule: "CAT-043",
    when: "an entity without capability",
    patch: { entities: "«Other»: {fields: {id: {value_ref: text}}}" },
    at: "entities.Other",
    says: ["Other", "abstract: true"],
  },
  {
    rule: "CAT-044",
    when: "a primary_read that is no get of the entity",
    patch: { parcel: "primary_read: «depot_get»" },
    at: "entities.Parcel.primary_read",
    says: ["depot_get", "Parcel", "parcel_get"],
  },
  {
    rule: "CAT-044",
    when: "a primary_query that is no query of the entity",
    patch: { parcel: "primary_query: «parcel_get»" },
    at: "entities.Parcel.primary_query",
    says: ["parcel_get", "a query of Parcel", "parcel_query"],
  },
  {
    rule: "CAT-044",
    when: "a primary_query that needs an argument",
    patch: {
      parcel: "primary_query: «parcel_by»",
      capabilities:
        "parcel_by: {kind: query, entity: Parcel, parameters: [{name: p, value_ref: text, required: true}]}",
      mappings:
        "parcel_by: {method: GET, path: [{type: literal, value: x}], query: {type: object, fields: [[p, {type: var, name: p}]]}}",
    },
    at: "entities.Parcel.primary_query",
    says: ["parcel_by", "needs no argument", "Allowed: parcel_query."],
  },
  {
    rule: "CAT-044",
    when: "a primary_search that there is not",
    patch: { parcel: "primary_search: «parcel_find»" },
    at: "entities.Parcel.primary_search",
    says: ["parcel_find", "a search of Parcel", "Allowed: none"],
  },
  {
    rule: "CAT-045",
    when: "agent_presentation on a number",
    patch: { fields: "extra: {value_ref: count, «agent_presentation»: lossy}" },
    at: "entities.Parcel.fields.extra.agent_presentation",
    says: ["agent_presentation", "integer", "string and blob"],
  },
  {
    rule: "CAT-045",
    when: "attachment_media on a reference",
    patch: { fields: "extra: {value_ref: depot, «attachment_media»: image}" },
    at: "entities.Parcel.fields.extra.attachment_media",
    says: ["attachment_media", "entity_ref"],
  },
  {
    rule: "CAT-046",
    when: "an unknown derive",
    patch: { fields: "extra: {value_ref: text, derive: {type: «lookup», key: a}}" },
    at: "entities.Parcel.fields.extra.derive.type",
    says: ['"lookup"', "object_key_lookup", "segments_after_prefix"],
  },
  {
    rule: "CAT-046",
    when: "a derive without its key",
    patch: { fields: "extra: {value_ref: text, «derive»: {type: name_value_array_lookup}}" },
    at: "entities.Parcel.fields.extra.derive.equals",
    says: ["equals", "match_key_field"],
  },
  {
    rule: "CAT-060",
    when: "a relation with an entity_ref field's name",
    patch: { relations: "«depot»: {target: Depot, cardinality: one}" },
    at: "entities.Parcel.relations.depot",
    says: ["depot", "Parcel", "14:7"],
  },
  {
    rule: "CAT-005",
    when: "an unknown target of a relation",
    patch: { relations: "scans: {target: «Scan», cardinality: one}" },
    at: "entities.Parcel.relations.scans.target",
    says: ["no entity Scan", "Parcel, Depot"],
  },
  {
    rule: "CAT-017",
    when: "a field whose name is none",
    patch: { fields: "«a-b»: {value_ref: text}" },
    at: "entities.Parcel.fields.a-b",
    says: ['"a-b"', "letter or _"],
  },
];

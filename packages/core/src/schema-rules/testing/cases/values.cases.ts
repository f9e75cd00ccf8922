import type { BrokenCase } from "../broken-case.ts";

const use = "extra: {value_ref: v}";

/** Faults of CAT-002, CAT-003, CAT-005, CAT-030, CAT-031, CAT-032, CAT-033, CAT-034, CAT-035. */
export const valuesCases: readonly BrokenCase[] = [
  {
    rule: "CAT-002",
    when: "an unknown type",
    patch: { values: "v: {type: «strng»}" },
    at: "values.v.type",
    says: ['"strng"', "(nearest: string)", "uuid", "float", "datetime", "enum"],
  },
  {
    rule: "CAT-003",
    when: "a value without type",
    patch: { values: "«v»: {description: x}" },
    at: "values.v.type",
    says: ["type", "one of string"],
  },
  {
    rule: "CAT-030",
    when: "an entity_ref without target",
    patch: { values: "«v»: {type: entity_ref}", fields: use },
    at: "values.v.target",
    says: ["no target", "Depot"],
  },
  {
    rule: "CAT-030",
    when: "an unknown target",
    patch: { values: "v: {type: entity_ref, target: «Depott»}", fields: use },
    at: "values.v.target",
    says: ["Depott", "(nearest: Depot)", "Parcel, Depot"],
  },
  {
    rule: "CAT-030",
    when: "an unknown target that nothing uses",
    patch: { values: "v: {type: entity_ref, target: «Depott»}" },
    at: "values.v.target",
    says: ["Depott", "nothing uses", "Depot"],
    severity: "warning",
  },
  {
    rule: "CAT-031",
    when: "a multi_select without options",
    patch: { values: "«v»: {type: multi_select}" },
    at: "values.v.allowed_values",
    says: ["multi_select", "at least one option"],
  },
  {
    rule: "CAT-032",
    when: "a select without options",
    patch: { values: "«v»: {type: enum}" },
    at: "values.v.allowed_values",
    says: ["any string", "list of options"],
    severity: "warning",
  },
  {
    rule: "CAT-033",
    when: "a used date without format",
    patch: { values: "«v»: {type: date}", fields: use },
    at: "values.v.value_format",
    says: ["entities.Parcel.fields.extra", "rfc3339, iso8601_date, unix_ms, unix_sec"],
  },
  {
    rule: "CAT-033",
    when: "a used number with format",
    patch: { values: "v: {type: number, «value_format»: rfc3339}", fields: use },
    at: "values.v.value_format",
    says: ["number", "entities.Parcel.fields.extra", "date only"],
  },
  {
    rule: "CAT-034",
    when: "a used string without semantics",
    patch: { values: "«v»: {type: string}", fields: use },
    at: "values.v.string_semantics",
    says: ["entities.Parcel.fields.extra", "short, markdown, document, html, json_text, blob"],
  },
  {
    rule: "CAT-034",
    when: "a string used as an array's element only",
    patch: {
      values: "«v»: {type: string}\nvs: {type: array, items: {value_ref: v}}",
      fields: "extra: {value_ref: vs}",
    },
    at: "values.v.string_semantics",
    says: ["entities.Parcel.fields.extra"],
  },
  {
    rule: "CAT-034",
    when: "a used number with semantics",
    patch: { values: "v: {type: number, «string_semantics»: short}", fields: use },
    at: "values.v.string_semantics",
    says: ["number", "string only"],
  },
  {
    rule: "CAT-035",
    when: "an array without items",
    patch: { values: "«v»: {type: array}" },
    at: "values.v.items",
    says: ["no items", "value_ref"],
  },
  {
    rule: "CAT-035",
    when: "items on another type",
    patch: { values: "v: {type: json, «items»: {value_ref: text}}" },
    at: "values.v.items",
    says: ["json", "array only"],
  },
  {
    rule: "CAT-035",
    when: "an array of arrays",
    patch: {
      values:
        "a: {type: array, items: {value_ref: text}}\nv: {type: array, items: {value_ref: «a»}}",
    },
    at: "values.v.items.value_ref",
    says: ["a is an array itself"],
  },
  {
    rule: "CAT-005",
    when: "an unknown element",
    patch: { values: "v: {type: array, items: {value_ref: «txt»}}" },
    at: "values.v.items.value_ref",
    says: ["no value txt", "(nearest: text)", "count"],
  },
  {
    rule: "CAT-005",
    when: "an unknown value in a field",
    patch: { fields: "extra: {value_ref: «dpot»}" },
    at: "entities.Parcel.fields.extra.value_ref",
    says: ["no value dpot", "(nearest: depot)", "text, count"],
  },
];

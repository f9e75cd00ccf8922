import type { CatalogPatch } from "@plasm/testkit";
import type { BrokenCase } from "../broken-case.ts";

/** A write whose whole input goes into the body. */
const write = (parts: string): CatalogPatch => ({
  capabilities: `parcel_x:\n  kind: action\n  entity: Parcel\n  output: {type: side_effect, description: Done}\n${parts
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n")}`,
  mappings:
    "parcel_x: {method: POST, path: [{type: var, name: id}], body: {type: var, name: input}}",
});

const union = (variants: string): CatalogPatch =>
  write(`input_schema: {input_type: {type: union, variants: ${variants}}}`);

const rules = (validation: string): CatalogPatch =>
  write(
    `input_schema: {input_type: {type: object, fields: [{name: a, value_ref: text}, {name: o, input_type: {type: object, fields: [{name: b, value_ref: text}]}}]}, validation: ${validation}}`,
  );

const IN = "capabilities.parcel_x.input_schema";

const move = "{name: move, wire: {field: op, value: move}}";

/** Faults of CAT-090, CAT-091, CAT-092, CAT-093, CAT-094. */
export const inputCases: readonly BrokenCase[] = [
  {
    rule: "CAT-090",
    when: "neither value_ref nor input_type",
    patch: write("parameters: [{name: «a»}]"),
    at: "capabilities.parcel_x.parameters[0].name",
    says: ["a has neither", "exactly one of value_ref and input_type"],
  },
  {
    rule: "CAT-090",
    when: "both, nested",
    patch: write(
      "input_schema: {input_type: {type: object, fields: [{name: «a», value_ref: text, input_type: {type: none}}]}}",
    ),
    at: `${IN}.input_type.fields[0].name`,
    says: ["value_ref and input_type"],
  },
  {
    rule: "CAT-091",
    when: "an array beside parameters",
    patch: write(
      "parameters: [{name: a, value_ref: text}]\ninput_schema: {input_type: {type: «array», element_type: {type: value, field_type: string}}}",
    ),
    at: `${IN}.input_type.type`,
    says: ["array", "object"],
  },
  {
    rule: "CAT-091",
    when: "a name twice",
    patch: write(
      "parameters: [{name: a, value_ref: text}]\ninput_schema: {input_type: {type: object, fields: [{name: «a», value_ref: text}]}}",
    ),
    at: `${IN}.input_type.fields[0].name`,
    says: ["a stands here and at 31:25"],
  },
  {
    rule: "CAT-092",
    when: "two variants of one name",
    patch: union(`[${move}, {name: «move», wire: {field: op, value: drop}}]`),
    at: `${IN}.input_type.variants[1].name`,
    says: ["name move", "variant move", "once"],
  },
  {
    rule: "CAT-092",
    when: "another wire.field",
    patch: union(`[${move}, {name: drop, wire: {field: «kind», value: drop}}]`),
    at: `${IN}.input_type.variants[1].wire.field`,
    says: ["drop", "kind", "op", "one shared"],
  },
  {
    rule: "CAT-092",
    when: "the same wire.value",
    patch: union(`[${move}, {name: drop, wire: {field: op, value: «move»}}]`),
    at: `${IN}.input_type.variants[1].wire.value`,
    says: ["drop", '"move"', "variant move"],
  },
  {
    rule: "CAT-093",
    when: "a pattern that does not compile",
    patch: rules('{predicates: [{field_path: a, operator: pattern, value: «"("»}]}'),
    at: `${IN}.validation.predicates[0].value`,
    says: ['"("', "Invalid regular expression", "flag u"],
  },
  {
    rule: "CAT-094",
    when: "an unknown field_path",
    patch: rules("{predicates: [{field_path: «b», operator: min_length, value: 1}]}"),
    at: `${IN}.validation.predicates[0].field_path`,
    says: ["b is no input field", "a, o"],
  },
  {
    rule: "CAT-094",
    when: "an unknown nested field_path",
    patch: rules("{predicates: [{field_path: «o.c», operator: min_length, value: 1}]}"),
    at: `${IN}.validation.predicates[0].field_path`,
    says: ["o.c"],
  },
  {
    rule: "CAT-094",
    when: "an unknown field in a rule",
    patch: rules("{cross_field_rules: [{rule_type: at_least_one, fields: [a, «z»]}]}"),
    at: `${IN}.validation.cross_field_rules[0].fields[1]`,
    says: ["z is no input field"],
  },
  {
    rule: "CAT-094",
    when: "an unknown field in depends_on",
    patch: rules("{predicates: [{field_path: a, operator: depends_on, value: «z»}]}"),
    at: `${IN}.validation.predicates[0].value`,
    says: ["z is no input field"],
  },
  {
    rule: "CAT-094",
    when: "a function that is not registered",
    patch: rules("{predicates: [{field_path: o.b, operator: custom_function, value: «sign»}]}"),
    at: `${IN}.validation.predicates[0].value`,
    says: ["sign", "sign_body"],
    severity: "warning",
  },
  {
    rule: "CAT-092",
    when: "a union without variants",
    patch: write("input_schema: {input_type: {type: union, «variants»: []}}"),
    at: `${IN}.input_type.variants`,
    says: ["without variants", "at least one"],
  },
  {
    rule: "CAT-092",
    when: "two variants of one constructor_symbol",
    patch: union(
      "[{name: move, constructor_symbol: go, wire: {field: op, value: move}}, {name: drop, constructor_symbol: «go», wire: {field: op, value: drop}}]",
    ),
    at: `${IN}.input_type.variants[1].constructor_symbol`,
    says: ["constructor_symbol go", "variant move", "at 31:90"],
  },
  {
    rule: "CAT-093",
    when: "a pattern that is no text",
    patch: rules("{predicates: [{field_path: a, operator: pattern, value: «5»}]}"),
    at: `${IN}.validation.predicates[0].value`,
    says: ["number 5", "ECMA-262"],
  },
];

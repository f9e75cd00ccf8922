import type { InputField, InputSchema, InputType, Slot, Variant } from "../../schema/input.ts";
import type {
  InputFieldDoc,
  InputSchemaDoc,
  InputTypeDoc,
  SlotDoc,
  ValidationDoc,
  VariantDoc,
} from "../format/input-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { given } from "./given.ts";
import { plainType, type ValueTable } from "./value-table.ts";

export function buildSlot(doc: SlotDoc, values: ValueTable): Slot {
  const inherited = doc.value_ref === undefined ? "" : values.descriptionOf(doc.value_ref);
  return {
    name: doc.name,
    input: slotInput(doc, values),
    required: doc.required,
    description: doc.description ?? inherited,
    role: doc.role,
  };
}

/** A slot has exactly one of both keys (CAT-090). */
function slotInput(doc: SlotDoc, values: ValueTable): InputType {
  if (doc.input_type !== undefined) return buildInputType(doc.input_type, values);
  return { kind: "value", type: values.typeOf(doc.value_ref ?? "") };
}

function buildInputField(doc: InputFieldDoc, values: ValueTable): InputField {
  return {
    ...buildSlot(doc, values),
    ...given("defaultValue", doc.default && nodeToJson(doc.default)),
    wireJsonPath: doc.wire_json_path,
    ...given("wireArrayElementKey", doc.wire_array_element_key),
  };
}

function buildInputType(doc: InputTypeDoc, values: ValueTable): InputType {
  switch (doc.type) {
    case "none":
      return { kind: "none" };
    case "value":
      return { kind: "value", type: plainType(doc.field_type, doc.allowed_values) };
    case "object":
      return {
        kind: "object",
        fields: doc.fields.map((field) => buildInputField(field, values)),
        additionalFields: doc.additional_fields,
      };
    case "array":
      return {
        kind: "array",
        element: buildInputType(doc.element_type, values),
        ...given("minLength", doc.min_length),
        ...given("maxLength", doc.max_length),
      };
    case "union":
      return {
        kind: "union",
        wireField: doc.variants[0]?.wire.field ?? "",
        variants: doc.variants.map((variant) => buildVariant(variant, values)),
      };
  }
}

function buildVariant(doc: VariantDoc, values: ValueTable): Variant {
  return {
    name: doc.name,
    ...given("constructorSymbol", doc.constructor_symbol),
    description: doc.description,
    wireValue: nodeToJson(doc.wire.value),
    fields: doc.fields.map((field) => buildInputField(field, values)),
  };
}

export function buildInputSchema(doc: InputSchemaDoc, values: ValueTable): InputSchema {
  return {
    input: buildInputType(doc.input_type, values),
    description: doc.description,
    examples: doc.examples.map(nodeToJson),
    allowNull: doc.validation?.allow_null ?? false,
    validated: doc.validation !== undefined,
    predicates: (doc.validation?.predicates ?? []).map(buildPredicate),
    crossFieldRules: (doc.validation?.cross_field_rules ?? []).map((rule) => ({
      ruleType: rule.rule_type,
      fields: rule.fields,
      ...given("errorMessage", rule.error_message),
    })),
  };
}

function buildPredicate(
  doc: ValidationDoc["predicates"][number],
): InputSchema["predicates"][number] {
  return {
    fieldPath: doc.field_path,
    operator: doc.operator,
    value: nodeToJson(doc.value),
    ...given("errorMessage", doc.error_message),
  };
}

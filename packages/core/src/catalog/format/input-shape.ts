import { keyPath, lazy, list, name } from "../shape/lists.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, integer, scalarTextShape, text, word } from "../shape/scalars.ts";
import type { Read, Shape } from "../shape/shape.ts";
import { tagged } from "../shape/tagged.ts";
import type { YamlNode } from "../yaml/node.ts";
import { typeWord } from "./value-shape.ts";

const role = withDefault(
  word(["filter", "search", "sort", "sort_direction", "response_control", "scope"]),
  "filter",
);

export interface SlotDoc {
  readonly name: string;
  readonly value_ref?: string;
  readonly input_type?: InputTypeDoc;
  readonly required: boolean;
  readonly detail?: boolean;
  readonly description?: string;
  readonly role: Read<(typeof role)["shape"]>;
}

export interface InputFieldDoc extends SlotDoc {
  readonly default?: YamlNode;
  readonly wire_json_path: readonly string[];
  readonly wire_array_element_key?: string;
}

export interface VariantDoc {
  readonly name: string;
  readonly constructor_symbol?: string;
  readonly description: string;
  readonly fields: readonly InputFieldDoc[];
  readonly wire: { readonly field: string; readonly value: YamlNode };
}

export type InputTypeDoc =
  | { readonly type: "none" }
  | {
      readonly type: "value";
      readonly field_type: Read<typeof typeWord>;
      readonly allowed_values: readonly string[];
    }
  | {
      readonly type: "object";
      readonly fields: readonly InputFieldDoc[];
      readonly additional_fields: boolean;
    }
  | {
      readonly type: "array";
      readonly element_type: InputTypeDoc;
      readonly min_length?: number;
      readonly max_length?: number;
    }
  | { readonly type: "union"; readonly variants: readonly VariantDoc[] };

const inputType: Shape<InputTypeDoc> = lazy("an input type: a map with type", () => inputTypes);

const slotKeys = {
  name: required(name),
  value_ref: optional(text),
  input_type: optional(inputType),
  required: withDefault(boolean, false),
  detail: optional(boolean),
  description: optional(text),
  role,
};

/** An entry of `parameters` (catalog format, section 8). */
export const parameter: Shape<SlotDoc> = object(slotKeys);

const inputField: Shape<InputFieldDoc> = object({
  ...slotKeys,
  default: optional(anything),
  wire_json_path: withDefault(keyPath, []),
  wire_array_element_key: optional(text),
});

const variant: Shape<VariantDoc> = object({
  name: required(name),
  constructor_symbol: optional(text),
  description: withDefault(text, ""),
  fields: withDefault(list(inputField), []),
  wire: required(object({ field: required(text), value: required(anything) })),
});

export const inputTypes: Shape<InputTypeDoc> = tagged("type", {
  none: {},
  value: { field_type: required(typeWord), allowed_values: withDefault(list(scalarTextShape), []) },
  object: {
    fields: withDefault(list(inputField), []),
    additional_fields: withDefault(boolean, false),
  },
  array: {
    element_type: required(inputType),
    min_length: optional(integer(0)),
    max_length: optional(integer(0)),
  },
  union: { variants: required(list(variant)) },
});

const validation = object({
  allow_null: withDefault(boolean, false),
  predicates: withDefault(
    list(
      object({
        field_path: required(text),
        operator: required(
          word([
            "min_length",
            "max_length",
            "min_value",
            "max_value",
            "pattern",
            "custom_function",
            "depends_on",
          ]),
        ),
        value: required(anything),
        error_message: optional(text),
      }),
    ),
    [],
  ),
  cross_field_rules: withDefault(
    list(
      object({
        rule_type: required(
          word(["at_least_one", "exactly_one", "all_or_none", "implies", "mutually_exclusive"]),
        ),
        fields: required(list(text)),
        error_message: optional(text),
      }),
    ),
    [],
  ),
});

export type ValidationDoc = Read<typeof validation>;

/** `input_schema` (catalog format, section 8). */
export const inputSchema = object({
  input_type: required(inputType),
  description: withDefault(text, ""),
  examples: withDefault(list(anything), []),
  validation: optional(validation),
});

export type InputSchemaDoc = Read<typeof inputSchema>;

/** An entry of `preconditions` of an effect; it has exactly one of the four tests (CAT-143). */
export const precondition = object({
  param: optional(text),
  field: required(text),
  eq: optional(anything),
  in: optional(list(anything)),
  not_in: optional(list(anything)),
  exists: optional(boolean),
  description: withDefault(text, ""),
});

export type PreconditionDoc = Read<typeof precondition>;

import type { Json, ValueType } from "../values/value-type.ts";

export type SlotRole =
  | "filter"
  | "search"
  | "sort"
  | "sort_direction"
  | "response_control"
  | "scope";

/** The shape an argument takes; a `value_ref` is an input of kind `value`. */
export type InputType =
  | { readonly kind: "none" }
  | { readonly kind: "value"; readonly type: ValueType }
  | {
      readonly kind: "object";
      readonly fields: readonly InputField[];
      readonly additionalFields: boolean;
    }
  | {
      readonly kind: "array";
      readonly element: InputType;
      readonly minLength?: number;
      readonly maxLength?: number;
    }
  | { readonly kind: "union"; readonly wireField: string; readonly variants: readonly Variant[] };

/** A named slot: a parameter of a capability, or a field of an object input or variant. */
export interface Slot {
  readonly name: string;
  readonly input: InputType;
  readonly required: boolean;
  readonly description: string;
  readonly role: SlotRole;
  /** rarely given: tables leave it out unless they are asked for in full (TEACH-46) */
  readonly detail?: true;
}

/** A slot inside an input object, with where it goes on the wire (RUN-017). */
export interface InputField extends Slot {
  /** documentation only, never sent */
  readonly defaultValue?: Json;
  readonly wireJsonPath: readonly string[];
  readonly wireArrayElementKey?: string;
}

export interface Variant {
  readonly name: string;
  readonly constructorSymbol?: string;
  readonly description: string;
  readonly wireValue: Json;
  readonly fields: readonly InputField[];
}

export interface ValidationPredicate {
  readonly fieldPath: string;
  readonly operator:
    | "min_length"
    | "max_length"
    | "min_value"
    | "max_value"
    | "pattern"
    | "custom_function"
    | "depends_on";
  readonly value: Json;
  readonly errorMessage?: string;
}

export interface CrossFieldRule {
  readonly ruleType:
    | "at_least_one"
    | "exactly_one"
    | "all_or_none"
    | "implies"
    | "mutually_exclusive";
  readonly fields: readonly string[];
  readonly errorMessage?: string;
}

/** The body input of a capability with its rules (catalog format, section 8). */
export interface InputSchema {
  readonly input: InputType;
  readonly description: string;
  readonly examples: readonly Json[];
  readonly allowNull: boolean;
  /** whether the file has a `validation` at all; LANG-042 depends on it */
  readonly validated: boolean;
  readonly predicates: readonly ValidationPredicate[];
  readonly crossFieldRules: readonly CrossFieldRule[];
}

/** The declared type of a slot that takes one value; undefined for objects, lists and unions. */
export function declaredSlotType(slot: Slot): ValueType | undefined {
  return slot.input.kind === "value" ? slot.input.type : undefined;
}

/** The entity a slot refers to, alone or as element of an array. */
export function slotTarget(slot: Slot): string | undefined {
  const type = declaredSlotType(slot);
  const single = type?.kind === "array" ? type.items : type;
  return single?.kind === "entity_ref" ? single.target : undefined;
}

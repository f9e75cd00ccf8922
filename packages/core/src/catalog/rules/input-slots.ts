import { canonicalJson } from "../../base/canonical-json.ts";
import type { InputSchema, InputType } from "../../model/input.ts";
import type { Capability } from "../../model/model.ts";
import { rootUnion, slotsOf } from "../../model/slots-of.ts";
import type { Json } from "../../values/value-type.ts";
import type { SlotDoc, VariantDoc } from "../format/input-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { nodeToCanonical } from "../yaml/node.ts";
import { type DeclaredUnion, declaredSlots, declaredUnions } from "./bound-names.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

interface First {
  readonly variant: string;
  readonly position: string;
}

/** CAT-092: the variants of a union can be told apart. */
export const variantsRule: Rule = (context) => {
  for (const [name, capability] of context.domain.capabilities) {
    for (const union of declaredUnions(name, capability)) checkUnion(context, union);
  }
};

function checkUnion(context: RuleContext, { variants, path }: DeclaredUnion): void {
  const { inDomain } = context;
  const [first] = variants;
  if (first === undefined) {
    if (!inDomain.faulty(path)) inDomain.atKey([...path, "variants"], "CAT092", "none", {});
    return;
  }
  const names = new Map<string, First>();
  const symbols = new Map<string, First>();
  const values = new Map<string, First>();
  variants.forEach((variant, at) => {
    const own = [...path, "variants", at];
    checkOnce(context, names, variant, variant.name, "name", [...own, "name"]);
    const symbol = variant.constructor_symbol;
    const symbolPath = [...own, "constructor_symbol"];
    if (symbol !== undefined) {
      checkOnce(context, symbols, variant, symbol, "constructor_symbol", symbolPath);
    }
    if (variant.wire.field !== first.wire.field) {
      const params = { name: variant.name, found: variant.wire.field, other: first.wire.field };
      inDomain.atValue([...own, "wire", "field"], "CAT092", "field", params);
    }
    checkValue(context, values, variant, [...own, "wire", "value"]);
  });
}

function checkOnce(
  { inDomain }: RuleContext,
  seen: Map<string, First>,
  variant: VariantDoc,
  found: string,
  what: string,
  path: KeyPath,
): void {
  const first = seen.get(found);
  if (first === undefined) {
    seen.set(found, { variant: variant.name, position: inDomain.valuePosition(path) });
    return;
  }
  const params = { what, found, other: first.variant, first: first.position };
  inDomain.atValue(path, "CAT092", "name", params);
}

function checkValue(
  { inDomain }: RuleContext,
  seen: Map<string, First>,
  variant: VariantDoc,
  path: KeyPath,
): void {
  const text = canonicalJson(nodeToCanonical(variant.wire.value));
  const first = seen.get(text);
  if (first === undefined) {
    seen.set(text, { variant: variant.name, position: inDomain.valuePosition(path) });
    return;
  }
  const params = { name: variant.name, found: text, other: first.variant, first: first.position };
  inDomain.atValue(path, "CAT092", "value", params);
}

/** CAT-090: a slot has one type; CAT-091: input beside parameters is an object, names are unique. */
export const slotsRule: Rule = (context) => {
  for (const [name, capability] of context.domain.capabilities) {
    for (const { slot, path } of declaredSlots(name, capability)) checkType(context, slot, path);
    const path = ["capabilities", name];
    const input = capability.input_schema?.input_type;
    const inputPath = [...path, "input_schema", "input_type"];
    if (input !== undefined && input.type !== "object" && capability.parameters.length > 0) {
      const params = { found: input.type };
      context.inDomain.atValue([...inputPath, "type"], "CAT091", "object", params);
    }
    const fields = input?.type === "object" ? input.fields : [];
    checkNames(context, [
      ...capability.parameters.map((slot, at) => ({ slot, path: [...path, "parameters", at] })),
      ...fields.map((slot, at) => ({ slot, path: [...inputPath, "fields", at] })),
    ]);
  }
};

function checkType({ inDomain }: RuleContext, slot: SlotDoc, path: KeyPath): void {
  const given = [slot.value_ref, slot.input_type].filter((each) => each !== undefined).length;
  if (given === 1 || inDomain.faulty(path)) return;
  const found = given === 0 ? "neither value_ref nor input_type" : "value_ref and input_type";
  inDomain.atValue([...path, "name"], "CAT090", "one", { name: slot.name, found });
}

function checkNames(
  { inDomain }: RuleContext,
  slots: readonly { readonly slot: SlotDoc; readonly path: KeyPath }[],
): void {
  const seen = new Map<string, string>();
  for (const { slot, path } of slots) {
    const at = [...path, "name"];
    const first = seen.get(slot.name);
    if (first === undefined) seen.set(slot.name, inDomain.valuePosition(at));
    else inDomain.atValue(at, "CAT091", "again", { found: slot.name, first });
  }
}

/** CAT-093: patterns compile; CAT-094: rules name input fields and registered functions. */
export const validationRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const schema = capability.inputSchema;
    if (schema === undefined) continue;
    const path = ["capabilities", capability.name, "input_schema", "validation"];
    if (context.inDomain.faulty(path)) continue;
    schema.predicates.forEach((predicate, at) => {
      checkPredicate(context, capability, predicate, [...path, "predicates", at]);
    });
    schema.crossFieldRules.forEach((rule, at) => {
      rule.fields.forEach((field, index) => {
        const own = [...path, "cross_field_rules", at, "fields", index];
        checkField(context, capability, field, own);
      });
    });
  }
};

function checkPredicate(
  context: RuleContext,
  capability: Capability,
  predicate: InputSchema["predicates"][number],
  path: KeyPath,
): void {
  const { inDomain, functions } = context;
  const { value, operator } = predicate;
  const at = [...path, "value"];
  checkField(context, capability, predicate.fieldPath, [...path, "field_path"]);
  if (operator === "pattern") checkPattern(context, value, at);
  if (operator === "depends_on") {
    const names = Array.isArray(value) ? value : [value];
    for (const name of names) checkField(context, capability, plainText(name), at);
  }
  const found = plainText(value);
  if (operator === "custom_function" && !functions.includes(found)) {
    inDomain.atValue(at, "CAT094", "function", { found, ...choice(found, functions) });
  }
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function checkPattern({ inDomain }: RuleContext, value: unknown, path: KeyPath): void {
  if (typeof value !== "string") {
    inDomain.atValue(path, "CAT093", "text", { found: inDomain.found(path) });
    return;
  }
  try {
    RegExp(value, "u");
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    inDomain.atValue(path, "CAT093", "pattern", { found: JSON.stringify(value), problem });
  }
}

function checkField(
  { inDomain }: RuleContext,
  capability: Capability,
  found: string,
  path: KeyPath,
): void {
  const steps = found.split(".").filter((step) => step !== "");
  if (steps.length > 0 && resolves(rootFields(capability), steps)) return;
  const names = rootFields(capability).map(({ name }) => name);
  inDomain.atValue(path, "CAT094", "field", { found, ...choice(found, names) });
}

type Fields = readonly { readonly name: string; readonly input?: InputType }[];

function rootFields(capability: Capability): Fields {
  const union = rootUnion(capability);
  return [...slotsOf(capability), ...(union === undefined ? [] : fieldsOf(union))];
}

function resolves(fields: Fields, steps: readonly string[]): boolean {
  const [step, ...rest] = steps;
  const matching = fields.filter(({ name }) => name === step);
  if (rest.length === 0) return matching.length > 0;
  return matching.some(({ input }) => input === undefined || reaches(input, rest));
}

/** Whether a path may lead into an input: json takes any. */
function reaches(input: InputType, steps: readonly string[]): boolean {
  if (input.kind === "value") return input.type.kind === "json";
  if (input.kind === "array") return reaches(input.element, steps);
  return resolves(fieldsOf(input), steps);
}

function fieldsOf(input: InputType): Fields {
  switch (input.kind) {
    case "none":
    case "value":
      return [];
    case "object":
      return input.fields;
    case "array":
      return fieldsOf(input.element);
    case "union":
      return [{ name: input.wireField }, ...input.variants.flatMap((variant) => variant.fields)];
  }
}

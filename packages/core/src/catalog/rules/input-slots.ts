import { canonicalJson } from "../../base/canonical-json.ts";
import type { SlotDoc, VariantDoc } from "../format/input-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { nodeToCanonical } from "../yaml/node.ts";
import { declaredSlots, type DeclaredUnion, declaredUnions } from "./bound-names.ts";
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

import { canonicalJson } from "../../hash/canonical-json.ts";
import type { VariantDoc } from "../../load/format/input-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import { nodeToCanonical } from "../../load/yaml/node-to-json.ts";
import { type DeclaredUnion, declaredUnions } from "../declared-slots.ts";
import type { Rule, RuleContext } from "../rule.ts";

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

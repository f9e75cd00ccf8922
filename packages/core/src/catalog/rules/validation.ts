import type { Json } from "../../values/value-type.ts";
import type { InputSchema, InputType } from "../../model/input.ts";
import type { Capability } from "../../model/model.ts";
import { rootUnion, slotsOf } from "../../model/slots-of.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

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

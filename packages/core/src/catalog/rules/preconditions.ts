import { nameList } from "../../diagnostics/nearest-name.ts";
import type { PreconditionDoc } from "../format/input-shape.ts";
import type { KeyPath } from "../key-path.ts";
import type { YamlNode } from "../yaml/node.ts";
import { describeNode } from "../yaml/convert.ts";
import { type Capability, type Entity, isEffectKind, oneOfKind } from "../../model/model.ts";
import { declaredSlotType } from "../../model/input.ts";
import { slotsOf } from "../../model/slots-of.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { Rule, RuleContext } from "./rule.ts";

const TESTS = ["eq", "in", "not_in", "exists"] as const;

/** CAT-143: preconditions stand on effects, test a field of a row there is, and fit its type. */
export const preconditionsRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { preconditions }] of domain.capabilities) {
    const capability = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "preconditions"];
    if (capability === undefined || preconditions.length === 0 || inDomain.faulty(path)) continue;
    const { kind } = capability;
    if (!isEffectKind(kind)) {
      inDomain.atKey(path, "CAT143", "place", { kind: oneOfKind(kind) });
      continue;
    }
    preconditions.forEach((doc, at) => checkOne(context, capability, doc, [...path, at]));
  }
};

function checkOne(
  context: RuleContext,
  capability: Capability,
  doc: PreconditionDoc,
  path: KeyPath,
): void {
  const { inDomain } = context;
  const given = TESTS.filter((test) => doc[test] !== undefined);
  const [test] = given;
  if (test === undefined || given.length > 1) {
    const has = given.length === 0 ? "no test" : given.join(" and ");
    inDomain.atValue(path, "CAT143", "one", { found: doc.field, has });
    return;
  }
  const entity = rowOf(context, capability, doc, path);
  if (entity === undefined) return;
  const field = entity.fields.get(doc.field);
  if (field === undefined) {
    inDomain.unknown(
      [...path, "field"],
      `field of ${entity.name}`,
      doc.field,
      entity.fields.keys(),
    );
  } else checkValues(context, doc, test, { path, type: field.type });
}

/** The entity whose row is looked at; undefined where there is none. */
function rowOf(
  { catalog, inDomain }: RuleContext,
  capability: Capability,
  { param }: PreconditionDoc,
  path: KeyPath,
): Entity | undefined {
  const { entities } = catalog.cgs;
  const { name, kind, entity } = capability;
  if (param === undefined) {
    if (kind !== "create") return entities.get(entity);
    inDomain.atValue(path, "CAT143", "row", { found: name, kind: oneOfKind(kind) });
    return undefined;
  }
  const slots = slotsOf(capability);
  const slot = slots.find((each) => each.name === param);
  const at = [...path, "param"];
  if (slot === undefined) {
    const names = slots.map((each) => each.name);
    inDomain.unknown(at, `parameter of ${name}`, param, names);
    return undefined;
  }
  const type = declaredSlotType(slot);
  if (type?.kind === "entity_ref") return entities.get(type.target);
  const refs = slots.filter((each) => declaredSlotType(each)?.kind === "entity_ref");
  const allowed =
    refs.length === 0
      ? ""
      : `: ${nameList(
          refs.map((each) => each.name),
          param,
        )}`;
  inDomain.atValue(at, "CAT143", "param", { found: param, refs: allowed });
  return undefined;
}

function checkValues(
  { inDomain }: RuleContext,
  doc: PreconditionDoc,
  test: (typeof TESTS)[number],
  { path, type }: { readonly path: KeyPath; readonly type: ValueType },
): void {
  if (test === "exists") return;
  const { field } = doc;
  const at = [...path, test];
  const allowed = allowedFor(type);
  if (allowed === null) {
    inDomain.atKey(at, "CAT143", "type", { field, type: type.kind });
    return;
  }
  const list = test === "eq" ? null : (doc[test] ?? []);
  if (list?.length === 0) inDomain.atValue(at, "CAT143", "empty", {});
  const wrong = (value: YamlNode, place: KeyPath): void => {
    if (fits(value, type)) return;
    const params = { found: describeNode(value), field, type: type.kind, allowed };
    inDomain.atValue(place, "CAT143", "value", params);
  };
  list?.forEach((value, index) => wrong(value, [...at, index]));
  if (list === null && doc.eq !== undefined) wrong(doc.eq, at);
}

/** The values that a type has, as the message says them; null where only `exists` can be asked. */
export function allowedFor(type: ValueType): string | null {
  switch (type.kind) {
    case "select":
      return type.options.length === 0 ? "text" : nameList(type.options, "");
    case "string":
    case "uuid":
      return "text";
    case "boolean":
      return "true, false";
    case "number":
      return "a number";
    case "integer":
      return "a whole number";
    default:
      return null;
  }
}

/** Whether a value as it is written is one of a type. */
export function fits(value: YamlNode, type: ValueType): boolean {
  switch (type.kind) {
    case "boolean":
      return value.kind === "boolean";
    case "number":
      return value.kind === "number";
    case "integer":
      return value.kind === "number" && /^[+-]?\d+$/.test(value.source);
    case "select": {
      const option = optionOf(value);
      return option !== null && (type.options.length === 0 || type.options.includes(option));
    }
    default:
      return value.kind === "text";
  }
}

/** A scalar as `allowed_values` reads it. */
function optionOf(value: YamlNode): string | null {
  if (value.kind === "text") return value.value;
  if (value.kind === "number") return value.source;
  return value.kind === "boolean" ? String(value.value) : null;
}

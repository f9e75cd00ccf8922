import { nameList } from "../../diagnostics/nearest-name.ts";
import { itemsValue, type ValueDoc } from "../../load/format/value-shape.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";
import { usedValues } from "../value-uses.ts";

/** CAT-030 to CAT-035: what each type of value needs and excludes. */
export const valueTypesRule: Rule = (context) => {
  const used = usedValues(context.domain);
  for (const [name, value] of context.domain.values) {
    if (context.inDomain.faulty(["values", name])) continue;
    checkTarget(context, name, value, used.has(name));
    checkOptions(context, name, value);
    checkItems(context, name, value);
    const slot = used.get(name);
    if (slot === undefined) continue;
    checkFormat(context, name, value, slot);
    checkSemantics(context, name, value, slot);
  }
};

function checkTarget(context: RuleContext, name: string, value: ValueDoc, used: boolean): void {
  if (value.type !== "entity_ref") return;
  const { domain, inDomain } = context;
  const path = ["values", name, "target"];
  const { target = "" } = value;
  if (target.trim() !== "" && inDomain.has(["entities", target])) return;
  const entities = [...domain.entities.keys()];
  const allowed = nameList(entities, target) || "none";
  if (!used) {
    const found = target === "" ? "nothing" : target;
    inDomain.atValue(path, "CAT030", "unused", { found, allowed });
  } else if (target.trim() === "") inDomain.atValue(path, "CAT030", "blank", { allowed });
  else {
    const params = { found: target, ...choice(target, entities) };
    inDomain.atValue(path, "CAT030", "unknown", params);
  }
}

function checkOptions({ inDomain }: RuleContext, name: string, value: ValueDoc): void {
  if (value.allowed_values.length > 0) return;
  const path = ["values", name, "allowed_values"];
  if (value.type === "multi_select") inDomain.atKey(path, "CAT031", "options", {});
  if (value.type === "select") inDomain.atKey(path, "CAT032", "options", {});
}

function checkItems(context: RuleContext, name: string, value: ValueDoc): void {
  const { domain, inDomain } = context;
  const path = ["values", name, "items"];
  const { items } = value;
  if (value.type !== "array") {
    if (items !== undefined) inDomain.atKey(path, "CAT035", "extra", { found: value.type });
    return;
  }
  if (items === undefined) return inDomain.atKey(path, "CAT035", "missing", {});
  const inPlace = items.type ?? (items.allowed_values.length > 0 ? "allowed_values" : undefined);
  const { value_ref: named } = items;
  if ((named === undefined) === (inPlace === undefined)) {
    const found = named === undefined ? "neither" : "both";
    return inDomain.atKey(path, "CAT035", "form", { found });
  }
  if (named === undefined) return checkInPlace(context, name, value);
  const element = domain.values.get(named);
  const ref = [...path, "value_ref"];
  if (element?.type === "array") {
    inDomain.atValue(ref, "CAT035", "nested", { found: named });
  } else if (element === undefined && !inDomain.has(["values", named])) {
    inDomain.unknown(ref, "value", named, domain.values.keys());
  }
}

/** Elements that are written in place of a value: what such a value would have to be. */
function checkInPlace({ domain, inDomain }: RuleContext, name: string, value: ValueDoc): void {
  const path = ["values", name, "items"];
  const element = itemsValue(value);
  if (element === undefined) return;
  if (element.type === "array") {
    inDomain.atValue([...path, "type"], "CAT035", "nested", { found: "items" });
  }
  if (element.type === "multi_select" && element.allowed_values.length === 0) {
    inDomain.atKey([...path, "allowed_values"], "CAT031", "options", {});
  }
  const { target = "" } = element;
  if (element.type !== "entity_ref" || inDomain.has(["entities", target])) return;
  const params = { found: target, ...choice(target, domain.entities.keys()) };
  inDomain.atValue([...path, "target"], "CAT030", "unknown", params);
}

function checkFormat({ inDomain }: RuleContext, name: string, value: ValueDoc, slot: string): void {
  const path = ["values", name, "value_format"];
  if (value.type === "date") {
    if (value.value_format === undefined) inDomain.atKey(path, "CAT033", "missing", { slot });
  } else if (value.value_format !== undefined) {
    inDomain.atKey(path, "CAT033", "extra", { found: value.type, slot });
  }
}

function checkSemantics(
  { inDomain }: RuleContext,
  name: string,
  value: ValueDoc,
  slot: string,
): void {
  const path = ["values", name, "string_semantics"];
  if (value.type === "string") {
    if (value.string_semantics === undefined) inDomain.atKey(path, "CAT034", "missing", { slot });
  } else if (value.string_semantics !== undefined) {
    inDomain.atKey(path, "CAT034", "extra", { found: value.type, slot });
  }
}

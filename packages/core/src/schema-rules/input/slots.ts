import type { SlotDoc } from "../../load/format/input-shape.ts";
import type { KeyPath } from "../../load/key-path.ts";
import { declaredSlots } from "../declared-slots.ts";
import type { Rule, RuleContext } from "../rule.ts";

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

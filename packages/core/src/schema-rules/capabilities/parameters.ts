import type { ValueType } from "../../values/value-type.ts";
import type { Capability } from "../../schema/capability.ts";
import { isList } from "../../schema/capability-kind.ts";
import type { Slot } from "../../schema/input.ts";
import { slotTarget, slotType } from "../../schema/slot-type.ts";
import { slotsOf } from "../../schema/slots-of.ts";
import type { KeyPath } from "../../load/key-path.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** CAT-076, CAT-077: references and scopes of lists; CAT-078: a whole-body `input`. */
export const parametersRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    capability.parameters.forEach((slot, at) => {
      const path = ["capabilities", capability.name, "parameters", at];
      if (isList(capability.kind)) {
        checkTarget(context, capability, slot, path);
        if (slot.role === "scope" && slot.required) checkScope(context, slot, path);
      }
    });
    checkInput(context, capability);
  }
};

function checkTarget(
  { catalog, inDomain }: RuleContext,
  capability: Capability,
  slot: Slot,
  path: KeyPath,
): void {
  const { entity } = capability;
  const type = catalog.cgs.entities.get(entity)?.fields.get(slot.name)?.type;
  const target = slotTarget(slot);
  if (type?.kind !== "entity_ref" || target === undefined || target === type.target) return;
  const params = { found: slot.name, target, entity, other: type.target };
  inDomain.atValue([...path, "value_ref"], "CAT076", "target", params);
}

function checkScope({ inDomain }: RuleContext, slot: Slot, path: KeyPath): void {
  const type = slotType(slot);
  const found = slot.name;
  if (inDomain.faulty(path)) return;
  if (type === undefined || ["json", "array", "blob"].includes(type.kind)) {
    const kind = type?.kind ?? slot.input.kind;
    inDomain.atKey(path, "CAT077", "type", { found, type: kind });
  } else if (type.kind === "select" && type.options.length === 0) {
    inDomain.atKey(path, "CAT077", "options", { found });
  }
}

function checkInput({ catalog, inDomain }: RuleContext, capability: Capability): void {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "http" && template?.transport !== "graphql") return;
  if (template.body?.type !== "var" || template.body.name !== "input") return;
  const slot = slotsOf(capability).find(({ name }) => name === "input");
  const at = capability.parameters.findIndex(({ name }) => name === "input");
  const path = ["capabilities", capability.name, ...(at === -1 ? [] : ["parameters", at])];
  // A root value or array is the argument input itself (RUN-013).
  const root = at === -1 && capability.inputSchema?.input.kind !== "object";
  if (slot === undefined || root || inDomain.faulty(path)) return;
  const type: ValueType | undefined = slotType(slot);
  if (type?.kind === "json") return;
  const found = type?.kind ?? slot.input.kind;
  inDomain.atKey(path, "CAT078", "type", { found: capability.name, type: found });
}

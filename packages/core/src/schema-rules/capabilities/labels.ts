import type { Capability } from "../../schema/capability.ts";
import { slotsOf } from "../../schema/slots-of.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** CAT-071: labels are unique per entity; CAT-072: and hide no field or relation. */
export const labelsRule: Rule = (context) => {
  const seen = new Map<string, Capability>();
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const key = JSON.stringify([capability.entity, capability.label]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, capability);
    else reportTwice(context, capability, first);
    checkHiding(context, capability);
  }
};

function reportTwice({ inDomain }: RuleContext, capability: Capability, first: Capability): void {
  const { name: found, label, entity } = capability;
  inDomain.atKey(["capabilities", found], "CAT071", "label", {
    found,
    other: first.name,
    first: inDomain.position(["capabilities", first.name]),
    label,
    entity,
  });
}

function checkHiding({ domain, inDomain }: RuleContext, capability: Capability): void {
  const { kind, label, entity, name: found } = capability;
  if (kind !== "action" && kind !== "update" && kind !== "delete") return;
  if (slotsOf(capability).some((slot) => slot.required)) return;
  const doc = domain.entities.get(entity);
  const hidden = doc?.fields.has(label) ? "field" : doc?.relations.has(label) ? "relation" : null;
  if (hidden === null) return;
  inDomain.atKey(["capabilities", found], "CAT072", "name", {
    label,
    found,
    kind: hidden,
    entity,
    first: inDomain.position(["entities", entity, `${hidden}s`, label]),
  });
}

import type { Rule } from "../rule.ts";

/** CAT-005 for the entities a capability names. */
export const capabilityReferencesRule: Rule = ({ domain, inDomain }) => {
  const names = [...domain.entities.keys()];
  for (const [name, capability] of domain.capabilities) {
    const path = ["capabilities", name];
    if (!inDomain.has(["entities", capability.entity])) {
      inDomain.unknown([...path, "entity"], "entity", capability.entity, names);
    }
    const { output } = capability;
    if (output?.type !== "entity" && output?.type !== "collection") continue;
    if (inDomain.has(["entities", output.entity_type])) continue;
    inDomain.unknown([...path, "output", "entity_type"], "entity", output.entity_type, names);
  }
};

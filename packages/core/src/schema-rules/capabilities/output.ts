import { choice } from "../part-view.ts";
import type { Rule } from "../rule.ts";

/** CAT-074: an action says what it answers; CAT-075: `provides` names what the entity has. */
export const outputRule: Rule = ({ domain, inDomain }) => {
  for (const [found, capability] of domain.capabilities) {
    const path = ["capabilities", found];
    const { output, provides, kind, entity } = capability;
    const described = output !== undefined || provides.length > 0;
    if (kind === "action" && !described && !inDomain.faulty(path)) {
      inDomain.atKey(path, "CAT074", "none", { found });
    }
    if (output?.type === "side_effect" && output.description.trim() === "") {
      inDomain.atKey([...path, "output"], "CAT074", "blank", { found });
    }
    const doc = domain.entities.get(entity);
    if (doc === undefined || inDomain.faulty(["entities", entity])) continue;
    const names = [...doc.fields.keys(), ...doc.relations.keys()];
    provides.forEach((name, at) => {
      if (names.includes(name)) return;
      const params = { found: name, entity, ...choice(name, names) };
      inDomain.atValue([...path, "provides", at], "CAT075", "name", params);
    });
  }
};

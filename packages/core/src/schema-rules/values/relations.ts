import type { Rule } from "../rule.ts";

/** CAT-060: a relation has no entity_ref field's name; CAT-005 for its target. */
export const relationsRule: Rule = ({ domain, inDomain }) => {
  for (const [entity, { fields, relations }] of domain.entities) {
    for (const [found, relation] of relations) {
      const path = ["entities", entity, "relations", found];
      const field = fields.get(found);
      const type = field && domain.values.get(field.value_ref)?.type;
      if (type === "entity_ref") {
        const first = inDomain.position(["entities", entity, "fields", found]);
        inDomain.atKey(path, "CAT060", "field", { found, entity, first });
      }
      if (!inDomain.has(["entities", relation.target])) {
        const names = domain.entities.keys();
        inDomain.unknown([...path, "target"], "entity", relation.target, names);
      }
    }
  }
};

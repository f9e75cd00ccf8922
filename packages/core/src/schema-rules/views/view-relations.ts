import type { Rule } from "../rule.ts";

/** CAT-125: relation outputs are what the entity's relations say; CAT-005 for unknown ones. */
export const viewRelationsRule: Rule = ({ catalog, inDomain }) => {
  for (const view of catalog.cgs.views.values()) {
    const entity = catalog.cgs.entities.get(view.entity);
    if (entity === undefined || inDomain.faulty(["entities", view.entity, "relations"])) continue;
    view.relationOutputs.forEach((output, at) => {
      const path = ["views", view.key, "relation_outputs", at];
      const relation = entity.relations.get(output.relation);
      if (relation === undefined) {
        const names = entity.relations.keys();
        inDomain.unknown([...path, "relation"], "relation", output.relation, names);
        return;
      }
      const where = { entity: entity.name, relation: relation.name };
      if (output.target !== relation.target) {
        const params = { found: output.target, allowed: relation.target, ...where };
        inDomain.atValue([...path, "target"], "CAT125", "target", params);
      }
      if (output.cardinality !== relation.cardinality) {
        const params = { found: output.cardinality, allowed: relation.cardinality, ...where };
        inDomain.atValue([...path, "cardinality"], "CAT125", "cardinality", params);
      }
    });
  }
};

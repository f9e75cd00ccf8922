import type { Rule } from "../rule.ts";

/** CAT-042: an alias is unique in the catalog, and no entity's name. */
export const entityAliasesRule: Rule = ({ domain, inDomain }) => {
  const owners = new Map<string, { readonly entity: string; readonly first: string }>();
  for (const [entity, { expression_aliases }] of domain.entities) {
    expression_aliases.forEach((found, at) => {
      const path = ["entities", entity, "expression_aliases", at];
      const owner = owners.get(found);
      if (inDomain.has(["entities", found])) {
        const first = inDomain.position(["entities", found]);
        inDomain.atValue(path, "CAT042", "entity", { found, entity, first });
      } else if (owner !== undefined) {
        const params = { found, entity, other: owner.entity, first: owner.first };
        inDomain.atValue(path, "CAT042", "alias", params);
      } else owners.set(found, { entity, first: inDomain.position(path) });
    });
  }
};

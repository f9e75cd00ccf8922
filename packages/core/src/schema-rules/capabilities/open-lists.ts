import { defaultList, isOpenList, isPlainLabel, primaryList } from "../../mapping/open-lists.ts";
import { capabilitiesOf } from "../../schema/capabilities-of.ts";
import { choice } from "../part-view.ts";
import type { Rule } from "../rule.ts";

/**
 * CAT-044: a list that an entity marks as its own is one that needs no argument; CAT-082: where there are
 * several and no label says which is meant, one is marked.
 */
export const openListsRule: Rule = ({ catalog, inDomain }) => {
  for (const entity of catalog.cgs.entities.values()) {
    const own = capabilitiesOf(catalog.cgs, entity.name).filter(
      ({ name }) => !inDomain.faulty(["capabilities", name]),
    );
    for (const kind of ["query", "search"] as const) {
      const open = own.filter((list) => list.kind === kind && isOpenList(catalog, list));
      const names = open.map(({ name }) => name);
      const key = `primary_${kind}`;
      const found = primaryList(entity, kind);
      if (found !== undefined) {
        if (names.includes(found) || inDomain.faulty(["capabilities", found])) continue;
        const params = { found, kind, entity: entity.name, ...choice(found, names) };
        inDomain.atValue(["entities", entity.name, key], "CAT044", "list", params);
        continue;
      }
      const used = defaultList(catalog, entity, kind, own);
      if (used === null || open.length < 2 || isPlainLabel(used)) continue;
      inDomain.atKey(["entities", entity.name], "CAT082", "several", {
        entity: entity.name,
        kind,
        found: names.join(", "),
        used: used.name,
        key,
      });
    }
  }
};

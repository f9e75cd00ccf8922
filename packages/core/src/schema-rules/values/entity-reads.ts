import { declaredCapabilities } from "../../schema/capabilities-by-label.ts";
import { choice } from "../part-view.ts";
import type { Rule } from "../rule.ts";

/** CAT-043: an entity has a capability unless it is abstract; CAT-044: its primary read is a get of it. */
export const entityReadsRule: Rule = ({ domain, catalog, inDomain }) => {
  const allRead = !inDomain.faulty(["capabilities"]);
  for (const [name, entity] of domain.entities) {
    const own = declaredCapabilities(catalog.cgs, name);
    if (own.length === 0 && !entity.abstract && allRead) {
      inDomain.atKey(["entities", name], "CAT043", "none", { entity: name });
    }
    const { primary_read: found } = entity;
    const gets = own.filter(({ kind }) => kind === "get").map((each) => each.name);
    if (found === undefined || gets.includes(found)) continue;
    if (inDomain.faulty(["capabilities", found])) continue;
    const params = { found, entity: name, ...choice(found, gets) };
    inDomain.atValue(["entities", name, "primary_read"], "CAT044", "get", params);
  }
};

import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../../load/nearest-text.ts";
import { variableUses } from "../../mapping/variable-uses.ts";
import { boundNames } from "../bound-names.ts";
import type { Rule } from "../rule.ts";

/** MAP-003: something binds every variable of a template, or an `exists` guards it. */
export const variablesRule: Rule = ({ catalog, inDomain, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (capability === undefined || inDomain.faulty(["capabilities", name])) continue;
    if (inMappings.faulty([name]) || inDomain.faulty(["entities", capability.entity])) continue;
    const bound = boundNames(catalog, capability);
    const told = new Set<string>();
    for (const { name: found, at, guarded, zone } of variableUses(template)) {
      // A path variable that nothing binds is an argument (RUN-011).
      if (guarded || zone === "path" || bound.has(found) || told.has(found)) continue;
      told.add(found);
      const nearest = nearestText(found, bound.arguments);
      const allowed = nameList(bound.all(), found) || "none";
      inMappings.atValue([name, ...at], "MAP003", "unbound", { found, nearest, allowed });
    }
  }
};

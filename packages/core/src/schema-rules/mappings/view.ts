import { oneOfKind } from "../../schema/capability-kind.ts";
import { choice } from "../part-view.ts";
import type { Rule } from "../rule.ts";

/** MAP-050: a view mapping names a view of the capability's entity, on a query or get. */
export const viewMappingRule: Rule = ({ catalog, inDomain, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (template.transport !== "view" || capability === undefined) continue;
    const path = [name, "view"];
    const found = template.view;
    const view = catalog.cgs.views.get(found);
    if (view === undefined) {
      if (inDomain.has(["views", found])) continue;
      const params = { found, ...choice(found, catalog.cgs.views.keys()) };
      inMappings.atValue(path, "MAP050", "unknown", params);
      continue;
    }
    const { entity, kind } = capability;
    if (view.entity !== entity) {
      const params = { found, other: view.entity, entity, capability: name };
      inMappings.atValue(path, "MAP050", "entity", params);
    }
    if (kind !== "query" && kind !== "get") {
      inMappings.atValue([name, "transport"], "MAP050", "kind", {
        capability: name,
        found: oneOfKind(kind),
      });
    }
  }
};

import type { Rule } from "../rule.ts";
import { valueUses } from "../value-uses.ts";

/** CAT-005 for every place that names a value; the overlay's are CAT-152. */
export const valueRefsRule: Rule = ({ domain, inDomain }) => {
  for (const { value, path } of valueUses(domain)) {
    if (path[0] === "schema_overlay") continue;
    if (inDomain.has(["values", value])) continue;
    inDomain.unknown(path, "value", value, domain.values.keys());
  }
};

import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import { viewOf } from "../../mapping/view-of.ts";
import { effectKind } from "../../policy/may-use.ts";
import { type AccessRules, usableCapabilities } from "../access.ts";

/**
 * Which reads of an entity hold the rows of a relation, since they are views with an output for it
 * (RUN-100): all of them, only some, or none. Those of some have to be read first where a row lacks them.
 */
export function viewFills(
  rules: AccessRules,
  owner: EntityKey,
  relation: string,
): "all" | "some" | "none" {
  const catalog = catalogOf(rules.exposure.catalogs, owner.entryId);
  const reads = usableCapabilities(rules, owner).filter(({ kind }) => effectKind(kind) === null);
  const filling = reads.filter((read) => {
    const outputs = viewOf(catalog, read)?.relationOutputs ?? [];
    return outputs.some((output) => output.relation === relation);
  });
  if (filling.length === 0) return "none";
  return filling.length === reads.length ? "all" : "some";
}

import { nameList } from "../../diagnostics/nearest-name.ts";
import type { EntityDoc } from "../../load/format/entity-shape.ts";
import { choice } from "../part-view.ts";
import type { Rule, RuleContext } from "../rule.ts";

/** CAT-040: the id field is a field; CAT-041: compound keys are fields and leave no doubt. */
export const identityRule: Rule = (context) => {
  for (const [name, entity] of context.domain.entities) {
    if (context.inDomain.faulty(["entities", name, "fields"])) continue;
    checkIdField(context, name, entity);
    if (entity.key_vars.length >= 2) checkKeyVars(context, name, entity);
  }
};

function hasOtherIdentity(entity: EntityDoc): boolean {
  return entity.id_from !== undefined || entity.implicit_request_identity;
}

function checkIdField({ inDomain }: RuleContext, name: string, entity: EntityDoc): void {
  const found = entity.id_field ?? entity.key_vars[0] ?? "id";
  if (entity.fields.has(found) || hasOtherIdentity(entity)) return;
  // A compound key that is no field is CAT-041's.
  if (entity.id_field === undefined && entity.key_vars.length >= 2) return;
  const params = { found, entity: name, ...choice(found, entity.fields.keys()) };
  inDomain.atValue(["entities", name, "id_field"], "CAT040", "field", params);
}

function checkKeyVars({ inDomain }: RuleContext, name: string, entity: EntityDoc): void {
  const path = ["entities", name, "key_vars"];
  const missing = entity.key_vars.filter((key) => !entity.fields.has(key));
  if (missing.length > 0) {
    const found = nameList(missing, "");
    const params = { found, entity: name, ...choice(missing[0] ?? "", entity.fields.keys()) };
    inDomain.atValue(path, "CAT041", "fields", params);
  } else if (entity.id_field === undefined && !hasOtherIdentity(entity)) {
    const found = entity.key_vars.join(", ");
    inDomain.atKey(path, "CAT041", "identity", { found, entity: name });
  }
}

import { nameList } from "../../diagnostics/nearest-name.ts";
import { itemsValue, type ValueDoc } from "../format/value-shape.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { valuesInUse, valueUses } from "./value-uses.ts";
import { declaresKey, type EntityDoc } from "../format/domain-shape.ts";
import { declaredCapabilities } from "../../model/lookups.ts";

/** CAT-030 to CAT-035: what each type of value needs and excludes. */
export const valueTypesRule: Rule = (context) => {
  const used = valuesInUse(context.domain);
  for (const [name, value] of context.domain.values) {
    if (context.inDomain.faulty(["values", name])) continue;
    checkTarget(context, name, value, used.has(name));
    checkOptions(context, name, value);
    checkItems(context, name, value);
    const slot = used.get(name);
    if (slot === undefined) continue;
    checkFormat(context, name, value, slot);
    checkSemantics(context, name, value, slot);
  }
};

function checkTarget(context: RuleContext, name: string, value: ValueDoc, used: boolean): void {
  if (value.type !== "entity_ref") return;
  const { domain, inDomain } = context;
  const path = ["values", name, "target"];
  const { target = "" } = value;
  if (target.trim() !== "" && inDomain.has(["entities", target])) return;
  const entities = [...domain.entities.keys()];
  const allowed = nameList(entities, target) || "none";
  if (!used) {
    const found = target === "" ? "nothing" : target;
    inDomain.atValue(path, "CAT030", "unused", { found, allowed });
  } else if (target.trim() === "") inDomain.atValue(path, "CAT030", "blank", { allowed });
  else {
    const params = { found: target, ...choice(target, entities) };
    inDomain.atValue(path, "CAT030", "unknown", params);
  }
}

function checkOptions({ inDomain }: RuleContext, name: string, value: ValueDoc): void {
  if (value.allowed_values.length > 0) return;
  const path = ["values", name, "allowed_values"];
  if (value.type === "multi_select") inDomain.atKey(path, "CAT031", "options", {});
  if (value.type === "select") inDomain.atKey(path, "CAT032", "options", {});
}

function checkItems(context: RuleContext, name: string, value: ValueDoc): void {
  const { domain, inDomain } = context;
  const path = ["values", name, "items"];
  const { items } = value;
  if (value.type !== "array") {
    if (items !== undefined) inDomain.atKey(path, "CAT035", "extra", { found: value.type });
    return;
  }
  if (items === undefined) return inDomain.atKey(path, "CAT035", "missing", {});
  const inPlace = items.type ?? (items.allowed_values.length > 0 ? "allowed_values" : undefined);
  const { value_ref: named } = items;
  if ((named === undefined) === (inPlace === undefined)) {
    const found = named === undefined ? "neither" : "both";
    return inDomain.atKey(path, "CAT035", "form", { found });
  }
  if (named === undefined) return checkInPlace(context, name, value);
  const element = domain.values.get(named);
  const ref = [...path, "value_ref"];
  if (element?.type === "array") {
    inDomain.atValue(ref, "CAT035", "nested", { found: named });
  } else if (element === undefined && !inDomain.has(["values", named])) {
    inDomain.unknown(ref, "value", named, domain.values.keys());
  }
}

/** Elements that are written in place of a value: what such a value would have to be. */
function checkInPlace({ domain, inDomain }: RuleContext, name: string, value: ValueDoc): void {
  const path = ["values", name, "items"];
  const element = itemsValue(value);
  if (element === undefined) return;
  if (element.type === "array") {
    inDomain.atValue([...path, "type"], "CAT035", "nested", { found: "items" });
  }
  if (element.type === "multi_select" && element.allowed_values.length === 0) {
    inDomain.atKey([...path, "allowed_values"], "CAT031", "options", {});
  }
  const { target = "" } = element;
  if (element.type !== "entity_ref" || inDomain.has(["entities", target])) return;
  const params = { found: target, ...choice(target, domain.entities.keys()) };
  inDomain.atValue([...path, "target"], "CAT030", "unknown", params);
}

function checkFormat({ inDomain }: RuleContext, name: string, value: ValueDoc, slot: string): void {
  const path = ["values", name, "value_format"];
  if (value.type === "date") {
    if (value.value_format === undefined) inDomain.atKey(path, "CAT033", "missing", { slot });
  } else if (value.value_format !== undefined) {
    inDomain.atKey(path, "CAT033", "extra", { found: value.type, slot });
  }
}

function checkSemantics(
  { inDomain }: RuleContext,
  name: string,
  value: ValueDoc,
  slot: string,
): void {
  const path = ["values", name, "string_semantics"];
  if (value.type === "string") {
    if (value.string_semantics === undefined) inDomain.atKey(path, "CAT034", "missing", { slot });
  } else if (value.string_semantics !== undefined) {
    inDomain.atKey(path, "CAT034", "extra", { found: value.type, slot });
  }
}

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

/**
 * Whether rows stand in others alone: nothing refers to them, no request is about them or answers them, and every relation that
 * leads to them is to many and reads them where they stand.
 */
function standsInRows({ domain, inDomain }: RuleContext, name: string): boolean {
  const { values, entities, capabilities } = domain;
  for (const { target, items } of values.values()) {
    if (target === name || items?.target === name) return false;
  }
  for (const { entity, output } of capabilities.values()) {
    const given = output !== undefined && "entity_type" in output ? output.entity_type : null;
    if (entity === name || given === name) return false;
  }
  for (const [owner, { relations }] of entities) {
    for (const [relation, { target, cardinality, materialize }] of relations) {
      if (target !== name || inDomain.faulty(["entities", owner, "relations", relation])) continue;
      const isHeld = ["from_parent_get", "unavailable"].includes(materialize.kind);
      if (cardinality === "one" || !isHeld) return false;
    }
  }
  return true;
}

function checkIdField(context: RuleContext, name: string, entity: EntityDoc): void {
  const { inDomain } = context;
  const found = entity.id_field ?? entity.key_vars[0] ?? "id";
  if (entity.fields.has(found) || hasOtherIdentity(entity)) return;
  if (!declaresKey(entity) && standsInRows(context, name)) return;
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

/** CAT-045: only text and blobs are presented as references, clipped, or attached. */
export const presentationRule: Rule = ({ domain, inDomain }) => {
  for (const [entity, { fields }] of domain.entities) {
    for (const [name, field] of fields) {
      const type = domain.values.get(field.value_ref)?.type;
      if (type === undefined || type === "string" || type === "blob") continue;
      const path = ["entities", entity, "fields", name];
      if (field.agent_presentation !== "default") {
        const key = "agent_presentation";
        inDomain.atKey([...path, key], "CAT045", "type", { key, type });
      }
      if (field.attachment_media !== undefined) {
        const key = "attachment_media";
        inDomain.atKey([...path, key], "CAT045", "type", { key, type });
      }
    }
  }
};

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

/** CAT-005 for every place that names a value; the overlay's are CAT-152. */
export const valueRefsRule: Rule = ({ domain, inDomain }) => {
  for (const { value, path } of valueUses(domain)) {
    if (path[0] === "schema_overlay") continue;
    if (inDomain.has(["values", value])) continue;
    inDomain.unknown(path, "value", value, domain.values.keys());
  }
};

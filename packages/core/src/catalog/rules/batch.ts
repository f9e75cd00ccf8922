import { type Capability, oneOfKind } from "../../model/model.ts";
import { declaredSlotType } from "../../model/input.ts";
import { keyParts } from "../../model/lookups.ts";
import { provides } from "../../model/choose-get.ts";
import { isPaged } from "../../mapping/open-lists.ts";
import { declaredPageSize } from "../../mapping/page-names.ts";
import type { BatchDoc } from "../format/capability-shape.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-147: batch stands on lists that need nothing else, and names a parameter of values and what they are of. */
export const batchRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { batch }] of domain.capabilities) {
    const list = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "batch"];
    if (list === undefined || batch === undefined || inDomain.faulty(path)) continue;
    if (list.kind !== "query" && list.kind !== "search") {
      inDomain.atKey(path, "CAT147", "place", { kind: oneOfKind(list.kind) });
      continue;
    }
    checkValues(context, list, batch, path);
    checkField(context, list, batch, path);
    const template = catalog.cml.get(name);
    if (template !== undefined && isPaged(template) && declaredPageSize(template) === null) {
      inDomain.atKey(path, "CAT147", "pages", { capability: name });
    }
  }
};

/** The parameter takes a list and is the only one that is needed. */
function checkValues(
  { inDomain }: RuleContext,
  { name: capability, parameters }: Capability,
  { param }: BatchDoc,
  path: KeyPath,
): void {
  const lists = parameters.flatMap((slot) =>
    declaredSlotType(slot)?.kind === "array" ? [slot.name] : [],
  );
  if (!lists.includes(param)) {
    const params = { found: param, capability, ...choice(param, lists) };
    inDomain.atValue([...path, "param"], "CAT147", "parameter", params);
  }
  const needed = parameters.filter(({ name, required }) => required && name !== param);
  if (needed.length > 0) {
    const found = needed.map(({ name }) => name).join(", ");
    inDomain.atKey(path, "CAT147", "needed", { capability, param, found });
  }
}

/** The field is the key of the list's rows, or a reference that they have. */
function checkField(
  { catalog: { cgs }, inDomain }: RuleContext,
  list: Capability,
  { field }: BatchDoc,
  path: KeyPath,
): void {
  const entity = cgs.entities.get(list.entity);
  if (entity === undefined) return;
  const key = keyParts(entity);
  const references = [...entity.fields].flatMap(([name, { type }]) =>
    type.kind === "entity_ref" && provides(list, name) ? [name] : [],
  );
  const fields = [...(key.length === 1 ? key : []), ...references];
  if (fields.includes(field)) return;
  const names = { found: field, entity: entity.name, capability: list.name };
  inDomain.atValue([...path, "field"], "CAT147", "field", { ...names, ...choice(field, fields) });
}

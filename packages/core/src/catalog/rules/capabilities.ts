import type { ValueType } from "../../values/value-type.ts";
import { type Capability, isList } from "../../model/model.ts";
import { type Slot, slotTarget, declaredSlotType } from "../../model/input.ts";
import { slotsOf } from "../../model/slots-of.ts";
import type { KeyPath } from "../key-path.ts";
import type { Rule, RuleContext } from "./rule.ts";
import { defaultList, isOpenList, isPlainLabel, primaryList } from "../../mapping/open-lists.ts";
import { capabilitiesOf, providedFields } from "../../model/lookups.ts";
import { choice } from "./part-view.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { compareCodePoints } from "../../base/text.ts";

/** CAT-076, CAT-077: references and scopes of lists; CAT-078: a whole-body `input`. */
export const parametersRule: Rule = (context) => {
  for (const capability of context.catalog.cgs.capabilities.values()) {
    capability.parameters.forEach((slot, at) => {
      const path = ["capabilities", capability.name, "parameters", at];
      if (isList(capability.kind)) {
        checkTarget(context, capability, slot, path);
        if (slot.role === "scope" && slot.required) checkScope(context, slot, path);
      }
    });
    checkInput(context, capability);
  }
};

function checkTarget(
  { catalog, inDomain }: RuleContext,
  capability: Capability,
  slot: Slot,
  path: KeyPath,
): void {
  const { entity } = capability;
  const type = catalog.cgs.entities.get(entity)?.fields.get(slot.name)?.type;
  const target = slotTarget(slot);
  if (type?.kind !== "entity_ref" || target === undefined || target === type.target) return;
  const params = { found: slot.name, target, entity, other: type.target };
  inDomain.atValue([...path, "value_ref"], "CAT076", "target", params);
}

function checkScope({ inDomain }: RuleContext, slot: Slot, path: KeyPath): void {
  const type = declaredSlotType(slot);
  const found = slot.name;
  if (inDomain.faulty(path)) return;
  if (type === undefined || ["json", "array", "blob"].includes(type.kind)) {
    const kind = type?.kind ?? slot.input.kind;
    inDomain.atKey(path, "CAT077", "type", { found, type: kind });
  } else if (type.kind === "select" && type.options.length === 0) {
    inDomain.atKey(path, "CAT077", "options", { found });
  }
}

function checkInput({ catalog, inDomain }: RuleContext, capability: Capability): void {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "http" && template?.transport !== "graphql") return;
  if (template.body?.type !== "var" || template.body.name !== "input") return;
  const slot = slotsOf(capability).find(({ name }) => name === "input");
  const at = capability.parameters.findIndex(({ name }) => name === "input");
  const path = ["capabilities", capability.name, ...(at === -1 ? [] : ["parameters", at])];
  // A root value or array is the argument input itself (RUN-013).
  const root = at === -1 && capability.inputSchema?.input.kind !== "object";
  if (slot === undefined || root || inDomain.faulty(path)) return;
  const type: ValueType | undefined = declaredSlotType(slot);
  if (type?.kind === "json") return;
  const found = type?.kind ?? slot.input.kind;
  inDomain.atKey(path, "CAT078", "type", { found: capability.name, type: found });
}

/** CAT-071: labels are unique per entity; CAT-072: and hide no field or relation. */
export const labelsRule: Rule = (context) => {
  const seen = new Map<string, Capability>();
  for (const capability of context.catalog.cgs.capabilities.values()) {
    const key = JSON.stringify([capability.entity, capability.label]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, capability);
    else reportTwice(context, capability, first);
    checkHiding(context, capability);
  }
};

function reportTwice({ inDomain }: RuleContext, capability: Capability, first: Capability): void {
  const { name: found, label, entity } = capability;
  inDomain.atKey(["capabilities", found], "CAT071", "label", {
    found,
    other: first.name,
    first: inDomain.position(["capabilities", first.name]),
    label,
    entity,
  });
}

function checkHiding({ domain, inDomain }: RuleContext, capability: Capability): void {
  const { kind, label, entity, name: found } = capability;
  if (kind !== "action" && kind !== "update" && kind !== "delete") return;
  if (slotsOf(capability).some((slot) => slot.required)) return;
  const doc = domain.entities.get(entity);
  const hidden = doc?.fields.has(label) ? "field" : doc?.relations.has(label) ? "relation" : null;
  if (hidden === null) return;
  inDomain.atKey(["capabilities", found], "CAT072", "name", {
    label,
    found,
    kind: hidden,
    entity,
    first: inDomain.position(["entities", entity, `${hidden}s`, label]),
  });
}

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

/** CAT-079: where several gets could read an identity, the file says which one does. */
export const getsRule: Rule = (context) => {
  const { catalog, inDomain } = context;
  for (const entity of catalog.cgs.entities.values()) {
    const gets = capabilitiesOf(catalog.cgs, entity.name).filter((capability) =>
      readsByIdentity(context, capability),
    );
    const plain = `${entity.name.toLowerCase()}_get`;
    if (gets.length < 2 || entity.primaryRead !== undefined) continue;
    if (gets.some(({ name }) => name === plain)) continue;
    const breadth = (get: Capability): number => providedFields(catalog.cgs, get).length;
    const [used] = gets.toSorted(
      (a, b) => breadth(b) - breadth(a) || compareCodePoints(a.name, b.name),
    );
    inDomain.atKey(["entities", entity.name], "CAT079", "several", {
      entity: entity.name,
      found: gets.map(({ name }) => name).join(", "),
      used: used?.name ?? plain,
    });
  }
};

function readsByIdentity({ catalog }: RuleContext, capability: Capability): boolean {
  if (capability.kind !== "get" || !capability.needsIdentity) return false;
  return !capabilitySlots(catalog, capability).slots.some((slot) => slot.required);
}

/** CAT-074: an action says what it answers; CAT-075: `provides` names what the entity has. */
export const outputRule: Rule = ({ domain, inDomain }) => {
  for (const [found, capability] of domain.capabilities) {
    const path = ["capabilities", found];
    const { output, provides, kind, entity } = capability;
    const described = output !== undefined || provides.length > 0;
    if (kind === "action" && !described && !inDomain.faulty(path)) {
      inDomain.atKey(path, "CAT074", "none", { found });
    }
    if (output?.type === "side_effect" && output.description.trim() === "") {
      inDomain.atKey([...path, "output"], "CAT074", "blank", { found });
    }
    const doc = domain.entities.get(entity);
    if (doc === undefined || inDomain.faulty(["entities", entity])) continue;
    const names = [...doc.fields.keys(), ...doc.relations.keys()];
    provides.forEach((name, at) => {
      if (names.includes(name)) return;
      const params = { found: name, entity, ...choice(name, names) };
      inDomain.atValue([...path, "provides", at], "CAT075", "name", params);
    });
  }
};

/** CAT-005 for the entities a capability names. */
export const capabilityReferencesRule: Rule = ({ domain, inDomain }) => {
  const names = [...domain.entities.keys()];
  for (const [name, capability] of domain.capabilities) {
    const path = ["capabilities", name];
    if (!inDomain.has(["entities", capability.entity])) {
      inDomain.unknown([...path, "entity"], "entity", capability.entity, names);
    }
    const { output } = capability;
    if (output?.type !== "entity" && output?.type !== "collection") continue;
    if (inDomain.has(["entities", output.entity_type])) continue;
    inDomain.unknown([...path, "output", "entity_type"], "entity", output.entity_type, names);
  }
};

/** CAT-070: every capability has a mapping. */
export const mappingExistsRule: Rule = ({ domain, inDomain, inMappings }) => {
  for (const found of domain.capabilities.keys()) {
    if (inMappings.has([found])) continue;
    inDomain.atKey(["capabilities", found], "CAT070", "mapping", { found, file: inMappings.file });
  }
};

import { capabilitySlots, receiverSlots } from "../../mapping/capability-slots.ts";
import { bestGet, capabilitiesOf, keyParts, providedFields } from "../../model/lookups.ts";
import {
  type Capability,
  type CapabilityKind,
  type Entity,
  type Undo,
  isEffectKind,
  oneOfKind,
} from "../../model/model.ts";
import { slotsOf } from "../../model/slots-of.ts";
import type { KeyPath } from "../key-path.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

/** CAT-148: undo stands on effects, and names what can be called with what is known of the row. */
export const undoRule: Rule = (context) => {
  const { catalog, domain, inDomain } = context;
  for (const [name, { undo: doc }] of domain.capabilities) {
    const capability = catalog.cgs.capabilities.get(name);
    const path = ["capabilities", name, "undo"];
    if (capability === undefined || doc === undefined || inDomain.faulty(path)) continue;
    const { kind, undo, entity: of } = capability;
    if (!isEffectKind(kind)) {
      inDomain.atKey(path, "CAT148", "place", { kind: oneOfKind(kind) });
      continue;
    }
    const entity = catalog.cgs.entities.get(of);
    if (undo === undefined || undo.kind === "none" || entity === undefined) continue;
    check({ ...context, entity, capability, path }, undo);
  }
};

interface Checked extends RuleContext {
  readonly entity: Entity;
  readonly capability: Capability;
  readonly path: KeyPath;
}

function check(checked: Checked, undo: Exclude<Undo, { readonly kind: "none" }>): void {
  const { capability, entity, inDomain, path } = checked;
  const { kind, name } = capability;
  if (undo.kind === "restore" && kind !== "update") {
    const params = { kind: oneOfKind(kind), entity: entity.name };
    return inDomain.atValue(path, "CAT148", "restore", params);
  }
  const get = getOf(checked);
  if (get === null) {
    return inDomain.atKey(path, "CAT148", "read", { entity: entity.name, capability: name });
  }
  if (kind === "action" && (capability.provides ?? []).length === 0) {
    return inDomain.atKey(path, "CAT148", "answer", { capability: name });
  }
  const source = kind === "create" ? capability : get;
  if (undo.kind === "restore") return checkRestore(checked, undo, source);
  checkCall(checked, undo, source);
}

/** The get that reads a row of which only the key is known. */
function getOf({ catalog, entity }: Checked): Capability | null {
  const gets = capabilitiesOf(catalog.cgs, entity.name).filter(
    (get) =>
      get.kind === "get" &&
      get.needsIdentity &&
      capabilitySlots(catalog, get).slots.every((slot) => !slot.required),
  );
  return bestGet(gets, entity, [...entity.fields.keys()]);
}

/** What may take an effect back: a row that was made is removed or changed, one that was removed is made again. */
const TAKES_BACK: Readonly<Partial<Record<CapabilityKind, readonly CapabilityKind[]>>> = {
  create: ["delete", "update", "action"],
  update: ["update", "action"],
  delete: ["create", "action"],
  action: ["update", "action"],
};

function checkCall(
  checked: Checked,
  undo: Extract<Undo, { readonly kind: "call" }>,
  source: Capability,
): void {
  const { catalog, capability, entity, inDomain, path } = checked;
  const at =
    typeof checked.domain.capabilities.get(capability.name)?.undo === "string"
      ? path
      : [...path, "by"];
  const kinds = TAKES_BACK[capability.kind] ?? [];
  const fitting = capabilitiesOf(catalog.cgs, entity.name).filter(
    ({ kind, name }) => kinds.includes(kind) && name !== capability.name,
  );
  const by = fitting.find(({ name }) => name === undo.capability);
  if (by === undefined) {
    const names = choice(
      undo.capability,
      fitting.map(({ name }) => name),
    );
    const params = { found: undo.capability, entity: entity.name, capability: capability.name };
    return inDomain.atValue(at, "CAT148", "capability", { ...params, ...names });
  }
  const slots = slotsOf(by);
  const unknown = capability.kind === "create" ? unknownKey(capability, entity) : undefined;
  if (unknown !== undefined) {
    return inDomain.atKey(path, "CAT148", "key", { capability: capability.name, found: unknown });
  }
  if (!checkArgs(checked, undo, by, source)) return;
  const filled = new Set([...undo.args.keys(), ...fieldsOf(checked, source), ...keyParts(entity)]);
  if (by.kind === "create") {
    const part = keyParts(entity).find(
      (each) => !slots.some((slot) => argumentField(undo, slot.name) === each),
    );
    if (part !== undefined) {
      return inDomain.atValue(at, "CAT148", "same", { found: by.name, part, entity: entity.name });
    }
  }
  const receivers = by.kind === "create" ? new Set<string>() : receiverSlots(catalog, by);
  const needed = slots.find(
    ({ name, required }) => required && !filled.has(name) && !receivers.has(name),
  );
  if (needed === undefined) return;
  const params = { capability: by.name, found: needed.name, entity: entity.name };
  inDomain.atValue(at, "CAT148", "needed", params);
}

/** A part of the key of a new row that neither its answer nor what it was made with says. */
function unknownKey(capability: Capability, entity: Entity): string | undefined {
  const said = new Set([
    ...(capability.provides ?? []),
    ...slotsOf(capability).map(({ name }) => name),
  ]);
  return keyParts(entity).find((part) => !said.has(part));
}

function checkRestore(
  checked: Checked,
  undo: Extract<Undo, { readonly kind: "restore" }>,
  source: Capability,
): void {
  const { capability, entity, inDomain, path } = checked;
  if (!checkArgs(checked, undo, capability, source)) return;
  const fields = fieldsOf(checked, source);
  if (slotsOf(capability).some(({ name }) => fields.has(argumentField(undo, name)))) return;
  const params = { capability: capability.name, entity: entity.name };
  inDomain.atKey(path, "CAT148", "nothing", params);
}

/** Whether `args` names parameters of what is called, and fields that are known. */
function checkArgs(
  checked: Checked,
  { args }: Exclude<Undo, { readonly kind: "none" }>,
  by: Capability,
  source: Capability,
): boolean {
  const { inDomain, path } = checked;
  const names = slotsOf(by).map(({ name }) => name);
  const fields = fieldsOf(checked, source);
  for (const [param, field] of args) {
    const at = [...path, "args", param];
    if (!names.includes(param)) {
      const params = { found: param, capability: by.name, ...choice(param, names) };
      inDomain.atKey(at, "CAT148", "parameter", params);
    } else if (!fields.has(field)) {
      const params = { found: field, source: source.name, ...choice(field, fields) };
      inDomain.atValue(at, "CAT148", "field", params);
    } else {
      continue;
    }
    return false;
  }
  return true;
}

const fieldsOf = ({ catalog: { cgs }, entity }: Checked, source: Capability): ReadonlySet<string> =>
  new Set(providedFields(cgs, source).filter((name) => entity.fields.has(name)));

const argumentField = (
  { args }: { readonly args: ReadonlyMap<string, string> },
  name: string,
): string => args.get(name) ?? name;

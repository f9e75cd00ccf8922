import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import type { Call } from "../../language/grammar/ast.ts";
import { anchorUse } from "../../mapping/anchors.ts";
import { capabilitySlots, receiverSlots } from "../../mapping/capability-slots.ts";
import { identityNames } from "../../mapping/path-binding.ts";
import { effectKind } from "../../policy/may-use.ts";
import { capabilityByLabel } from "../../model/lookups.ts";
import type { Capability } from "../../model/model.ts";
import { keyText } from "../../values/sort-key.ts";
import { accessTo } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { type CreatedOn, createdOn, effectRows } from "../effects/effect-rows.ts";
import { deniedProblem, droppedProblem, onlyReadsProblem } from "../names/problems.ts";
import { speakerLike, wireName } from "../names/name-formatter.ts";
import { keyOfRow } from "../reads/row-identity.ts";
import { entityRows } from "../types.ts";
import type { Rows, TypedArgs, TypedKey } from "../typed-program.ts";
import { constantKey, constantOf } from "../values/scalar-values.ts";
import { keyReference } from "../values/key-args.ts";
import {
  carriedNames,
  manyRows,
  needsTarget,
  type Receiver,
  type RowReceiver,
  wrongReceiver,
} from "./receiver.ts";
import { methodLabel, unknownMethod } from "./operator-forms.ts";
import { readArgs } from "./read-args.ts";

/** `.x(…)`: the capability labelled `x` (LANG-024, LANG-025). Null: in error, reported. */
export function callRows(context: CheckContext, receiver: Receiver, step: Call): Rows | null {
  const { key } = receiver;
  const label = methodLabel(context, key, step);
  const { cgs } = catalogOf(context.exposure.catalogs, key.entryId);
  const own = label === null ? undefined : capabilityByLabel(cgs, key.entity, label);
  if (own !== undefined) {
    if (!isUsable(context, key, own, receiver, step)) return null;
    return isCallable(context, receiver, own, step)
      ? calledRows(context, receiver, own, step)
      : null;
  }
  // Before anything else that could bear the name: what was left out has no substitute.
  const dropped =
    label === null
      ? null
      : droppedProblem(context, key, label, step.name.span, ["capability", "relation"]);
  if (dropped !== null) {
    context.found.add(dropped);
    return null;
  }
  const created = receiver.kind === "entity" ? null : createdOn(context, key, step);
  if (receiver.kind === "entity" || created === null) {
    context.found.add(unknownMethod(context, key, step));
    return null;
  }
  const entity = { entryId: key.entryId, entity: created.capability.entity };
  if (!isUsable(context, entity, created.capability, receiver, step)) return null;
  return isOneRow(context, receiver, created.capability, step)
    ? createdRows(context, receiver, created, step)
    : null;
}

/** Whether a capability may be used; reports why not. What was never taught answers as unknown. */
function isUsable(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  receiver: Receiver,
  step: Call,
): boolean {
  switch (accessTo(context, entity.entryId, capability)) {
    case "allowed":
      return true;
    case "hidden":
      context.found.add(unknownMethod(context, receiver.key, step));
      return false;
    case "denied":
      context.found.add(deniedProblem(context, entity, capability, step.name.span));
      return false;
    case "read_only":
      context.found.add(onlyReadsProblem(context, entity, capability, step.name.span));
      return false;
    case "unable":
      reportUnable(context, capability, step);
      return false;
  }
}

/** Whether the capability and its receiver go together: rows for what needs one, else the entity. */
function isCallable(
  context: CheckContext,
  receiver: Receiver,
  capability: Capability,
  step: Call,
): boolean {
  const catalog = catalogOf(context.exposure.catalogs, receiver.key.entryId);
  const use = anchorUse(catalog, capability);
  if (receiver.kind === "entity") {
    if (use !== "required") return true;
    context.found.add(needsTarget(context, receiver, capability, step));
    return false;
  }
  if (use !== "never") return isOneRow(context, receiver, capability, step);
  context.found.add(wrongReceiver(context, receiver.key, capability, step));
  return false;
}

function isOneRow(
  context: CheckContext,
  receiver: RowReceiver,
  capability: Capability,
  step: Call,
): boolean {
  if (receiver.kind === "cursor" || receiver.rows.type.card !== "many") return true;
  context.found.add(manyRows(context, receiver, capability, step));
  return false;
}

function calledRows(
  context: CheckContext,
  receiver: Receiver,
  capability: Capability,
  step: Call,
): Rows {
  const { key: entity } = receiver;
  const target =
    receiver.kind === "entity" ? null : keyOfRow(context, entity, receiver.rows, receiver.kind);
  const bound =
    receiver.kind === "entity" ? NOTHING : givenByRow(context, entity, receiver.rows, capability);
  const args = readArgs(context, entity, capability, step, bound);
  if (effectKind(capability.kind) !== null) {
    if (target !== null) reportOtherRow(context, entity, capability, step, target, args);
    const carried = unwritten(context, entity, receiver, capability, args);
    return effectRows(context, { entity, capability, target, args, carried }, step);
  }
  const common = {
    stage: context.stage,
    span: step.span,
    entity,
    by: capability,
    args,
    nameSpan: step.name.span,
  };
  if (capability.kind === "get") {
    const key: TypedKey = target ?? new Map();
    return { kind: "get", ...common, type: entityRows(entity, "one"), key };
  }
  return { kind: "list", ...common, type: entityRows(entity, "many"), search: null };
}

/** An argument that says another row than the one the call is on (RUN-010), as far as both are known. */
function reportOtherRow(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  step: Call,
  target: TypedKey,
  args: TypedArgs,
): void {
  const key = constantKey(target);
  if (key === undefined) return;
  const own = keyText(key);
  const named = receiverSlots(catalogOf(context.exposure.catalogs, entity.entryId), capability);
  for (const { name, value } of step.args) {
    const slot = name === undefined ? "" : wireName(context.exposure.symbols, name.text);
    const given = constantOf(named.has(slot) ? (args.get(slot) ?? null) : null);
    if (given === undefined || given === null || keyText(given) === own) continue;
    const speaker = speakerLike(context.exposure, step.name.text);
    const texts = {
      slot: name?.text ?? slot,
      found: keyText(given),
      name: speaker.method(entity, capability.label),
      target: own,
    };
    context.found.add(diagnose(valueMessages.otherRow, value.span, texts));
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** What the row a call is made on gives, so that it is not missing (RUN-010). */
function givenByRow(
  context: CheckContext,
  { entryId, entity }: EntityKey,
  rows: Rows,
  { kind }: Capability,
): ReadonlySet<string> {
  const found = catalogOf(context.exposure.catalogs, entryId).cgs.entities.get(entity);
  const names = found === undefined ? [] : identityNames(found);
  return new Set(effectKind(kind) === null ? names : [...names, ...carriedNames(rows)]);
}

/** The parameters that an effect takes from its row, since it requires them and nobody wrote them (RUN-044). */
function unwritten(
  context: CheckContext,
  { entryId }: EntityKey,
  receiver: Receiver,
  capability: Capability,
  args: TypedArgs,
): readonly string[] {
  if (receiver.kind === "entity") return [];
  const carried = carriedNames(receiver.rows);
  return capabilitySlots(catalogOf(context.exposure.catalogs, entryId), capability)
    .slots.filter(({ name, required }) => required && carried.has(name) && !args.has(name))
    .map(({ name }) => name);
}

/** A create of another entity, whose path variable is the row it is called on (RUN-011). */
function createdRows(
  context: CheckContext,
  receiver: RowReceiver,
  { capability, variable }: CreatedOn,
  step: Call,
): Rows {
  const { key, rows, kind } = receiver;
  const entity = { entryId: key.entryId, entity: capability.entity };
  const written = readArgs(context, entity, capability, step, new Set([variable]));
  const row = keyReference(key, keyOfRow(context, key, rows, kind));
  const args = new Map(written.has(variable) ? written : [...written, [variable, row]]);
  return effectRows(context, { entity, capability, target: null, args, carried: [] }, step);
}

/** A capability that this engine cannot run yet. */
function reportUnable(context: CheckContext, capability: Capability, step: Call): void {
  const entity = capability.entity;
  const what = `${step.name.text}, a ${capability.kind} of ${entity},`;
  const instead = `read what it would act on: ${entity} with a key or conditions`;
  context.found.add(diagnose(nameMessages.notYet, step.name.span, { what, instead }));
}

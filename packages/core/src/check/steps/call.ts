import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { Call } from "../../language/ast-steps.ts";
import { takesIdentity } from "../../mapping/takes-identity.ts";
import { capabilityByLabel } from "../../schema/capabilities-of.ts";
import type { Capability } from "../../schema/capability.ts";
import type { ValueType } from "../../values/value-type.ts";
import { accessTo } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import { deniedProblem } from "../names/denied-problem.ts";
import { speakerLike } from "../names/speaker.ts";
import { knownIdentity } from "../reads/row-identity.ts";
import { entityRows } from "../row-type.ts";
import { keyTypes } from "../type-text.ts";
import type { Rows, TypedKey, TypedValue } from "../typed-program.ts";
import { sampleReference } from "../values/sample.ts";
import { callForm } from "./call-form.ts";
import { methodLabel, unknownMethod } from "./method-name.ts";
import { readArgs } from "./read-args.ts";

/** What a call is made on: an entity itself, or the one row of rows (LANG-025). */
export type Receiver =
  | { readonly kind: "entity"; readonly key: EntityKey; readonly written: string }
  | {
      /** `cursor`: the row a `=>` is at */
      readonly kind: "rows" | "cursor";
      readonly key: EntityKey;
      readonly rows: Rows;
      readonly written: string;
    };

/** `.x(…)`: the capability labelled `x` (LANG-024, LANG-025). Null: in error, reported. */
export function callRows(context: CheckContext, receiver: Receiver, step: Call): Rows | null {
  const { key } = receiver;
  const label = methodLabel(context, key, step);
  const { cgs } = catalogOf(context.exposure.catalogs, key.entryId);
  const capability = label === null ? undefined : capabilityByLabel(cgs, key.entity, label);
  const access = capability === undefined ? "hidden" : accessTo(context, key.entryId, capability);
  if (capability === undefined || access === "hidden") {
    context.found.add(unknownMethod(context, key, step));
    return null;
  }
  if (access === "denied") {
    context.found.add(deniedProblem(context, key, capability, step.name.span));
    return null;
  }
  if (access === "unable") return unable(context, capability, step);
  if (!isCallable(context, receiver, capability, step)) return null;
  return calledRows(context, receiver, capability, step);
}

/** Whether the capability and its receiver go together: rows for what needs one, else the entity. */
function isCallable(
  context: CheckContext,
  receiver: Receiver,
  capability: Capability,
  step: Call,
): boolean {
  const { exposure } = context;
  const { key } = receiver;
  const speaker = speakerLike(exposure, step.name.text);
  const form = callForm(context, key, capability, step.name.text);
  if (!takesIdentity(capability)) {
    if (receiver.kind === "entity") return true;
    const entity = speaker.entity(key);
    const call = `${entityCode(entity)}.${form}`;
    const args = { name: step.name.text, entity, call };
    context.found.add(diagnose(nameMessages.wrongReceiver, step.name.span, args));
    return false;
  }
  if (receiver.kind === "entity") {
    const sample = sampleReference(exposure, key.entryId, key.entity);
    const named = sample.replace(key.entity, receiver.written);
    const args = {
      name: step.name.text,
      receiver: speaker.entity(key),
      call: `${named}.${form}`,
    };
    context.found.add(diagnose(nameMessages.needsTarget, step.name.span, args));
    return false;
  }
  if (receiver.kind === "cursor" || receiver.rows.type.card !== "many") return true;
  const args = { label: receiver.written, name: step.name.text };
  context.found.add(diagnose(nameMessages.notSingletonCall, receiver.rows.span, args));
  return false;
}

/** The symbol or name in front of a gloss like `e1 (Boat)`. */
function entityCode(said: string): string {
  return said.split(" ")[0] ?? said;
}

function calledRows(
  context: CheckContext,
  receiver: Receiver,
  capability: Capability,
  step: Call,
): Rows | null {
  const { key: entity } = receiver;
  const args = readArgs(context, entity, capability, step);
  const common = {
    stage: context.stage,
    span: step.span,
    entity,
    by: capability,
    args,
    nameSpan: step.name.span,
  };
  switch (capability.kind) {
    case "query":
    case "search":
      return { kind: "list", ...common, type: entityRows(entity, "many"), search: null };
    case "get": {
      const key = receiver.kind === "entity" ? new Map() : keyOfRow(context, receiver);
      return { kind: "get", ...common, type: entityRows(entity, "one"), key };
    }
    case "create":
    case "update":
    case "delete":
    case "action":
      return unable(context, capability, step);
  }
}

/** The key of the receiver's row: as written, or the identity of the row it turns out to be. */
function keyOfRow(
  context: CheckContext,
  receiver: Exclude<Receiver, { kind: "entity" }>,
): TypedKey {
  const { kind, rows, key: entity } = receiver;
  const known = kind === "rows" ? knownIdentity(rows) : null;
  if (known !== null) return known;
  const { entryId, entity: target } = entity;
  const cell = (path: readonly string[], type: ValueType): TypedValue =>
    kind === "cursor"
      ? { kind: "cursor", path, type: { entryId, type } }
      : { kind: "hole", rows, path, type: { entryId, type }, many: false };
  const parts = keyTypes(context.exposure, entryId, target);
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) {
    return new Map([[only[0], cell([], { kind: "entity_ref", target })]]);
  }
  return new Map(parts.map(([part, type]) => [part, cell([part], type)]));
}

/** A capability that this engine cannot run yet. */
function unable(context: CheckContext, capability: Capability, step: Call): null {
  const entity = capability.entity;
  const what = `${step.name.text}, a ${capability.kind} of ${entity},`;
  const instead = `read what it would act on: ${entity} with a key or conditions`;
  context.found.add(diagnose(nameMessages.notYet, step.name.span, { what, instead }));
  return null;
}

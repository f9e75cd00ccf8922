import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { clip } from "../../base/text.ts";
import type { Call } from "../../language/grammar/ast.ts";
import type { Capability } from "../../model/model.ts";
import { type CheckContext, programText } from "../check-context.ts";
import type { EffectRows, Rows, TypedArgs, TypedKey } from "../typed-program.ts";
import { callResult } from "../../mapping/capability-views.ts";
import type { Exposure } from "../../symbols/exposure.ts";
import { type Column, entityRows, type RowType } from "../types.ts";
import type { Catalog } from "../../mapping/template.ts";
import { pathVariables } from "../../mapping/variables.ts";
import { capabilityByLabel } from "../../model/lookups.ts";
import { entitySymbol } from "../../symbols/symbols.ts";
import { nameMeaning } from "../names/name-formatter.ts";

/** A call whose capability changes something. */
export interface EffectCall {
  readonly entity: EntityKey;
  readonly capability: Capability;
  readonly target: TypedKey | null;
  readonly args: TypedArgs;
  readonly carried: readonly string[];
}

/** The rows of an effect (LANG-070). In the body of a `=>` it is the `=>` that is one. */
export function effectRows(context: CheckContext, call: EffectCall, step: Call): EffectRows {
  const { entity, capability, target } = call;
  const written = clip(programText(context, step.span), 40);
  const row = target === null ? null : entity;
  const rows: EffectRows = {
    kind: "effect",
    stage: context.stage,
    span: step.span,
    type: effectType(context.exposure, entity, capability, row, written),
    ...call,
    nameSpan: step.name.span,
  };
  return context.cursor === null ? noteEffect(context, rows) : rows;
}

const OK: Column = { name: "ok", type: { entryId: null, type: { kind: "boolean" } } };

/**
 * The rows of an effect (LANG-060, LANG-075, RUN-040): those the API answers with, open ones for free
 * output, else `{ok: true}` with the reference of the row it was called on. `written` is the call.
 */
function effectType(
  exposure: Exposure,
  entity: EntityKey,
  capability: Capability,
  target: EntityKey | null,
  written: string,
): RowType {
  const result = callResult(catalogOf(exposure.catalogs, entity.entryId), capability);
  switch (result.kind) {
    case "rows":
      return entityRows({ entryId: entity.entryId, entity: result.entity }, result.card);
    case "open":
      return noEntity([], true, written);
    case "nothing":
      return target === null
        ? noEntity([OK], false, written)
        : { ...entityRows(target, "one"), columns: [OK] };
  }
}

function noEntity(columns: readonly Column[], open: boolean, written: string): RowType {
  return { card: "one", entity: null, columns, open, removedBy: null, lostBy: written };
}

/** A create of another entity whose path names the row it is called on, and the name it has there. */
export interface CreatedOn {
  readonly capability: Capability;
  readonly variable: string;
}

/**
 * The create that a call on a row of `receiver` names by its symbol, or by its label if that is unique
 * among such creates; null if there is none. The receiver has no capability of that label (LANG-025).
 */
export function createdOn(
  context: CheckContext,
  receiver: EntityKey,
  step: Call,
): CreatedOn | null {
  const { exposure } = context;
  const { entryId } = receiver;
  const catalog = catalogOf(exposure.catalogs, entryId);
  const meaning = nameMeaning(exposure.symbols, step.name.text);
  if (meaning.kind === "method") {
    const { key } = meaning;
    const named = capabilityByLabel(catalog.cgs, key.entity, key.label);
    return key.entryId === entryId && named !== undefined ? onRow(catalog, named, receiver) : null;
  }
  if (meaning.kind !== "name" || meaning.symbolic) return null;
  const fitting = [...catalog.cgs.capabilities.values()]
    .filter(({ label, entity }) => {
      const exposed = entitySymbol(exposure.symbols, { entryId, entity }) !== null;
      return label === meaning.text && exposed;
    })
    .flatMap((capability) => onRow(catalog, capability, receiver) ?? []);
  const [only, ...others] = fitting;
  return only !== undefined && others.length === 0 ? only : null;
}

function onRow(catalog: Catalog, capability: Capability, receiver: EntityKey): CreatedOn | null {
  const template = catalog.cml.get(capability.name);
  if (capability.kind !== "create" || template === undefined) return null;
  const variable = `${receiver.entity.toLowerCase()}_id`;
  return pathVariables(template).includes(variable) ? { capability, variable } : null;
}

/** Writes an effect down: what comes after it in the program is of the next stage (PLAN-004). */
export function noteEffect<R extends Rows>(context: CheckContext, rows: R): R {
  context.effects.push(rows);
  context.stage += 1;
  return rows;
}

/** Whether a `=>` runs an effect per row: decided by what its call resolves to (LANG-070). */
export function runsEffect(rows: Rows): boolean {
  return rows.kind === "effect" || (rows.kind === "for_each" && rows.body.kind === "effect");
}

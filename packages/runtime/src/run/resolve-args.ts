import { cellPaths, isOfRow } from "@plasm/core/internal";
import type { Capability, Entity, Json, JsonObject, PlanValue, ValueType } from "@plasm/core";
import { elementType, keyParts, type PlanPred, slotsOf } from "@plasm/core/internal";
import { type Identity, makeIdentity } from "../decode/entity-row.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { hasHole, type HoleSlot, nullValue } from "./hole-value.ts";
import { isFilled } from "../rows/computed.ts";
import { fillShared, resolveValue } from "./resolve-value.ts";
import type { PredUse } from "./row-filter.ts";
import { pathType } from "../rows/row.ts";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/**
 * Arguments and sent conditions of a read in wire form (PLAN-064); null in a needed slot is
 * `null_value`.
 */
export async function resolveArgs(
  engine: RunEngine,
  feed: Feed,
  capability: Capability,
  args: Readonly<Record<string, PlanValue>>,
): Promise<JsonObject> {
  const slots = new Map(slotsOf(capability).map((slot) => [slot.name, slot]));
  const isList = capability.kind === "query" || capability.kind === "search";
  const entries = await Promise.all(
    Object.entries(args).map(async ([name, value]): Promise<readonly [string, Json]> => {
      const declared = slots.get(name);
      const type = declared?.input.kind === "value" ? declared.input.type : null;
      const slot: HoleSlot | null = type === null ? null : { name, type };
      const filled = await resolveValue(value, { engine, feed, slot });
      const needed = isList || declared === undefined || declared.required;
      if (filled === null && needed && hasHole(value)) throw nullValue(engine, feed, name, value);
      return [name, filled];
    }),
  );
  return Object.fromEntries(entries);
}

/** Whether a value is the row of another node, or the one a `=>` is at (PlanValue). */
function isRow(value: PlanValue): boolean {
  if ("from" in value) return value.path.length === 0;
  return "row" in value && value.row.length === 0;
}

/**
 * The identity a key with holes stands for; where a row stands for a key of one part, its identity is
 * meant. A null part is `null_value` (LANG-045), a row without identity `identity_missing` (RUN-047).
 */
export async function resolveKey(
  engine: RunEngine,
  feed: Feed,
  entity: Entity,
  key: Readonly<Record<string, PlanValue>>,
): Promise<Identity> {
  const parts: Record<string, Json> = {};
  for (const part of keyParts(entity)) {
    const value = key[part];
    if (value === undefined) throw new Error(`the plan's key of ${entity.name} lacks ${part}`);
    const type: ValueType = isRow(value)
      ? { kind: "entity_ref", target: entity.name }
      : (entity.fields.get(part)?.type ?? TEXT);
    parts[part] = await resolveValue(value, { engine, feed, slot: { name: part, type } });
    if (parts[part] === null) throw nullValue(engine, feed, part, value);
  }
  const identity = makeIdentity(entity, parts);
  if (identity !== null) return identity;
  throw new RunFailure(
    failure("argument_invalid", `A key of ${entity.name} is empty text.`, "give the key a value"),
  );
}

type Comparison = Extract<PlanPred, { readonly op: unknown }>;

/** A condition's value: only holes are fitted to the column's type, constants are so already. */
async function conditionValue({ op, path, value }: Comparison, use: PredUse): Promise<Json> {
  const { engine, feed } = use;
  const name = path.join(".");
  const column = pathType(use.cgs, use.entity, path, use.types);
  const type = op === "~" ? elementType(column) : column;
  const filled = await resolveValue(value, {
    engine,
    feed,
    slot: hasHole(value) ? { name, type } : null,
  });
  if (filled !== null || !hasHole(value)) return filled;
  throw nullValue(engine, feed, `the condition on ${name}`, value);
}

/** A predicate whose values are constants: holes filled, relative dates read against the clock (PLAN-063). */
export async function resolvePred(pred: PlanPred, use: PredUse): Promise<PlanPred> {
  const all = (parts: readonly PlanPred[]): Promise<PlanPred[]> =>
    Promise.all(parts.map((part) => resolvePred(part, use)));
  if ("and" in pred) return { and: await all(pred.and) };
  if ("or" in pred) return { or: await all(pred.or) };
  if ("not" in pred) return { not: await resolvePred(pred.not, use) };
  if ("exists" in pred) return pred;
  const { engine, feed } = use;
  if ("test" in pred) return { test: await fillShared(pred.test, { engine, feed, slot: null }) };
  // Within a `=>` totals are those of its row, and known.
  if (cellPaths(pred.value).length > 0 || (feed.item === null && isOfRow(pred.value))) {
    return { ...pred, value: await fillShared(pred.value, { engine, feed, slot: null }) };
  }
  return { ...pred, value: { lit: await conditionValue(pred, use) } };
}

/** Whether a predicate compares with constants only. */
export function isConstant(pred: PlanPred): boolean {
  if ("and" in pred) return pred.and.every(isConstant);
  if ("or" in pred) return pred.or.every(isConstant);
  if ("not" in pred) return isConstant(pred.not);
  if ("exists" in pred) return true;
  return isFilled("test" in pred ? pred.test : pred.value);
}

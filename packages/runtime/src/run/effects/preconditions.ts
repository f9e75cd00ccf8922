import type { Capability, Catalog, Entity, Json, PlanValue } from "@plasm/core";
import {
  type EffectBody,
  meetsPrecondition,
  type Precondition,
  preconditionText,
  slotsOf,
} from "@plasm/core/internal";
import { type Identity, makeIdentity } from "../../decode/entity-row.ts";
import { cellReference } from "../../decode/row-references.ts";
import { compoundKey } from "../../request/environment.ts";
import type { Row } from "../../rows/row.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { RunEngine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { inHand } from "./effect-facts.ts";

/** What an effect needs of a row, and what that row has. */
export interface JudgedPrecondition {
  /** as a condition: `status=pending`, `order.status in [paid, sent]` */
  readonly needs: string;
  /** why, in the words of the catalog */
  readonly description: string;
  /** identity text of the row; null if it is not known which */
  readonly of: string | null;
  readonly field: string;
  /** what the row has there; undefined where nothing has read it */
  readonly has: Json | undefined;
  /** whether that is enough; null where it is not known */
  readonly holds: boolean | null;
}

/** A precondition with the row that it looks at. */
export interface PreconditionOn {
  readonly precondition: Precondition;
  readonly entity: Entity;
  /** null if it is not known yet which row it is */
  readonly identity: Identity | null;
}

interface EffectOf {
  readonly catalog: Catalog;
  readonly capability: Capability;
}

function effectOf(engine: RunEngine, body: EffectBody): EffectOf | null {
  const catalog = engine.catalog(body.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(body.capability);
  return capability === undefined ? null : { catalog, capability };
}

function identityOf(
  engine: RunEngine,
  feed: Feed,
  entity: Entity,
  key: Readonly<Record<string, PlanValue>>,
): Identity | null {
  const parts = Object.entries(key).map(([name, value]) => [name, inHand(engine, feed, value)]);
  return makeIdentity(entity, Object.fromEntries(parts));
}

function referenced(
  engine: RunEngine,
  feed: Feed,
  entity: Entity,
  value: PlanValue,
): Identity | null {
  if ("ref" in value) return identityOf(engine, feed, entity, value.ref.key);
  const found = inHand(engine, feed, value);
  if (found === undefined || found === null) return null;
  return cellReference(compoundKey(entity, found), entity)?.identity ?? null;
}

/**
 * The preconditions of an effect with their rows, as far as the keys are in hand; nothing is read. One on an
 * argument that is not given, or on the row of an effect that is called on none, is left out.
 */
export function preconditionsOf(
  engine: RunEngine,
  feed: Feed,
  body: EffectBody,
): readonly PreconditionOn[] {
  const of = effectOf(engine, body);
  if (of === null) return [];
  const { capability, catalog } = of;
  const { entities } = catalog.cgs;
  return capability.preconditions.flatMap((precondition): readonly PreconditionOn[] => {
    const { param } = precondition;
    if (param === undefined) {
      const entity = entities.get(capability.entity);
      const key = "target" in body ? body.target : {};
      if (entity === undefined || Object.keys(key).length === 0) return [];
      return [{ precondition, entity, identity: identityOf(engine, feed, entity, key) }];
    }
    const input = slotsOf(capability).find(({ name }) => name === param)?.input;
    const type = input?.kind === "value" ? input.type : undefined;
    const entity = type?.kind === "entity_ref" ? entities.get(type.target) : undefined;
    const value = body.args[param];
    if (entity === undefined || value === undefined) return [];
    return [{ precondition, entity, identity: referenced(engine, feed, entity, value) }];
  });
}

/** Judges a precondition by the fields that are known of its row. */
export function judgePrecondition(
  { precondition, entity, identity }: PreconditionOn,
  known: ReadonlyMap<string, Json> | undefined,
): JudgedPrecondition {
  const { field, test, description } = precondition;
  const has = known?.get(field);
  const type = entity.fields.get(field)?.type;
  return {
    needs: preconditionText(precondition),
    description,
    of: identity?.text ?? null,
    field,
    has,
    holds: has === undefined || type === undefined ? null : meetsPrecondition(test, has, type),
  };
}

/**
 * The preconditions that a row in hand does not meet. A row is in hand if the run has read it after the last
 * effect on its catalog (RUN-062): what it had before that effect says nothing.
 */
function unmet(engine: RunEngine, feed: Feed, body: EffectBody): readonly JudgedPrecondition[] {
  const { entry_id: entryId } = body.catalog;
  return preconditionsOf(engine, feed, body)
    .map((on) => {
      const { digest } = engine.catalog(entryId);
      const known = engine.cache.fields(digest, { entryId, identity: on.identity });
      return judgePrecondition(on, known);
    })
    .filter(({ holds }) => holds === false);
}

const MOST_NAMED = 5;

/** Longest value that a message quotes, in code points. */
const LONGEST = 80;

function quoted(value: Json): string {
  const points = Array.from(JSON.stringify(value));
  return points.length <= LONGEST ? points.join("") : `${points.slice(0, LONGEST).join("")}…`;
}

function unmetText({ needs, of, field, has, description }: JudgedPrecondition): string {
  const why = description === "" ? "" : ` (${description})`;
  return `${of} needs ${needs}${why}, and its ${field} is ${quoted(has ?? null)}`;
}

/** Refuses an effect whose row is known not to meet a precondition. Throws RunFailure. */
export function refuseUnmet(engine: RunEngine, feed: Feed, body: EffectBody): void {
  const found = unmet(engine, feed, body);
  if (found.length === 0) return;
  const label = effectOf(engine, body)?.capability.label ?? body.capability;
  const message = `${label} was not sent: ${found.map(unmetText).join("; ")}.`;
  const fix = "leave this effect out, or do first what makes it hold";
  throw new RunFailure(failure("precondition_failed", message, fix));
}

/** A row that an effect would be performed for, with the feed of its item. */
export interface ItemOf {
  readonly row: Row;
  readonly feed: Feed;
}

/**
 * Refuses an effect per row before the first of them is sent, if rows are known not to meet its preconditions.
 * Throws RunFailure.
 */
export function refuseUnmetItems(
  engine: RunEngine,
  items: readonly ItemOf[],
  body: EffectBody,
): void {
  const found = items.flatMap(({ row, feed }, index) => {
    const own = unmet(engine, feed, body);
    return own.length === 0 ? [] : [{ row, index, own }];
  });
  const [first] = found;
  if (first === undefined) return;
  const label = effectOf(engine, body)?.capability.label ?? body.capability;
  const named = found.slice(0, MOST_NAMED).map(({ own }) => own.map(unmetText).join("; "));
  const more = found.length > MOST_NAMED ? `; and ${found.length - MOST_NAMED} more` : "";
  const message = `${label} was sent for no row: ${found.length} of ${items.length} do not meet what it needs: ${named.join("; ")}${more}.`;
  throw new RunFailure(failure("precondition_failed", message, filterAdvice(found)), first.index);
}

/** The filter that leaves them out, where the rows are those that must meet it and have the columns. */
function filterAdvice(
  found: readonly { readonly row: Row; readonly own: readonly JudgedPrecondition[] }[],
): string {
  const needs = new Map(
    found.flatMap(({ own }) => own.map((each) => [each.needs, each.field] as const)),
  );
  const own = found.every(({ row, own: all }) =>
    all.every(
      ({ of, field }) =>
        row.base?.identity?.text === of && (row.cells === null || row.cells.has(field)),
    ),
  );
  return own
    ? `keep the rows that do: .filter{${[...needs.keys()].join(", ")}} before the =>`
    : "leave these rows out, or do first what makes it hold";
}

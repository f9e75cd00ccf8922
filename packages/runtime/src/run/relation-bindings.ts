import type { Capability, Entity, Json, JsonObject, Relation, ValueType } from "@plasm/core";
import { slotsOf } from "@plasm/core/internal";
import type { EntityRow } from "../decode/entity-row.ts";
import { referenceValue } from "../decode/row-references.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import { holeValue } from "./hole-value.ts";
import { loadRow } from "./hydrate.ts";

/** The source row of a relation, with what follows it. */
export interface RelationSource {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly row: EntityRow;
  readonly owner: Entity;
  readonly relation: Relation | undefined;
}

/** The row error of a relation whose source row nothing can be asked for (RUN-047). */
export function identityMissing(source: RelationSource): RunFailure {
  return new RunFailure(
    failure(
      "identity_missing",
      `A ${source.owner.name} without identity has no ${source.relation?.name ?? "relation"} to follow.`,
      "use rows that carry their key",
    ),
  );
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

function slotType(capability: Capability, name: string): ValueType {
  const slot = slotsOf(capability).find((each) => each.name === name);
  return slot?.input.kind === "value" ? slot.input.type : JSON_TYPE;
}

/** The parameter that takes the source row: the declared one, else the scope reference to it (RUN-051). */
function scopeParameter(source: RelationSource, capability: Capability): string {
  const rule = source.relation?.materialize;
  if (rule?.kind === "query_scoped") return rule.param;
  const scope = slotsOf(capability).find(
    ({ role, input }) =>
      role === "scope" &&
      input.kind === "value" &&
      input.type.kind === "entity_ref" &&
      input.type.target === source.owner.name,
  );
  if (scope === undefined) throw new Error(`${capability.name} takes no ${source.owner.name}`);
  return scope.name;
}

/** The anchor of a scoped list: its parameter bound to the source row's identity (RUN-050). */
export function scopeAnchor(source: RelationSource, capability: Capability): JsonObject {
  const { identity } = source.row;
  if (identity === null) throw identityMissing(source);
  return { [scopeParameter(source, capability)]: referenceValue({ identity, embedded: null }) };
}

/** A field of the source row; hydrated while unknown, and never replaced by another (RUN-052). */
async function hydratedField(source: RelationSource, field: string): Promise<Json> {
  const { row, engine, feed } = source;
  await loadRow(engine, feed, row, [field], []);
  return row.fields.get(field) ?? null;
}

/** The bound parameters of a relation; null where the source row has none of the values (RUN-052). */
export async function boundParameters(
  source: RelationSource,
  capability: Capability,
): Promise<JsonObject | null> {
  const rule = source.relation?.materialize;
  if (rule === undefined || !("bindings" in rule)) {
    throw new Error(`${source.owner.name}.${source.relation?.name ?? "?"} declares no bindings`);
  }
  const bound: Record<string, Json> = {};
  for (const [parameter, field] of rule.bindings) {
    // What the row is known by need not be waited for.
    const value = source.row.identity?.key[field] ?? (await hydratedField(source, field));
    if (value === null) return null;
    const from = source.owner.fields.get(field)?.type ?? JSON_TYPE;
    bound[parameter] = holeValue(value, from, {
      name: parameter,
      type: slotType(capability, parameter),
    });
  }
  return bound;
}

/** Whether a field that a relation is bound to is not known of the source row, not even as null. */
export function lacksBinding({ row, relation }: RelationSource): boolean {
  const rule = relation?.materialize;
  if (rule === undefined || !("bindings" in rule)) return false;
  const key = row.identity?.key ?? {};
  return [...rule.bindings.values()].some(
    (field) => !Object.hasOwn(key, field) && !row.fields.has(field),
  );
}

/** The row error of a list relation whose source lacks a bound value (RUN-052). */
export function unboundRelation(source: RelationSource): RunFailure {
  const name = source.row.identity?.text ?? source.owner.name;
  return new RunFailure(
    failure(
      "null_value",
      `${name} has no value that ${source.relation?.name ?? "its relation"} is bound to.`,
      "leave such rows out with a filter exists(…)",
    ),
  );
}

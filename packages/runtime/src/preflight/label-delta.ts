import { type Entity, type Json, type JsonObject, type PreflightStep } from "@plasm/core";
import type { EntityRow } from "../decode/entity-row.ts";
import { idValue } from "../decode/identity.ts";
import { rowIdentity } from "../decode/row-identity.ts";
import { hasMember, isArray, isObject, isScalar, jsonText, typeName } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { undecided } from "./pick-row.ts";
import type { PreflightState } from "./preflight-call.ts";
import { argumentOf, capabilityOf, carriedTo, cellOf, earlierValue } from "./step-values.ts";

type DeltaStep = Extract<PreflightStep, { kind: "label_ids_delta" }>;

/** Fields that hold the name of a label, the first that the entity has counts. */
const NAME_FIELDS = ["name", "title", "label"] as const;

/**
 * Binds the ids of a row's labels after some are added and others removed, each by its name or its id;
 * skipped where neither is asked for (RUN-104). Ids keep their order, new ones come last.
 */
export async function labelDelta(state: PreflightState, step: DeltaStep): Promise<JsonObject> {
  const { call, reads } = state;
  const added = texts(argumentOf(call, step.addWhen));
  const removed = texts(argumentOf(call, step.removeWhen));
  if (added === null && removed === null) return {};
  const lookup = capabilityOf(call, step.lookup);
  const entity = call.catalog.cgs.entities.get(lookup.entity);
  if (entity === undefined) throw new Error(`no entity ${lookup.entity}`);
  const rows = await reads.all(lookup, {}, carriedTo(call, lookup));
  const find = (param: string, names: readonly Json[] | null): readonly Json[] =>
    (names ?? []).map((name) => labelId(rows, entity, param, name));
  const plus = find(step.addWhen, added);
  const minus = new Set(find(step.removeWhen, removed).map(jsonText));
  const current = currentIds(state, step, entity);
  const wanted = [...current, ...plus].filter((id) => !minus.has(jsonText(id)));
  const unique = new Map(wanted.map((id) => [jsonText(id), id]));
  return { [step.merge]: [...unique.values()] };
}

/** What an argument names, one or several; null where it is absent. */
function texts(value: Json): readonly Json[] | null {
  if (value === null) return null;
  return isArray(value) ? value : [value];
}

/**
 * The id of the one label that goes by this name, or by this id. One label's name that is another's id could
 * mean either: it is refused, as are two labels of one name.
 */
function labelId(rows: readonly EntityRow[], entity: Entity, param: string, wanted: Json): Json {
  const field = NAME_FIELDS.find((name) => entity.fields.has(name)) ?? entity.idField;
  const text = jsonText(wanted);
  const found = rows.filter((row) => jsonText(cellOf(row, field)) === text || idText(row) === text);
  const [row] = found;
  if (row === undefined || row.identity === null || found.length > 1) {
    const by = field === entity.idField ? field : `${field} or ${entity.idField}`;
    throw undecided({ entity: entity.name, field, by, param, wanted }, found, rows);
  }
  return idValue(row.identity);
}

const idText = ({ identity }: EntityRow): string | null =>
  identity === null ? null : jsonText(idValue(identity));

/** The ids a row has now: a list of ids or objects, or such a list under `nodes`. */
function currentIds(state: PreflightState, step: DeltaStep, entity: Entity): readonly Json[] {
  const found = earlierValue(state, step.fromPreflight);
  const list = hasMember(found, "nodes") ? (found["nodes"] ?? null) : found;
  if (list === null) return [];
  if (!isArray(list)) throw unreadable(step, typeName(list));
  return list.map((item) => idOf(item, entity, step));
}

function idOf(item: Json, entity: Entity, step: DeltaStep): Json {
  if (isScalar(item)) return item;
  if (!isObject(item)) throw unreadable(step, `a list with ${typeName(item)}`);
  const origin = { entity, provides: null, ambient: {}, requested: null, index: 0 };
  const identity = rowIdentity(item, new Map(), origin);
  if (identity === null) throw unreadable(step, "an object without id");
  return idValue(identity);
}

function unreadable({ fromPreflight: { path } }: DeltaStep, found: string): RunFailure {
  return new RunFailure(
    failure(
      "decode",
      `${path.join(".")} of the row it is called on is ${found}, no list of ids or objects.`,
      "correct from_preflight in the catalog's preflight step",
    ),
  );
}

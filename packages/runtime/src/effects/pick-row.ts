import type { Entity, Json, JsonObject, ValueType } from "@plasm/core";
import { editDistance, type PreflightStep, testValue } from "@plasm/core/internal";
import { type EntityRow, idValue } from "../decode/entity-row.ts";
import {
  clip,
  hasMember,
  isArray,
  isObject,
  isScalar,
  jsonText,
  typeName,
} from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import {
  argumentOf,
  capabilityOf,
  carriedTo,
  cellOf,
  earlierValue,
  type PreflightState,
  scopeValue,
} from "./step-values.ts";
import { rowIdentity } from "../decode/row-references.ts";

type PickStep = Extract<PreflightStep, { kind: "query_pick" }>;

/** How many rows an error lists (RUN-104). */
const CANDIDATES = 5;

/** How far apart two spellings are still told apart when candidates are put in order. */
const FARTHEST = 8;

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/**
 * Finds the one row whose field equals an argument, exactly, and binds fields of it; skipped where its
 * `when` argument is absent. None or several are a failure that lists up to five (RUN-104).
 */
export async function pickRow(state: PreflightState, step: PickStep): Promise<JsonObject> {
  const { call, reads } = state;
  if (step.when !== undefined && argumentOf(call, step.when) === null) return {};
  const { field, equalsParam } = step.pick;
  const wanted = argumentOf(call, equalsParam);
  if (wanted === null) throw lacking(equalsParam);
  const query = capabilityOf(call, step.query);
  const scope = [...step.scope]
    .map(([name, from]) => [name, scopeValue(state, name, from)] as const)
    .filter(([, value]) => value !== null);
  const carried = carriedTo(call, query);
  const rows = await reads.all(query, Object.fromEntries(scope), carried);
  const type = call.catalog.cgs.entities.get(query.entity)?.fields.get(field)?.type ?? TEXT;
  const found = rows.filter((row) => testValue(cellOf(row, field), "=", wanted, type));
  const [row] = found;
  if (row === undefined || found.length > 1) {
    throw undecided({ entity: query.entity, field, param: equalsParam, wanted }, found, rows);
  }
  return Object.fromEntries([...step.merge].map(([name, from]) => [name, cellOf(row, from)]));
}

/** What was looked for. */
export interface RowQuery {
  readonly entity: string;
  readonly field: string;
  /** what the value is compared with, in words, where it is more than that field */
  readonly by?: string;
  readonly param: string;
  readonly wanted: Json;
}

/** The failure of a look-up that found no row or several, with candidates (RUN-104). */
function undecided(
  { entity, field, by = field, param, wanted }: RowQuery,
  found: readonly EntityRow[],
  rows: readonly EntityRow[],
): RunFailure {
  const value = shown(wanted);
  const what = `${by} ${value}, which ${param} asks for`;
  if (found.length > 1) {
    const list = listed(found, field);
    return new RunFailure(
      failure(
        "argument_invalid",
        `${found.length} ${entity} rows have ${what}: ${list}.`,
        `give ${param} a value that one row alone has, or make them differ`,
      ),
    );
  }
  const near =
    rows.length === 0 ? "there is no row at all" : `there are ${nearest(rows, field, wanted)}`;
  return new RunFailure(
    failure(
      "argument_invalid",
      `No ${entity} has ${what}; ${near}.`,
      `give ${param} the ${by} of a row, exactly as it is written`,
    ),
  );
}

const shown = (value: Json): string => JSON.stringify(clip(jsonText(value), 60));

function listed(rows: readonly EntityRow[], field: string): string {
  const texts = rows.slice(0, CANDIDATES).map((row) => {
    const cell = cellOf(row, field);
    const name = row.identity === null ? "a row without identity" : clip(row.identity.text, 80);
    return cell === null ? name : `${name} (${shown(cell)})`;
  });
  const more = rows.length - texts.length;
  return texts.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The rows whose value is most like the wanted one first; equally like ones keep their order. */
function nearest(rows: readonly EntityRow[], field: string, wanted: Json): string {
  const text = jsonText(wanted).toLowerCase();
  const ranked = rows.map((row) => {
    const own = jsonText(cellOf(row, field)).toLowerCase();
    return { row, distance: editDistance(text, own, FARTHEST) };
  });
  return listed(
    ranked.toSorted((a, b) => a.distance - b.distance).map(({ row }) => row),
    field,
  );
}

function lacking(param: string): RunFailure {
  return new RunFailure(
    failure("argument_missing", `It needs ${param} to find a row.`, `give ${param}`),
  );
}

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

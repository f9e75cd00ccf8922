import type { Json, JsonObject, ValueType } from "@plasm/core";
import type { EntityRow, Identity, Reference } from "../decode/entity-row.ts";
import { cutOf, markCut } from "../decode/row-edges.ts";
import { isArray, isObject, sizeOf } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { atOnce, eachOf, type Pausable } from "../base/turns.ts";
import type { ColumnTypes, Row } from "./row.ts";
import type { RowSequence } from "./row-list.ts";

/** Rows as JSON, for cursors: what they know, without their wire form. */

function storedIdentity(identity: Identity): JsonObject {
  return { k: identity.key, t: identity.text };
}

/** Why embedded rows are not all of them, by relation; nothing where they are. */
function storedCuts({ edges }: EntityRow): JsonObject {
  const cuts = [...edges].flatMap(([name, rows]) => {
    const cut = cutOf(rows);
    return cut === null ? [] : [[name, cut] as const];
  });
  return cuts.length === 0 ? {} : { s: Object.fromEntries(cuts) };
}

/** An entity's row as JSON. */
export function storeEntityRow(row: EntityRow): JsonObject {
  const references = [...row.references].map(([name, reference]) => [
    name,
    reference === null
      ? null
      : {
          i: storedIdentity(reference.identity),
          e: reference.embedded === null ? null : storeEntityRow(reference.embedded),
        },
  ]);
  return {
    n: row.entryId,
    e: row.entity,
    i: row.identity === null ? null : storedIdentity(row.identity),
    a: row.ambient,
    f: Object.fromEntries(row.fields),
    r: Object.fromEntries(references),
    g: Object.fromEntries([...row.edges].map(([name, rows]) => [name, rows.map(storeEntityRow)])),
    ...storedCuts(row),
    l: [...row.loadedBy],
  };
}

/**
 * What is thrown for a cursor that holds something else than this program keeps: an earlier one made it, and its rows
 * cannot be read on (SESS-31).
 */
export const unreadableCursor = (): RunFailure =>
  new RunFailure(
    failure(
      "catalog_changed",
      "An earlier version of Plasm kept these rows, in a form that this one cannot go on from.",
      "plan and run the program again",
    ),
  );

function object(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw unreadableCursor();
  return value;
}

function text(value: Json | undefined): string {
  if (typeof value !== "string") throw unreadableCursor();
  return value;
}

function identityFrom(value: Json | undefined): Identity | null {
  if (value === null) return null;
  const stored = object(value);
  return { key: object(stored["k"]), text: text(stored["t"]) };
}

function referenceFrom(value: Json): Reference | null {
  if (value === null) return null;
  const stored = object(value);
  const identity = identityFrom(stored["i"]);
  if (identity === null) throw unreadableCursor();
  const embedded = stored["e"] ?? null;
  return { identity, embedded: embedded === null ? null : entityRowFrom(embedded) };
}

/** Rows of a JSON list. */
export function entityRowsFrom(value: Json | undefined): EntityRow[] {
  if (!isArray(value)) throw unreadableCursor();
  return value.map(entityRowFrom);
}

/** An entity's row from its JSON; its wire form is gone. */
function entityRowFrom(value: Json): EntityRow {
  const stored = object(value);
  const list = stored["l"];
  const cuts = isObject(stored["s"]) ? stored["s"] : {};
  return {
    entryId: text(stored["n"]),
    entity: text(stored["e"]),
    identity: identityFrom(stored["i"]),
    ambient: object(stored["a"]),
    fields: new Map(Object.entries(object(stored["f"]))),
    references: new Map(
      Object.entries(object(stored["r"])).map(([name, item]) => [name, referenceFrom(item)]),
    ),
    edges: new Map(
      Object.entries(object(stored["g"])).map(([name, rows]) => {
        const edge = entityRowsFrom(rows);
        const cut = Object.hasOwn(cuts, name) ? cuts[name] : undefined;
        return [name, typeof cut === "string" ? markCut(edge, cut) : edge];
      }),
    ),
    loadedBy: new Set(isArray(list) ? list.map(text) : []),
    wire: null,
  };
}

/** Types of columns as JSON. */
export function storeTypes(types: ColumnTypes): JsonObject {
  // A declared type is plain JSON by construction.
  return Object.fromEntries([...types].map(([name, type]) => [name, { ...type } as JsonObject]));
}

/** Types of columns from their JSON. */
export function typesFrom(value: Json | undefined): ColumnTypes {
  return new Map(
    Object.entries(object(value)).map(([name, type]) => [name, object(type) as ValueType & Json]),
  );
}

/** How many small pieces of work it is to write a row and to measure it. */
const PIECES_A_ROW = 16;

/** Rows between nodes as JSON: the types that many of them share once, the rest row by row, each measured. */
export function* storeRowsInSteps(rows: RowSequence): Pausable<JsonObject> {
  const types: ColumnTypes[] = [];
  const place = new Map<ColumnTypes, number>();
  const store = (row: Row): JsonObject => {
    if (row.types !== undefined && !place.has(row.types)) {
      place.set(row.types, types.length);
      types.push(row.types);
    }
    const stored = storeRow(row, row.types === undefined ? null : place.get(row.types));
    sizeOf(stored);
    return stored;
  };
  const stored = yield* eachOf(rows, store, PIECES_A_ROW);
  return { types: types.map(storeTypes), rows: stored };
}

/** The same without a pause. */
export const storeRows = (rows: RowSequence): JsonObject => atOnce(storeRowsInSteps(rows));

/** Rows between nodes from their JSON. */
export function rowsFrom(value: Json | undefined): readonly Row[] {
  const { types, rows } = object(value);
  if (!isArray(types) || !isArray(rows)) throw unreadableCursor();
  const known = types.map(typesFrom);
  return rows.map((row) => rowFrom(row, known));
}

function storeRow(row: Row, types: number | null = null): JsonObject {
  return {
    ...(types === null ? {} : { t: types }),
    ...(row.name === undefined ? {} : { n: row.name }),
    b: row.base === null ? null : storeEntityRow(row.base),
    c: row.cells === null ? null : Object.fromEntries(row.cells),
    ...(row.totals === undefined ? {} : { q: Object.fromEntries(row.totals) }),
    j: Object.fromEntries(
      [...row.joined].map(([path, base]) => [path, base === null ? null : storeEntityRow(base)]),
    ),
  };
}

function rowFrom(value: Json, known: readonly ColumnTypes[]): Row {
  const stored = object(value);
  const types = typeof stored["t"] === "number" ? known[stored["t"]] : undefined;
  const base = stored["b"] ?? null;
  const cells = stored["c"] ?? null;
  const name = stored["n"];
  const totals = stored["q"];
  return {
    base: base === null ? null : entityRowFrom(base),
    cells: cells === null ? null : new Map(Object.entries(object(cells))),
    joined: new Map(
      Object.entries(object(stored["j"])).map(([path, item]) => [
        path,
        item === null ? null : entityRowFrom(item),
      ]),
    ),
    ...(totals === undefined ? {} : { totals: new Map(Object.entries(object(totals))) }),
    ...(types === undefined ? {} : { types }),
    ...(typeof name === "string" ? { name } : {}),
  };
}

import type { Json, JsonObject } from "@plasm/core";
import type { HttpTemplate, Preprocess, ResponseShape } from "@plasm/core/internal";
import { failure, RunFailure } from "../base/run-failure.ts";
import type { DiagnosticLog } from "../base/diagnostic.ts";
import {
  clip,
  hasMember,
  isArray,
  isObject,
  isScalar,
  jsonText,
  typeName,
} from "../base/json-kinds.ts";
import { followKeys, followResponse, isAttachment } from "./response-body.ts";
import { troubleWords } from "./trouble-words.ts";

const DEFAULT_ITEMS = "results";

/** More rows in one answer would keep the engine from all else for long (RUN-130). */
const MOST_ITEMS = 100_000;

/** Refuses an answer of too many rows, before any is decoded. Throws RunFailure. */
export function requireFewer(items: readonly Json[]): void {
  if (items.length <= MOST_ITEMS) return;
  throw new RunFailure(
    failure(
      "response_too_large",
      `One answer holds ${items.length} rows, more than ${MOST_ITEMS}.`,
      "ask for less: a narrower condition or a smaller page",
    ),
  );
}

/** Where the rows of a list are: the declared path, else the declared key, else `results`. */
export function collectionPath(shape: ResponseShape): readonly string[] {
  return shape.itemsPath ?? [shape.items ?? DEFAULT_ITEMS];
}

/** Whether the collection of a list is missing or null: RUN-041's error markers then count. */
export function collectionIsAbsent(shape: ResponseShape, body: Json): boolean {
  if (shape.single || isArray(body)) return false;
  return (followResponse(body, collectionPath(shape)) ?? null) === null;
}

const DEFAULT_VALUE = "value";

/** How a map of rows is declared, and where its rows stand in its values. */
type MapShape = Pick<ResponseShape, "valueInto" | "itemInnerKey"> & { readonly keyInto: string };

/**
 * The rows of a map, each with its key in the declared member, which that wins over one of its own. Where values
 * are declared to go into a member, so does an object that has no such member.
 */
export function mapRows(shape: MapShape, map: JsonObject): readonly Json[] {
  const { keyInto, valueInto } = shape;
  return Object.entries(map).map(([key, value]) => {
    const inner = innerRow(value, shape.itemInnerKey);
    const isWhole = valueInto !== undefined && !hasMember(inner, valueInto);
    // Entries make a key that is called `__proto__` a member of its own.
    const own = isObject(inner) ? Object.entries(inner).filter(([name]) => name !== keyInto) : [];
    const whole = isWhole || !isObject(inner) ? [[valueInto ?? DEFAULT_VALUE, inner] as const] : [];
    return Object.fromEntries<Json>([...own, ...whole, [keyInto, key]]);
  });
}

function decodeFailure(message: string, correction: string): RunFailure {
  return new RunFailure(failure("decode", message, correction));
}

/** The keys of an object as a message lists them. */
export function names(keys: readonly string[]): string {
  const shown = keys.slice(0, 20).map((key) => clip(key, 60));
  return shown.join(", ") + (keys.length > 20 ? ` +${keys.length - 20}` : "");
}

/** The part of an element that is the row; scalars are rows of their identity alone. */
function innerRow(item: Json, key: string | undefined): Json {
  return key !== undefined && hasMember(item, key) ? (item[key] ?? null) : item;
}

function findCollection(shape: ResponseShape, body: Json): Json | undefined {
  const path = collectionPath(shape);
  const indexed = shape.itemsPath !== undefined && /^\d+$/.test(path[0] ?? "");
  return isArray(body) && !indexed ? body : followResponse(body, path);
}

/**
 * The wire rows of a list response, the same on every page (RUN-030). A missing or null collection
 * is no rows with a diagnostic; anything but an array there is the failure `decode`, and far too many rows
 * `response_too_large`.
 */
export function listRows(
  shape: ResponseShape,
  response: Json,
  variables: JsonObject,
  log: DiagnosticLog,
): readonly Json[] {
  const declared = shape.single ? declaredPath(shape) : collectionPath(shape);
  const body =
    shape.preprocess === undefined
      ? response
      : preprocess(shape.preprocess, response, variables, log, declared);
  if (shape.single)
    return [body === null ? null : oneRow(shape, body)].filter((row) => row !== null);
  if (shape.wrapRootScalar && isScalar(body)) return [body];
  const items = findCollection(shape, body);
  const where = collectionPath(shape).join(".");
  if (items === undefined || items === null) {
    const words = items === null ? troubleWords(body) : null;
    const says = words === null ? "" : `, and says ${words}`;
    const detail = `${missingText(where, body)}${says}`;
    log.add(items === null ? "collection_null" : "collection_missing", detail);
    return [];
  }
  const { keyInto } = shape;
  if (keyInto !== undefined && isObject(items)) {
    const rows = mapRows({ ...shape, keyInto }, items);
    requireFewer(rows);
    return rows;
  }
  if (isObject(items)) {
    const keys = names(Object.keys(items));
    throw decodeFailure(
      `An object stands at ${where}, where a list was expected; its keys: ${keys}.`,
      objectAdvice(items),
    );
  }
  if (!isArray(items)) {
    throw decodeFailure(
      `${typeName(items)} stands at ${where}, where a list was expected.`,
      `correct items or items_path in the catalog's mapping`,
    );
  }
  // Some APIs write a map that is empty as an empty list.
  if (keyInto !== undefined && items.length > 0) {
    throw decodeFailure(
      `A list of ${items.length} stands at ${where}, where a map was expected, since key_into is declared.`,
      "leave key_into out of the catalog's mapping",
    );
  }
  requireFewer(items);
  return listedRows(shape, items, log);
}

/** The rows of a list; elements that are null or lack the declared inner key are told (RUN-003). */
function listedRows(
  shape: ResponseShape,
  items: readonly Json[],
  log: DiagnosticLog,
): readonly Json[] {
  const { itemInnerKey: inner } = shape;
  return items.flatMap((item, index): readonly Json[] => {
    if (item === null) {
      log.add("row_null", "elements of the list are null", index);
      return [];
    }
    if (inner !== undefined && !hasMember(item, inner)) {
      log.add(
        "row_unfit",
        `elements of the list have no ${inner}, the declared item_inner_key`,
        index,
      );
    }
    const row = innerRow(item, inner);
    if (isArray(row)) log.add("row_unfit", "elements of the list are lists themselves", index);
    if (row === null) log.add("row_null", `${inner} of elements of the list is null`, index);
    return row === null ? [] : [row];
  });
}

/** What an answer has in place of its collection. */
function missingText(where: string, body: Json): string {
  if (body === null) return `nothing at ${where}: the answer is empty`;
  if (!isObject(body)) return `nothing at ${where}: the answer is ${typeName(body)}`;
  if (isAttachment(body)) {
    const mediaType = followKeys(body, ["__plasm_attachment", "mime_type"]);
    const what =
      mediaType.found && typeof mediaType.value === "string" ? mediaType.value : "a file";
    return `nothing at ${where}: the answer is ${what}, and no JSON`;
  }
  const keys = Object.keys(body);
  return `nothing at ${where}; the answer has ${keys.length === 0 ? "no keys" : names(keys)}`;
}

/** How an object in place of a list may be declared: as a map of rows, or as one row. */
function objectAdvice(items: JsonObject): string {
  const values = Object.values(items);
  const isMap = values.length > 0 && values.every((value) => isObject(value));
  return isMap
    ? "if it is a map of rows, declare key_into in the catalog's mapping: each key goes into that member of its row; else correct items_path"
    : "correct items_path in the catalog's mapping, or declare single: true if it is the row, or key_into if it is a map of rows";
}

/** Where a mapping says that the row of an answer is; null where the answer itself is it. */
const declaredPath = (shape: ResponseShape): readonly string[] | null =>
  shape.itemsPath ?? (shape.items === undefined ? null : [shape.items]);

/** Whether the way to a row ends at a null: an object around it that is not there. */
export function endsInNull(shape: ResponseShape, body: Json): boolean {
  const path = declaredPath(shape) ?? [];
  return path.some((_, at) => followResponse(body, path.slice(0, at)) === null);
}

function oneRow(shape: ResponseShape, body: Json): Json {
  const declared = declaredPath(shape);
  const unwrapped = declared === null ? undefined : followResponse(body, declared);
  return innerRow(unwrapped === undefined ? body : unwrapped, shape.itemInnerKey);
}

/**
 * The wire row of a response that holds one: a declared `items_path` or `items` that is present is
 * unwrapped (RUN-031). Several elements are left to the caller, which knows the requested identity.
 */
export function singleRow(
  shape: ResponseShape,
  response: Json,
  variables: JsonObject,
  log: DiagnosticLog,
): Json | readonly Json[] {
  const body =
    shape.preprocess === undefined
      ? response
      : preprocess(shape.preprocess, response, variables, log, declaredPath(shape));
  return oneRow(shape, body);
}

/** A copy of a body with a value at a path; digits index arrays, and objects that are missing are made. */
function replaceAt(body: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isArray(body)) {
    const index = /^\d+$/.test(key) ? Number(key) : null;
    return body.map((each, at) => (at === index ? replaceAt(each, rest, value) : each));
  }
  const object = isObject(body) ? body : {};
  const own = hasMember(object, key) ? (object[key] ?? null) : null;
  return Object.fromEntries<Json>([...Object.entries(object), [key, replaceAt(own, rest, value)]]);
}

const arrayUnder = (value: Json | undefined, key: string): readonly Json[] => {
  const found = hasMember(value, key) ? value[key] : undefined;
  return isArray(found) ? found : [];
};

/**
 * Preprocesses a body before its rows are looked for, which is at `rows` where the mapping says so; a path not
 * found leaves it as it is (MAP-033).
 */
export function preprocess(
  rule: Preprocess,
  body: Json,
  variables: JsonObject,
  log: DiagnosticLog,
  rows: readonly string[] | null,
): Json {
  // A function has been given the body before any rows were looked for.
  if (rule.kind === "function") return body;
  const value = followResponse(body, rule.path);
  if (value === undefined || value === null || isScalar(value)) {
    log.add("preprocess_path", `${rule.kind}: nothing at ${rule.path.join(".")}`);
    return body;
  }
  switch (rule.kind) {
    case "array_find_pluck": {
      const wanted = variables[rule.idVar];
      const items = isArray(value) ? value : [];
      const found = items.find(
        (item) =>
          hasMember(item, rule.idField) && jsonText(item[rule.idField]) === jsonText(wanted),
      );
      return replaceAt({}, rows ?? [rule.nestedArray], arrayUnder(found, rule.nestedArray));
    }
    case "concat_field_arrays": {
      const holders = isArray(value) ? value : [value];
      const all = holders.flatMap((one) => rule.fromEach.flatMap((key) => arrayUnder(one, key)));
      // A root array is the collection itself, unless a path leads into it (RUN-030).
      if (isArray(body) && !/^\d+$/.test(rows?.[0] ?? "")) return all;
      return replaceAt(body, rows ?? rule.path, all);
    }
    case "string_ids_to_field_objects": {
      if (!isArray(value)) return body;
      const objects = value.map((id) => (isScalar(id) ? { [rule.field]: id } : id));
      return replaceAt(body, rule.path, objects);
    }
  }
}

/**
 * Whether a wire row is a GraphQL object of which nothing was selected: one of a type that no fragment of the
 * operation is on. It is no row, like null; a selection that applies leaves its keys, whatever they hold.
 */
export function nothingSelected({ transport }: HttpTemplate, wire: Json): boolean {
  return transport === "graphql" && isObject(wire) && Object.keys(wire).length === 0;
}

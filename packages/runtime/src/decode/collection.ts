import type { Json, JsonObject, ResponseShape } from "@plasm/core";
import { failure, RunFailure } from "../run-failure.ts";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { clip, hasMember, isArray, isObject, isScalar, typeName } from "../json-kinds.ts";
import { preprocess } from "./preprocess.ts";
import { followResponse } from "./wire-path.ts";

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
function collectionPath(shape: ResponseShape): readonly string[] {
  return shape.itemsPath ?? [shape.items ?? DEFAULT_ITEMS];
}

/** Whether the collection of a list is missing or null: RUN-041's error markers then count. */
export function collectionIsAbsent(shape: ResponseShape, body: Json): boolean {
  if (shape.single || isArray(body)) return false;
  return (followResponse(body, collectionPath(shape)) ?? null) === null;
}

function decodeFailure(message: string, correction: string): RunFailure {
  return new RunFailure(failure("decode", message, correction));
}

function names(keys: readonly string[]): string {
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
  const body =
    shape.preprocess === undefined
      ? response
      : preprocess(shape.preprocess, response, variables, log);
  if (shape.single)
    return [body === null ? null : oneRow(shape, body)].filter((row) => row !== null);
  if (shape.wrapRootScalar && isScalar(body)) return [body];
  const items = findCollection(shape, body);
  const where = collectionPath(shape).join(".");
  if (items === undefined || items === null) {
    log.add("collection_missing", `nothing at ${where}`);
    return [];
  }
  if (isObject(items)) {
    const keys = names(Object.keys(items));
    throw decodeFailure(
      `An object stands at ${where}, where a list was expected; its keys: ${keys}.`,
      `correct items_path in the catalog's mapping`,
    );
  }
  if (!isArray(items)) {
    throw decodeFailure(
      `${typeName(items)} stands at ${where}, where a list was expected.`,
      `correct items or items_path in the catalog's mapping`,
    );
  }
  requireFewer(items);
  return items.map((item) => innerRow(item, shape.itemInnerKey)).filter((item) => item !== null);
}

function oneRow(shape: ResponseShape, body: Json): Json {
  const declared = shape.itemsPath ?? (shape.items === undefined ? undefined : [shape.items]);
  const unwrapped = declared === undefined ? undefined : followResponse(body, declared);
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
      : preprocess(shape.preprocess, response, variables, log);
  return oneRow(shape, body);
}

import type { Entity, HttpTemplate, Json, ResponseShape } from "@plasm/core";
import { collectionIsAbsent } from "./collection.ts";
import { hasMember, isArray, isObject } from "../json-kinds.ts";
import { followResponse } from "./wire-path.ts";

/** Whether a 2xx body reports a failure, and the part of it that says what (RUN-041). */
export type Marked =
  | { readonly failed: false; readonly graphqlErrors: Json | null }
  | { readonly failed: true; readonly said: Json };

const FINE: Marked = Object.freeze({ failed: false, graphqlErrors: null });

/** The top-level keys of a row that fields and relations of its entity read. */
function mappedKeys(entity: Entity): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const field of entity.fields.values()) keys.add((field.path ?? [field.name])[0] ?? "");
  for (const relation of entity.relations.values()) {
    keys.add(relation.name);
    const first =
      relation.materialize?.kind === "from_parent_get" ? relation.materialize.path[0] : undefined;
    if (first !== undefined && "key" in first) keys.add(first.key);
  }
  const idFrom = entity.idFrom?.[0];
  if (idFrom !== undefined) keys.add(idFrom);
  return keys;
}

function filled(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : true;
}

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function declaredMarker(shape: ResponseShape, body: Json): Marked {
  const hit = (shape.errorWhen ?? []).some((rule) => {
    const value = followResponse(body, rule.path);
    if (value === undefined) return false;
    return "eq" in rule ? same(value, rule.eq) : value !== null;
  });
  if (!hit) return FINE;
  const said =
    shape.messagePath === undefined ? undefined : followResponse(body, shape.messagePath);
  return { failed: true, said: said ?? body };
}

/** Where the rows of a response should be, and whether anything is there. */
function rowsPresent(shape: ResponseShape, body: Json, list: boolean): boolean {
  if (list) return !collectionIsAbsent(shape, body);
  const path = shape.itemsPath ?? (shape.items === undefined ? [] : [shape.items]);
  return (followResponse(body, path) ?? null) !== null;
}

/**
 * Where the rows of a GraphQL answer are that declares no place of its own: in `data`, one of whose
 * members at least is not null then.
 */
function dataPresent(body: Json): boolean {
  const data = hasMember(body, "data") ? body["data"] : undefined;
  return isObject(data) && Object.values(data).some((value) => value !== null);
}

function graphqlRowsPresent(shape: ResponseShape, body: Json, list: boolean): boolean {
  const path = shape.itemsPath ?? (shape.items === undefined ? undefined : [shape.items]);
  if (path === undefined && (!list || shape.single)) return dataPresent(body);
  return rowsPresent(shape, body, list && !shape.single);
}

function graphqlMarker(shape: ResponseShape, body: Json, list: boolean): Marked | null {
  const errors = hasMember(body, "errors") ? body["errors"] : undefined;
  if (!filled(errors)) return null;
  if (!graphqlRowsPresent(shape, body, list)) return { failed: true, said: body };
  return { failed: false, graphqlErrors: errors ?? null };
}

/**
 * Judges a 2xx body by `error_when`, or without it by the usual markers (RUN-041). Keys that a field
 * maps are data where the body itself is the row.
 */
export function errorMarker(
  template: HttpTemplate,
  entity: Entity,
  body: Json,
  list: boolean,
): Marked {
  const shape = template.response;
  if (shape.errorWhen !== undefined) return declaredMarker(shape, body);
  if (template.transport === "graphql") {
    const marked = graphqlMarker(shape, body, list);
    if (marked !== null) return marked;
  }
  if (!isObject(body)) return FINE;
  const wrapped = shape.itemsPath !== undefined || shape.items !== undefined;
  const bodyIsRow = !list && !(wrapped && rowsPresent(shape, body, false));
  const data = bodyIsRow ? mappedKeys(entity) : new Set<string>();
  for (const key of ["ok", "success"]) {
    if (!data.has(key) && hasMember(body, key) && body[key] === false) {
      return { failed: true, said: body };
    }
  }
  const marker = Object.keys(body).find(
    (key) => /^errors?$/i.test(key) && !data.has(key) && filled(body[key]),
  );
  if (marker === undefined) return FINE;
  const empty = list
    ? collectionIsAbsent(shape, body)
    : bodyIsRow && !Object.keys(body).some((key) => data.has(key));
  return empty ? { failed: true, said: body } : FINE;
}

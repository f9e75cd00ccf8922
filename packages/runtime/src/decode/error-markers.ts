import type { Entity, Json } from "@plasm/core";
import type { HttpTemplate, ResponseShape } from "@plasm/core/internal";
import { collectionIsAbsent } from "./collection.ts";
import { saysSomething } from "./failed-parts.ts";
import { hasMember, isArray, isObject } from "../base/json-kinds.ts";
import { followResponse } from "./response-body.ts";
import { membersAmong, saysFailed, troubleWords } from "./trouble-words.ts";

/** Whether a 2xx body reports a failure, and the part of it that says what (RUN-041). */
export type Marked =
  | { readonly failed: false; readonly graphqlErrors: Json | null }
  | {
      readonly failed: true;
      readonly said: Json;
      /** an effect may have happened all the same: something was executed, and nothing says that it was refused */
      readonly mayHaveRun: boolean;
    };

const FINE: Marked = Object.freeze({ failed: false, graphqlErrors: null });

/** The top-level keys of a row that fields and relations of its entity read. */
export function mappedKeys(entity: Entity): ReadonlySet<string> {
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

function same(a: Json, b: Json): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

const failed = (said: Json): Marked => ({ failed: true, said, mayHaveRun: false });

function declaredMarker({ response: shape, transport }: HttpTemplate, body: Json): Marked {
  const hits = (shape.errorWhen ?? []).filter((rule) => {
    const value = followResponse(body, rule.path);
    if (value === undefined) return false;
    return "eq" in rule ? same(value, rule.eq) : saysSomething(value);
  });
  const [hit] = hits;
  if (hit === undefined) return FINE;
  // Whichever sign came first: one that leaves doubt is not taken back by another that does not.
  const leavesDoubt = hits.some(({ inDoubt }) => inDoubt === true);
  const own = hit.messagePath === undefined ? null : followResponse(body, hit.messagePath);
  const said = own ?? declaredMessage(shape, body) ?? body;
  const isGraphqls = transport === "graphql" && hit.path[0] === "errors";
  return { failed: true, said, mayHaveRun: leavesDoubt || (isGraphqls && mayHaveRun(body)) };
}

/** What stands where the mapping says that the API's own words do; null where nothing does. */
export function declaredMessage(shape: ResponseShape, body: Json): Json {
  const signs = (shape.errorWhen ?? []).map(({ messagePath }) => messagePath);
  for (const path of [shape.messagePath, ...signs]) {
    const said = path === undefined ? null : (followResponse(body, path) ?? null);
    if (said !== null && said !== "") return said;
  }
  return null;
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
  const isWhole = path?.length === 1 && path[0] === "data";
  if (isWhole || (path === undefined && (!list || shape.single))) return dataPresent(body);
  return rowsPresent(shape, body, list && !shape.single);
}

function graphqlMarker(shape: ResponseShape, body: Json, list: boolean): Marked | null {
  const errors = hasMember(body, "errors") ? body["errors"] : undefined;
  if (!saysSomething(errors)) return null;
  if (!graphqlRowsPresent(shape, body, list))
    return { failed: true, said: body, mayHaveRun: mayHaveRun(body) };
  return { failed: false, graphqlErrors: errors ?? null };
}

/** What an answer holds: a list, one row, or nothing that rows are read from. */
export type Held = "list" | "row" | "nothing";

/** Whether a body where no row is expected is one all the same: it says which. */
const saysWhich = (entity: Entity, body: Json): boolean =>
  hasMember(body, (entity.fields.get(entity.idField)?.path ?? [entity.idField])[0] ?? "");

/**
 * Judges a 2xx body by `error_when`, or without it by the usual markers (RUN-041). Keys that a field
 * maps are data where the body itself is the row. GraphQL's errors count beside signs of its own, unless an
 * empty list switches all of it off.
 */
export function errorMarker(
  template: HttpTemplate,
  entity: Entity,
  body: Json,
  held: Held,
): Marked {
  const shape = template.response;
  const list = held === "list";
  if (shape.errorWhen !== undefined) {
    const marked = declaredMarker(template, body);
    const isOff = shape.errorWhen.length === 0 || template.transport !== "graphql";
    if (marked.failed || isOff) return marked;
    return graphqlMarker(shape, body, list) ?? FINE;
  }
  if (template.transport === "graphql") {
    const marked = graphqlMarker(shape, body, list);
    if (marked !== null) return marked;
  }
  if (!isObject(body)) return FINE;
  const wrapped = shape.itemsPath !== undefined || shape.items !== undefined;
  const bodyIsRow = !list && !(wrapped && rowsPresent(shape, body, false));
  const isData = bodyIsRow && (held === "row" || saysWhich(entity, body));
  const data = isData ? mappedKeys(entity) : new Set<string>();
  for (const key of ["ok", "success"]) {
    if (!data.has(key) && hasMember(body, key) && body[key] === false) {
      return failed(body);
    }
  }
  const marker = Object.keys(body).find(
    (key) => /^errors?$/i.test(key) && !data.has(key) && saysSomething(body[key]),
  );
  const empty = list
    ? collectionIsAbsent(shape, body)
    : bodyIsRow && !Object.keys(body).some((key) => data.has(key));
  if (marker !== undefined) return empty ? failed(body) : FINE;
  const holdsRow = held === "nothing" && membersAmong(body, mappedKeys(entity)) > 1;
  return empty && !holdsRow && saysFailed(body, data) ? failed(body) : FINE;
}

/** What an answer says of itself where no row is in it, and that is no plain success; null where nothing is odd (RUN-041). */
export function unreadWords(entity: Entity, body: Json): string | null {
  if (!isObject(body) || saysWhich(entity, body)) return null;
  return membersAmong(body, mappedKeys(entity)) > 1 ? null : troubleWords(body);
}

/** Words by which servers say of an error that they refused what was asked, before they did any of it. */
const REFUSED =
  /^(?:BAD_(?:USER_)?INPUT|BAD_REQUEST|(?:GRAPHQL_)?(?:PARSE|VALIDATION)(?:_FAILED|_ERROR)?|INVALID(?:_\w+)?|\w+_INVALID|(?:UN|NOT_)(?:AUTHENTICATED|AUTHORIZED)|FORBIDDEN|ACCESS_DENIED|PERMISSION_DENIED|INSUFFICIENT_\w+|(?:\w+_)?NOT_FOUND|UNPROCESSABLE(?:_ENTITY|_CONTENT)?|CONFLICT|ALREADY_EXISTS|RATE_LIMITED|THROTTLED|TOO_MANY_REQUESTS|PRECONDITION_FAILED|FAILED_PRECONDITION|PAYMENT_REQUIRED|PERSISTED_QUERY_\w+)$/;

const member = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && hasMember(value, name) ? value[name] : undefined;

/** Statuses of HTTP that say so as well; a time that ran out says nothing. */
const isRefusal = (word: Json | undefined): boolean => {
  if (typeof word === "number") return word >= 400 && word < 500 && word !== 408 && word !== 499;
  const plain = typeof word === "string" ? word.replaceAll(/([a-z])([A-Z])|[\s.-]+/g, "$1_$2") : "";
  return REFUSED.test(plain.toUpperCase());
};

/** Whether an error of a mutation's own field says that nothing was done; one from within its answer came after it. */
function saysRefused(error: Json): boolean {
  const path = member(error, "path");
  if (isArray(path) && path.length > 1) return false;
  const more = member(error, "extensions");
  const words = ["code", "type", "errorType", "classification", "category", "status", "statusCode"];
  return [
    ...words.map((name) => member(more, name)),
    member(member(more, "http"), "status"),
    member(error, "type"),
    member(error, "code"),
  ].some(isRefusal);
}

/**
 * Whether what a GraphQL answer with errors reports may have happened all the same (RUN-041): no, where nothing was
 * executed (there is no `data`, or it is null and no error has a path) or each error is a refusal in a word that
 * servers have for that.
 */
function mayHaveRun(body: Json): boolean {
  const errors = member(body, "errors");
  const all = isArray(errors) ? errors : [];
  const data = member(body, "data");
  const began =
    isObject(data) || (data === null && all.some((one) => isArray(member(one, "path"))));
  return began && !all.every(saysRefused);
}

import type { Json, JsonObject, Pagination, RequestDescription } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";

type Pairs = readonly (readonly [string, string])[];

function queryText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Query pairs with paging parameters in place of template ones of the same name. */
function withQuery(query: Pairs, parameters: JsonObject): Pairs {
  const kept = query.filter(([name]) => !Object.hasOwn(parameters, name));
  const added = Object.entries(parameters).flatMap(([name, value]): Pairs => {
    if (value === null) return [];
    return (isArray(value) ? value : [value]).map((item) => [name, queryText(item)] as const);
  });
  return [...kept, ...added];
}

/** A body with the parameters merged into the object at a path; missing parents are created. */
function mergeAt(body: Json | undefined, path: readonly string[], parameters: JsonObject): Json {
  const [key, ...rest] = path;
  if (body !== undefined && body !== null && !isObject(body)) {
    throw new RunFailure(
      failure(
        "internal",
        "Paging parameters go into a body that is no object.",
        "correct the mapping",
      ),
    );
  }
  const object = isObject(body) ? body : {};
  if (key === undefined) return { ...object, ...parameters };
  return { ...object, [key]: mergeAt(object[key], rest, parameters) };
}

/** Adds the parameters of a page to a request, where its pagination says (mapping format, section 4). */
export function withPageParameters(
  request: RequestDescription,
  pagination: Pagination,
  parameters: JsonObject,
): RequestDescription {
  if (Object.keys(parameters).length === 0) return request;
  if (pagination.location !== "body") {
    return { ...request, query: withQuery(request.query, parameters) };
  }
  const before = request.body?.format === "json" ? request.body.value : undefined;
  const value = mergeAt(before, pagination.bodyMergePath, parameters);
  return { ...request, body: { format: "json", value } };
}

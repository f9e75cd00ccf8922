import type { Json, JsonObject, Preprocess } from "@plasm/core";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { hasMember, isArray, isObject, isScalar, jsonText } from "../json-kinds.ts";
import { followResponse } from "./wire-path.ts";

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

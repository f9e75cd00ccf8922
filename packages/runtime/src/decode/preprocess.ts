import type { Json, JsonObject, Preprocess } from "@plasm/core";
import type { DiagnosticLog } from "./diagnostic-log.ts";
import { hasMember, isArray, isObject, isScalar, jsonText } from "../json-kinds.ts";
import { followResponse } from "./wire-path.ts";

/** A copy of a body with the value at a path of object keys replaced. */
function replaceAt(body: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (!isObject(body)) return body;
  return { ...body, [key]: replaceAt(body[key] ?? null, rest, value) };
}

const arrayUnder = (value: Json | undefined, key: string): readonly Json[] => {
  const found = hasMember(value, key) ? value[key] : undefined;
  return isArray(found) ? found : [];
};

/** Preprocesses a body before its rows are looked for; a path not found leaves it as it is (MAP-033). */
export function preprocess(
  rule: Preprocess,
  body: Json,
  variables: JsonObject,
  log: DiagnosticLog,
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
      return { [rule.nestedArray]: arrayUnder(found, rule.nestedArray) };
    }
    case "concat_field_arrays": {
      const holders = isArray(value) ? value : [value];
      const all = holders.flatMap((one) => rule.fromEach.flatMap((key) => arrayUnder(one, key)));
      return replaceAt(body, rule.path, all);
    }
    case "string_ids_to_field_objects": {
      if (!isArray(value)) return body;
      const objects = value.map((id) => (isScalar(id) ? { [rule.field]: id } : id));
      return replaceAt(body, rule.path, objects);
    }
  }
}

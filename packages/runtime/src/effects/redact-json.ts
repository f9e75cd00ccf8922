import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";

/** JSON without secrets and without the bytes of files, for the effect log (PLAN-073, RUN-142). */
function redactJson(value: Json, redact: (text: string) => string): Json {
  if (typeof value === "string") return redact(value);
  if (isArray(value)) return value.map((item) => redactJson(item, redact));
  return isObject(value) ? redactObject(value, redact) : value;
}

/** The same for an object. */
export function redactObject(value: JsonObject, redact: (text: string) => string): JsonObject {
  const entries = Object.entries(value).map(([name, member]): [string, Json] => {
    const isFile = name === "bytes_base64" && typeof member === "string";
    return [name, isFile ? `${member.length} characters` : redactJson(member, redact)];
  });
  return Object.fromEntries(entries);
}

import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "../json-kinds.ts";

/** Control characters except tab and newline, C1 included (RUN-143). */
// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const ALL_CONTROLS = new RegExp(CONTROLS, "g");

/** API text as data: without control characters except tab and newline (RUN-143). */
export function cleanText(text: string): string {
  return CONTROLS.test(text) ? text.replace(ALL_CONTROLS, "") : text;
}

/** The same for every text inside a JSON value; the value itself if there is nothing to remove. */
export function cleanJson(value: Json): Json {
  if (typeof value === "string") return cleanText(value);
  if (isArray(value)) {
    const cleaned = value.map(cleanJson);
    return cleaned.every((item, i) => item === value[i]) ? value : cleaned;
  }
  if (isObject(value)) return cleanObject(value);
  return value;
}

function cleanObject(value: JsonObject): JsonObject {
  const entries = Object.entries(value).map(
    ([key, member]) => [cleanText(key), cleanJson(member)] as const,
  );
  const same = entries.every(([key, member]) => Object.is(value[key], member));
  return same ? value : Object.fromEntries(entries);
}

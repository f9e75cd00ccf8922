import type { Json, JsonObject } from "@plasm/core";
import { isObject } from "../json-kinds.ts";

/** The JSON object that a text is, or null if it is none. */
export function jsonObjectOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

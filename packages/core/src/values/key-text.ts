import { canonicalJson } from "../hash/canonical-json.ts";
import { compareCodePoints } from "../text/compare-code-points.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * Returns the key of a row or reference as text (RUN-046): a simple key as it prints, a compound one as
 * `k=v` pairs sorted by code point with `%`, `,` and `=` percent-encoded. Keys compare by it.
 */
export function keyText(key: Json): string {
  if (typeof key === "string") return key;
  if (!isObject(key)) return typeof key === "object" ? canonicalJson(key) : String(key);
  const parts = Object.entries(key);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return keyText(only[1]);
  return parts
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([name, value]) => `${escapePart(name)}=${escapePart(keyText(value))}`)
    .join(",");
}

function escapePart(text: string): string {
  if (!/[%,=]/.test(text)) return text;
  return text.replaceAll("%", "%25").replaceAll(",", "%2C").replaceAll("=", "%3D");
}

/** Whether a value is an object. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

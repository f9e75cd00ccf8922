import { canonicalJson } from "../hash/canonical-json.ts";
import type { Json } from "../values/json.ts";

/** Same type and value (mapping format, section 2); two nothings are the same. */
export function sameValue(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (typeof left !== "object" || typeof right !== "object") return left === right;
  return canonicalJson(left) === canonicalJson(right);
}

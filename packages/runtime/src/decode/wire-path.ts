import type { Json } from "@plasm/core";
import { hasMember, isArray, isObject, typeName } from "../json-kinds.ts";

/** What a path leads to (RUN-032): a value, null, nothing, or a step on a value of the wrong type. */
export type PathResult =
  | { readonly found: true; readonly value: Json }
  | { readonly found: false; readonly wrongType: string | null };

const NOTHING: PathResult = Object.freeze({ found: false, wrongType: null });

/** Follows object keys; digits are keys too (CAT field paths). A null on the way is null. */
export function followKeys(root: Json, path: readonly string[]): PathResult {
  let value: Json = root;
  for (const key of path) {
    if (value === null) return { found: true, value: null };
    if (!isObject(value)) return { found: false, wrongType: `${typeName(value)} before ${key}` };
    if (!hasMember(value, key)) return NOTHING;
    value = value[key] ?? null;
  }
  return { found: true, value };
}

/** Follows keys to a part of a response; digits index arrays (`items_path`, `response_prefix`). */
export function followResponse(root: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const key of path) {
    if (isArray(value) && /^\d+$/.test(key)) value = value[Number(key)];
    else if (hasMember(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** A key that may contain dots: the exact key if present, else read as a dotted path (MAP-046). */
export function followDotted(root: Json | undefined, name: string): Json | undefined {
  if (root === undefined) return undefined;
  if (hasMember(root, name)) return root[name];
  return followResponse(root, name.split("."));
}

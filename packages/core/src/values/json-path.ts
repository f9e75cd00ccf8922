import { isArray, isObject, type Json } from "./value-type.ts";

/** What the objects of a list have under a key, in their order, with the elements of lists; null if it has no objects. */
function ofEach(list: readonly Json[], key: string): Json {
  if (list.length > 0 && !list.some(isObject)) return null;
  const found: Json[] = [];
  for (const item of list) {
    if (!isObject(item) || !Object.hasOwn(item, key)) continue;
    const value = item[key] ?? null;
    for (const each of isArray(value) ? value : [value]) found.push(each);
  }
  return found;
}

/**
 * The value at a path into json: keys, and indices of lists; null where there is none. A key behind a list leads into
 * each of its objects, and gives the list of what they have (LANG-053).
 */
export function jsonAt(value: Json, path: readonly string[]): Json {
  let at = value;
  for (const key of path) {
    if (isArray(at)) at = /^\d+$/.test(key) ? (at[Number(key)] ?? null) : ofEach(at, key);
    else at = isObject(at) && Object.hasOwn(at, key) ? (at[key] ?? null) : null;
  }
  return at;
}

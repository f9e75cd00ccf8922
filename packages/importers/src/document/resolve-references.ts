import { isDocumentObject, type DocumentObject, textOf } from "../json.ts";

const LONGEST_CHAIN = 20;
const DEEPEST = 4;

const decoded = (token: string): string => {
  const plain = token.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
};

/** What stands at a JSON pointer of a document; undefined if nothing does. References on the way are followed. */
function at(root: DocumentObject, pointer: string, depth: number): unknown {
  let place: unknown = root;
  for (const token of pointer.slice(1).split("/").slice(1).map(decoded)) {
    if (pointerOf(place) !== undefined) place = resolved(root, place as DocumentObject, depth + 1);
    const has = typeof place === "object" && place !== null && Object.hasOwn(place, token);
    place = has ? (place as DocumentObject)[token] : undefined;
  }
  return place;
}

/** The pointer of a reference within the document; undefined for what is none. */
function pointerOf(value: unknown): string | undefined {
  const ref =
    isDocumentObject(value) && Object.hasOwn(value, "$ref") ? textOf(value["$ref"]) : undefined;
  return ref?.startsWith("#") === true ? ref : undefined;
}

/** What a reference is, with what stands beside it (OpenAPI 3.1); undefined if it leads nowhere, or to itself. */
function resolved(
  root: DocumentObject,
  reference: DocumentObject,
  depth = 0,
): DocumentObject | undefined {
  if (depth > DEEPEST) return undefined;
  const beside: Record<string, unknown>[] = [];
  let place: unknown = reference;
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const pointer = pointerOf(place);
    if (pointer === undefined) break;
    const { $ref: _ref, ...own } = place as DocumentObject;
    if (Object.keys(own).length > 0) beside.unshift(own);
    place = at(root, pointer, depth);
  }
  if (!isDocumentObject(place) || pointerOf(place) !== undefined) return undefined;
  return beside.length === 0 ? place : Object.assign({}, place, ...beside);
}

/**
 * Puts what it refers to in the place of every reference of a document to itself, which it changes. What is
 * referred to several times is one object then, and may lead back to itself; a reference that leads nowhere,
 * or to another document, stays.
 */
export function resolveReferences(root: DocumentObject): void {
  const seen = new Set<unknown>([root]);
  const open: Record<string, unknown>[] = [root as Record<string, unknown>];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const key of Object.keys(one)) {
      const value = one[key];
      if (typeof value !== "object" || value === null) continue;
      const found =
        pointerOf(value) === undefined ? value : resolved(root, value as DocumentObject);
      if (found === undefined) continue;
      // A member called `__proto__` stays a member.
      if (found !== value)
        Object.defineProperty(one, key, { value: found, enumerable: true, writable: true });
      if (seen.has(found)) continue;
      seen.add(found);
      open.push(found as Record<string, unknown>);
    }
  }
}

import { isDocumentObject, type DocumentObject, memberOf, textOf } from "../json.ts";

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
  if (beside.length === 0) return place;
  const xml = [place, ...beside].map((one) => memberOf(one, "xml")).filter(isDocumentObject);
  return Object.assign(
    {},
    place,
    ...beside,
    xml.length < 2 ? {} : { xml: Object.assign({}, ...xml) },
  );
}

/** Keys of a schema that say nothing of what is in it. */
const SAYS_ABOUT =
  /^(?:description|title|example|examples|deprecated|externalDocs|xml|default|readOnly|writeOnly|\$comment|x-.*)$/;

const onlySaysAbout = (schema: unknown): boolean =>
  isDocumentObject(schema) && Object.keys(schema).every((key) => SAYS_ABOUT.test(key));

/** What stands beside a reference in `allOf`, as 3.0 writes it, put beside the reference itself, as 3.1 writes it. */
function besideReference(schema: DocumentObject): void {
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf) || !onlySaysAbout(others)) return;
  const references = allOf.filter((one) => pointerOf(one) !== undefined);
  const rest = allOf.filter((one) => pointerOf(one) === undefined);
  const [reference, second] = references;
  if (reference === undefined || second !== undefined || !rest.every(onlySaysAbout)) return;
  if (rest.length === 0) return;
  delete (schema as Record<string, unknown>)["allOf"];
  Object.assign(schema, reference, ...rest);
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
      if (Object.hasOwn(value, "allOf")) besideReference(value as DocumentObject);
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

import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { isDiscovery, openApiFromDiscovery } from "../discovery/openapi-from-discovery.ts";
import { OpenApiError } from "../open-api-error.ts";
import { documentFaults, tooLargeToCheck } from "./document-faults.ts";
import { isPlainJson } from "./parse-document.ts";
import { foreignLines } from "./references.ts";
import { resolveReferences } from "./resolve-references.ts";
import { isDocumentObject, type DocumentObject, memberOf, sortedEntries, textOf } from "../json.ts";

/** A document without references, and what of it is not as OpenAPI has it. */
export interface ReadDocument {
  readonly root: DocumentObject;
  readonly faults: readonly string[];
  /** what of another kind of document OpenAPI does not say, and references that leave the document */
  readonly left: readonly string[];
}

/** Where a schema says by which name `components` has it. */
export const NAME_KEY = "x-plasm-component";

/** Levels of a document: what reads schemas calls itself, and no API comes near. */
const MOST_LEVELS = 500;

/** Throws OpenApiError for a document that is nested without end, before anything calls itself over it. */
function demandFlat(document: unknown): void {
  const isFlat = isPlainJson(document) ? isTreeWithin(document, MOST_LEVELS) : isWithin(document);
  if (isFlat) return;
  throw new OpenApiError(
    `The document leads back to itself, or has more than ${MOST_LEVELS} levels: give one that is less deep, for instance with its schemas under components.`,
  );
}

/** Of what was parsed of JSON: nothing stands in two places, and nothing has to be remembered. */
const isTreeWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels >= 0 && Object.values(value).every((inner) => isTreeWithin(inner, levels - 1)));

function isWithin(document: unknown): boolean {
  // Sets, since what is referred to twice would be counted twice at each level.
  let level = new Set<unknown>([document]);
  for (let depth = 0; level.size > 0; depth += 1) {
    if (depth > MOST_LEVELS) return false;
    const next = new Set<unknown>();
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const inner of Object.values(value))
        if (typeof inner === "object" && inner !== null) next.add(inner);
    }
    level = next;
  }
  return true;
}

/** Half a pair as JSON has it, behind an even number of backslashes; no file of UTF-8 holds it. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** A document that the library may change, and how many characters it has as JSON. */
interface OwnDocument {
  readonly own: DocumentObject;
  readonly size: number;
}

/** A copy of JSON of whole characters alone, so that nothing else can be in it. */
function copyOf(document: unknown): OwnDocument {
  try {
    const text = JSON.stringify(document).replaceAll(HALF_PAIR, "$1\ufffd");
    const copy: unknown = JSON.parse(text);
    if (isDocumentObject(copy)) return { own: copy, size: text.length };
  } catch (error) {
    throw new OpenApiError("The document is not JSON.", { cause: error });
  }
  throw new OpenApiError("This is no OpenAPI document: it is not a map.");
}

/** The document itself where it may be changed and is plain JSON, else a copy. */
function ownDocument(document: unknown, mayChange: boolean): OwnDocument {
  demandFlat(document);
  if (!mayChange || !isPlainJson(document)) return copyOf(document);
  return { own: document, size: jsonLength(document) };
}

/** How long a value is as JSON, put together from its parts: as one text a large document would take as much again. */
function jsonLength(value: unknown): number {
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  let sum = 2 + Math.max(0, keys.length - 1);
  for (const key of keys) {
    if (!isList) sum += JSON.stringify(key).length + 1;
    sum += jsonLength((value as DocumentObject)[key]);
  }
  return sum;
}

/** Versions that are read: 2.0 by way of 3.0, the others as they are. */
const READ = /^3\.[012](\.|$)/;

/** A document of OpenAPI 3, of one of Swagger 2.0 too. Throws OpenApiError for what is neither. */
function openApi3(root: DocumentObject): DocumentObject {
  const swagger = memberOf(root, "swagger");
  if (memberOf(root, "openapi") === undefined && swagger === 2) {
    // YAML reads 2.0 as a number.
    return openApi3({ ...root, swagger: "2.0" });
  }
  const current = swagger === "2.0" ? converted(root) : root;
  const version = memberOf(current, "openapi");
  if (typeof version !== "string" || !READ.test(version)) throw notOpenApi(root);
  if (isDocumentObject(memberOf(current, "paths"))) return current;
  throw new OpenApiError("The document has no paths: there is nothing to make a catalog of.");
}

/** A Swagger 2.0 document as OpenAPI 3.0; the library changes what it is given. */
function converted(root: DocumentObject): DocumentObject {
  try {
    const made: unknown = upgradeFromTwoToThree(
      root as Parameters<typeof upgradeFromTwoToThree>[0],
    );
    if (isDocumentObject(made)) return made;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new OpenApiError(
      `This Swagger 2.0 document cannot be converted to OpenAPI 3.0: ${why}. Check it, for instance with https://editor.swagger.io.`,
      { cause: error },
    );
  }
  throw new OpenApiError("This Swagger 2.0 document cannot be converted to OpenAPI 3.0.");
}

/** What a document is instead, as far as its keys tell, and what to do. */
function notOpenApi(root: DocumentObject): OpenApiError {
  const kind = OTHER_KINDS.find(({ is }) => is(root));
  const version = textOf(memberOf(root, "openapi") ?? memberOf(root, "swagger"));
  const found =
    kind?.what ?? (version === undefined ? "it has no key openapi" : `its version is ${version}`);
  const next = kind?.next ?? "Give an OpenAPI document of 3.0, 3.1 or 3.2, or Swagger 2.0.";
  return new OpenApiError(`This is not an OpenAPI document that can be read: ${found}. ${next}`);
}

interface OtherKind {
  readonly is: (root: DocumentObject) => boolean;
  readonly what: string;
  readonly next: string;
}

const OTHER_KINDS: readonly OtherKind[] = [
  {
    is: (root) => memberOf(root, "asyncapi") !== undefined,
    what: "it is an AsyncAPI document, which describes messages",
    next: "Give the OpenAPI document of the API's HTTP operations.",
  },
  {
    is: (root) => Array.isArray(memberOf(memberOf(root, "log"), "entries")),
    what: "it is a HAR file, a record of requests",
    next: "Give the API's OpenAPI document, or make one of the record first, for instance with npx har-to-openapi.",
  },
  {
    is: (root) =>
      textOf(memberOf(memberOf(root, "info"), "schema"))?.includes("getpostman.com") === true ||
      memberOf(memberOf(root, "info"), "_postman_id") !== undefined,
    what: "it is a Postman collection",
    next: "Export the API as OpenAPI, or convert the collection first, for instance with npx postman-to-openapi.",
  },
  {
    is: (root) =>
      typeof memberOf(root, "swaggerVersion") === "string" ||
      textOf(memberOf(root, "swagger"))?.startsWith("1.") === true,
    what: "it is Swagger 1",
    next: "Convert it to OpenAPI first, for instance with npx api-spec-converter.",
  },
  {
    is: (root) =>
      isDocumentObject(memberOf(root, "__schema")) ||
      isDocumentObject(memberOf(memberOf(root, "data"), "__schema")),
    what: "it is the introspection result of a GraphQL API",
    next: "Give its text to catalogFromGraphql, or to plasm, which knows it by what it holds.",
  },
  {
    is: (root) => textOf(memberOf(root, "kind"))?.startsWith("discovery#") === true,
    what: "it is a list of Google discovery documents",
    next: "Give the document of one API, at the address of its discoveryRestUrl.",
  },
  {
    is: (root) => memberOf(root, "overlay") !== undefined,
    what: "it is an overlay, which changes a document",
    next: "Give the document itself.",
  },
  {
    is: (root) => memberOf(root, "$schema") !== undefined || memberOf(root, "$defs") !== undefined,
    what: "it is a JSON schema",
    next: "Give the OpenAPI document that has the operations.",
  },
];

/** Notes at each named schema what it is called: resolved references say nothing of that any more. */
function noteNames(root: DocumentObject): void {
  const schemas = memberOf(memberOf(root, "components"), "schemas");
  for (const [name, schema] of sortedEntries(schemas)) {
    if (!isDocumentObject(schema) || Object.hasOwn(schema, "$ref")) continue;
    Object.defineProperty(schema, NAME_KEY, { value: name, enumerable: true });
  }
}

/**
 * Reads an OpenAPI document of 3.0, 3.1 or 3.2, or of Swagger 2.0: its references to itself are resolved, those to
 * elsewhere stay and are never followed, and its faults are collected if it is `validated`. Throws OpenApiError for
 * what is none. The document itself is changed where it may be.
 */
export function readDocument(
  document: unknown,
  { validate, mayChange }: { readonly validate: boolean; readonly mayChange: boolean },
): ReadDocument {
  const { own: given, size } = ownDocument(document, mayChange);
  if (isDiscovery(given)) {
    const { root, left } = openApiFromDiscovery(given);
    noteNames(root);
    resolveReferences(root);
    return { root, faults: [], left };
  }
  const left = foreignLines(given);
  const faultsOf = (one: DocumentObject) => tooLargeToCheck(size) ?? documentFaults(one);
  // What was Swagger is judged as it came; a conversion mends some faults and makes others.
  const isSwagger = memberOf(given, "openapi") === undefined;
  const before = validate && isSwagger ? faultsOf(given) : [];
  const root = openApi3(given);
  const faults = validate && !isSwagger ? faultsOf(root) : before;
  noteNames(root);
  resolveReferences(root);
  return { root, faults, left };
}

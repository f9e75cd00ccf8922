import { OpenApiError } from "../open-api-error.ts";
import { documentFaults } from "./document-faults.ts";
import { resolveReferences } from "./resolve-references.ts";
import { isObject, type JsonObject, memberOf, sortedEntries, textOf } from "../json.ts";

/** A document without references, and what of it is not as OpenAPI has it. */
export interface ReadDocument {
  readonly root: JsonObject;
  readonly faults: readonly string[];
}

/** Where a schema says by which name `components` has it. */
export const NAME_KEY = "x-plasm-component";

/** A copy that the library may change; JSON alone, so that nothing else can be in it. */
function copyOf(document: unknown): JsonObject {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(document));
    if (isObject(copy)) return copy;
  } catch (error) {
    throw new OpenApiError("The document is no JSON: it leads back to itself or is too deep.", {
      cause: error,
    });
  }
  throw new OpenApiError("This is no OpenAPI document: it is not a map.");
}

function demandVersion(root: JsonObject): void {
  const version = textOf(memberOf(root, "openapi"));
  if (version !== undefined && /^3\.[01](\.|$)/.test(version)) {
    if (isObject(memberOf(root, "paths"))) return;
    throw new OpenApiError("The document has no paths: there is nothing to make a catalog of.");
  }
  const swagger = memberOf(root, "swagger");
  if (swagger !== undefined) {
    throw new OpenApiError(
      `This is a Swagger ${JSON.stringify(swagger)} document; OpenAPI 3.0 and 3.1 are read. Convert it first, for instance with npx swagger2openapi.`,
    );
  }
  const found = version === undefined ? "it has no key openapi" : `openapi is ${version}`;
  throw new OpenApiError(`This is no OpenAPI 3.0 or 3.1 document: ${found}.`);
}

/** Notes at each named schema what it is called: resolved references say nothing of that any more. */
function noteNames(root: JsonObject): void {
  const schemas = memberOf(memberOf(root, "components"), "schemas");
  for (const [name, schema] of sortedEntries(schemas)) {
    if (!isObject(schema) || Object.hasOwn(schema, "$ref")) continue;
    Object.defineProperty(schema, NAME_KEY, { value: name, enumerable: true });
  }
}

/**
 * Reads an OpenAPI document of 3.0 or 3.1: its references to itself are resolved, those to elsewhere
 * stay and are never followed, and its faults are collected if it is `validated`. Throws OpenApiError for
 * what is none.
 */
export function readDocument(document: unknown, validated = true): ReadDocument {
  const root = copyOf(document);
  demandVersion(root);
  const faults = validated ? documentFaults(root) : [];
  noteNames(root);
  resolveReferences(root);
  return { root, faults };
}

import { validate } from "@readme/openapi-parser";
import { OpenApiError } from "../open-api-error.ts";
import { resolveReferences } from "./resolve-references.ts";
import { isObject, type JsonObject, memberOf, sortedEntries, textOf } from "../json.ts";

/** A document without references, and what of it is not as OpenAPI has it. */
export interface ReadDocument {
  readonly root: JsonObject;
  readonly faults: readonly string[];
}

/** Where a schema says by which name `components` has it. */
export const NAME_KEY = "x-plasm-component";

/** Nothing is fetched and no other file is read: a document is data from a stranger. */
const CLOSED = { resolve: { external: false } } as const;

const MOST_FAULTS = 10;

type Given = Parameters<typeof validate>[0];

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

const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}\s]+/gu, " ").trim();

/** What is not as OpenAPI has it: the library changes what it is given. */
async function faultsOf(copy: JsonObject): Promise<readonly string[]> {
  try {
    const found = await validate(copy as unknown as Given, CLOSED);
    if (found.valid) return [];
    const said = [...new Set(found.errors.map(({ message }) => oneLine(message)))];
    const more = said.length - MOST_FAULTS;
    return [...said.slice(0, MOST_FAULTS), ...(more > 0 ? [`and ${more} more faults`] : [])];
  } catch (error) {
    return [oneLine(error instanceof Error ? error.message : String(error))];
  }
}

/**
 * Reads an OpenAPI document of 3.0 or 3.1: its references to itself are resolved, those to elsewhere
 * stay and are never followed, and its faults are collected if it is `validated`. Throws OpenApiError for
 * what is none.
 */
export async function readDocument(document: unknown, validated = true): Promise<ReadDocument> {
  const root = copyOf(document);
  demandVersion(root);
  const faults = validated ? await faultsOf(copyOf(root)) : [];
  noteNames(root);
  resolveReferences(root);
  return { root, faults };
}

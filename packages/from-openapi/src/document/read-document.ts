import { dereference, validate } from "@readme/openapi-parser";
import { OpenApiError } from "../open-api-error.ts";
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

type Given = Parameters<typeof dereference>[0];

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

async function faultsOf(document: JsonObject): Promise<readonly string[]> {
  const found = await validate(document as unknown as Given, CLOSED);
  if (found.valid) return [];
  const said = found.errors.map(({ message }) => message.replaceAll(/\s+/g, " ").trim());
  const more = said.length - MOST_FAULTS;
  const all = [...new Set(said)].slice(0, MOST_FAULTS);
  return [...all, ...(more > 0 ? [`and ${more} more faults`] : [])];
}

/** Whether anything within still refers to another place of the document. */
function refersToItself(root: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [root];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (textOf(memberOf(one, "$ref"))?.startsWith("#") === true) return true;
    for (const inner of Object.values(one)) if (inner !== undefined) open.push(inner);
  }
  return false;
}

/**
 * Reads an OpenAPI document of 3.0 or 3.1: its references to itself are resolved, those to elsewhere
 * stay and are never followed, and its faults are collected if it is `validated`. Throws OpenApiError for what is none, or has
 * references that lead nowhere.
 */
export async function readDocument(document: unknown, validated = true): Promise<ReadDocument> {
  const root = copyOf(document);
  demandVersion(root);
  noteNames(root);
  try {
    // Validation resolves most references where they stand; the others lead back to what they are in.
    const faults = validated ? await faultsOf(root) : [];
    if (!refersToItself(root)) return { root, faults };
    const whole: unknown = await dereference(root as unknown as Given, CLOSED);
    return { root: isObject(whole) ? whole : root, faults };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new OpenApiError(`The document cannot be read: ${said.replaceAll(/\s+/g, " ").trim()}`, {
      cause: error,
    });
  }
}

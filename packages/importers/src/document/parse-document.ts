import { beyondYamlLimits, parseJsonText, readYaml, type ReadYaml } from "@plasm/core/internal";
import { isScalar, visit, type Document } from "yaml";
import { type DocumentObject, isDocumentObject } from "../json.ts";
import { OpenApiError } from "../open-api-error.ts";

/** Characters that are read; YAML takes some fifty times as long as JSON. */
export const MOST_JSON = 100_000_000;
export const MOST_YAML = 8_000_000;

/** What a document in YAML holds at most, seen before it is read; levels are judged once more as those of JSON are. */
const YAML_LIMITS = { tokens: 5_000_000, nodes: 1_000_000, depth: 500 };

const TOO_DEEP = `it has more than ${YAML_LIMITS.depth} levels.`;

/** `line:column` of a place in a text. */
function placeIn(text: string, at: number): string {
  const before = text.slice(0, at);
  return `${before.split("\n").length}:${at - before.lastIndexOf("\n")}`;
}

/** The library's reading, which calls itself: nesting that no limit has seen ends the stack. */
function readSafely(text: string, tooDeep: () => OpenApiError): ReadYaml {
  try {
    return readYaml(text, { logLevel: "silent", uniqueKeys: false });
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooDeep();
    throw thrown;
  }
}

/** One document of YAML. Throws OpenApiError, which says where the text is none, or too much. */
function readOne(text: string, hint: string): Document {
  const refused = (at: number, why: string) =>
    new OpenApiError(`The document is neither JSON nor YAML: ${placeIn(text, at)}: ${why}${hint}`);
  const beyond = beyondYamlLimits(text, YAML_LIMITS);
  if (beyond !== null)
    throw refused(beyond.at.start, `it goes beyond the limit of ${beyond.what}.`);
  const { document, faults } = readSafely(text, () => refused(0, TOO_DEEP));
  // The library takes the end of the stack for a fault of the text; that end is far beyond the levels that are read.
  const deep = faults.find(({ code }) => code === "RESOURCE_EXHAUSTION");
  if (deep !== undefined) throw refused(deep.pos[0], TOO_DEEP);
  const fault = faults.find(({ name }) => name === "YAMLParseError");
  if (fault !== undefined) throw refused(fault.pos[0], fault.message);
  if (document === null) throw refused(0, "it has too many faults.");
  return document;
}

/** Whether a text begins as JSON does. */
export const readsAsJson = (text: string): boolean => /^\uFEFF?\s*[{[]/.test(text);

/** The first key that a map has twice, and where; the library's own look takes the square of a map's size. */
function keyTwice(document: Document): { readonly key: string; readonly at: number } | null {
  let found: { readonly key: string; readonly at: number } | null = null;
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = { key: String(key.value), at: key.range?.[0] ?? 0 };
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function refuseLarger(text: string, most: number, as: string): void {
  if (text.length <= most) return;
  const other = as === "YAML" ? ` As JSON up to ${MOST_JSON} are: convert it first.` : "";
  throw new OpenApiError(
    `The document has ${text.length} characters; at most ${most} are read as ${as}.${other}`,
  );
}

/** The first address of a page that looks like a document's; undefined where there is none. */
function linkIn(text: string): string | undefined {
  for (const [word] of text.matchAll(/[^\s"'<>()]+/g)) {
    const link = /^.*\.(?:json|ya?ml)\b/i.exec(word)?.[0] ?? "";
    if (/openapi|swagger|api-docs/i.test(link)) return link;
  }
  return undefined;
}

/** A page or a file of XML, where a document was looked for. */
function notADocument(text: string): OpenApiError {
  const isPage = /<(?:!doctype html|html)\b/i.test(text.slice(0, 2_000));
  const link = linkIn(text);
  const next =
    link === undefined
      ? "Give the address of the document itself, which pages for people often link to as openapi.json or swagger.json."
      : `It names ${JSON.stringify(link.slice(0, 200))}: that may be the document.`;
  return new OpenApiError(
    isPage
      ? `This is a page of HTML, not an OpenAPI document. ${next}`
      : "This is XML; OpenAPI documents are JSON or YAML. APIs of WSDL or RAML have to be converted first.",
  );
}

/** Whether text breaks off: it opens more than it closes. JSON as programs write it, so that signs in texts are few. */
const breaksOff = (text: string): boolean => !/[}\]]\s*$/.test(text);

/** What was made of JSON of whole characters: nothing in it stands in two places. */
const plain = new WeakSet<object>();

/** Whether a document came of JSON text, and has nothing that JSON could not have. */
export const isPlainJson = (document: unknown): document is DocumentObject =>
  isDocumentObject(document) && plain.has(document);

const HALF_PAIR = /\p{Surrogate}/u;

/** Half a pair of characters may be written so; whole ones, too, which costs a copy of the document. */
const ESCAPED_PAIR = /\\u[dD][89a-fA-F]/;

function readJson(text: string): unknown {
  const value = parseJsonText(text);
  if (isDocumentObject(value) && !HALF_PAIR.test(text) && !ESCAPED_PAIR.test(text))
    plain.add(value);
  return value;
}

/**
 * What the text of an OpenAPI document holds, in JSON or YAML. Throws OpenApiError, which says where the
 * text breaks off from both.
 */
export function parseOpenApi(text: string): unknown {
  if (text.trim() === "")
    throw new OpenApiError("The document is empty: give an OpenAPI document in JSON or YAML.");
  refuseLarger(text, MOST_JSON, "JSON");
  const isJson = /^\uFEFF?\s*\{/.test(text);
  if (isJson) {
    try {
      return readJson(text.replace(/^\uFEFF/, ""));
    } catch {
      // Braces begin YAML, too; where this is neither, that reader says where.
    }
  }
  if (/^\uFEFF?\s*<(?:!doctype|html|\?xml|[a-z])/i.test(text)) throw notADocument(text);
  refuseLarger(text, MOST_YAML, "YAML");
  const cut =
    isJson && breaksOff(text)
      ? " It begins as JSON and ends in the middle: fetch or copy the whole of it."
      : "";
  const document = readOne(text, cut);
  const twice = keyTwice(document);
  if (twice !== null) {
    const { key, at } = twice;
    throw new OpenApiError(
      `The document has the key ${key} twice in one map: ${placeIn(text, at)}.`,
    );
  }
  try {
    return document.toJS();
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new OpenApiError(`The document is no YAML that can be read: ${said}`, { cause: error });
  }
}

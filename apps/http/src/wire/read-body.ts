import { fail } from "@plasm/agent-core/internal";
import type { Json, JsonObject } from "@plasm/core";
import { parseJsonText } from "@plasm/core/internal";

/** LANG-001: what a program may measure, in UTF-8 bytes. */
const MAX_PROGRAM_BYTES = 262_144;
/** JSON may spell a program with escapes, and carries seeds. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** A request's body by its declared type: text, or JSON. */
export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly value: Json };

const tooLarge = (limit: number) =>
  fail("plasm-too-large", `The body is larger than ${limit} bytes, the most this route takes.`);

/** A body as it came, of any type. Throws plasm-too-large. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > limit) throw tooLarge(limit);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fail("plasm-bad-request", "The body is not valid UTF-8.");
  }
}

const readText = async (request: Request, limit: number): Promise<string> =>
  utf8(await readBytes(request, limit));

function validJson(text: string): Json {
  try {
    return parseJsonText(text) as Json;
  } catch {
    throw fail("plasm-bad-request", "The body is not valid JSON.");
  }
}

/** The value of a body; one that says a thing twice means two things, and neither is chosen. */
function parseJson(text: string): Json {
  const value = validJson(text);
  const twice = repeatedMember(text);
  if (twice === null) return value;
  throw fail(
    "plasm-bad-request",
    `The body has ${JSON.stringify(twice.slice(0, 80))} twice: send it once.`,
  );
}

/** No program begins like a JSON object or text, so such a body was meant as JSON. */
function isJsonInDisguise(text: string): boolean {
  if (!/^\s*["{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const unsupported = (found: string, taken: readonly string[]) =>
  fail(
    "plasm-unsupported-media",
    `Content-Type ${found} is not taken here. Send ${taken.join(" or ")}, in UTF-8.`,
  );

function mediaType(request: Request, taken: readonly string[]): string {
  const header = request.headers.get("content-type") ?? "";
  const [type = "", ...parameters] = header.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  const utf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const encoding = request.headers.get("content-encoding") ?? "identity";
  const found = encoding === "identity" ? header : `${header} (${encoding})`;
  if (!taken.includes(type) || !utf8 || encoding !== "identity") {
    throw unsupported(JSON.stringify(found), taken);
  }
  return type;
}

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

function jsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw fail("plasm-bad-request", "The body must be a JSON object.");
}

/** Reads a body that must be a JSON object. Throws 400, 413 or 415 (SURF-16, SURF-18). */
export async function readJsonObject(request: Request): Promise<JsonObject> {
  mediaType(request, [JSON_TYPE]);
  return jsonObject(await readText(request, MAX_JSON_BYTES));
}

/**
 * The same of a body that may be left out; null where it is. Whether there is one is known from its bytes alone: a
 * server gives an empty one to every POST.
 */
export async function readOptionalJsonObject(request: Request): Promise<JsonObject | null> {
  const bytes = await readBytes(request, MAX_JSON_BYTES);
  if (bytes.byteLength === 0) return null;
  mediaType(request, [JSON_TYPE]);
  return jsonObject(utf8(bytes));
}

/** Reads a body that is a program as text, or JSON; JSON sent as text is refused (G21). */
export async function readProgramBody(request: Request): Promise<Body> {
  const type = mediaType(request, [TEXT_TYPE, JSON_TYPE]);
  if (type === JSON_TYPE) {
    return { kind: "json", value: parseJson(await readText(request, MAX_JSON_BYTES)) };
  }
  const text = await readText(request, MAX_PROGRAM_BYTES);
  if (isJsonInDisguise(text)) throw unsupported("text/plain with JSON in it", [JSON_TYPE]);
  return { kind: "text", text };
}

const TOKEN = /"(?:[^"\\]|\\[^])*"?|[{}[\],]/g;

const keyOf = (token: string): string =>
  token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);

/**
 * The first name that an object of a JSON text has twice, at any depth; null if there is none. Parsers take
 * the last of the two silently. The text must be JSON.
 */
export function repeatedMember(text: string): string | null {
  /** the names seen in each object around, null for a list */
  const around: (Set<string> | null)[] = [];
  let isName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const names = around.at(-1) ?? null;
    switch (token) {
      case "{":
        around.push(new Set());
        isName = true;
        break;
      case "[":
        around.push(null);
        isName = false;
        break;
      case "}":
      case "]":
        around.pop();
        isName = false;
        break;
      case ",":
        isName = names !== null;
        break;
      default: {
        if (!isName || names === null) break;
        const name = keyOf(token);
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
    }
  }
  return null;
}

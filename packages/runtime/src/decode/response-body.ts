import { Buffer, isUtf8 } from "node:buffer";
import type { Json, JsonObject } from "@plasm/core";
import type { ResponseShape } from "@plasm/core/internal";
import type { HeaderPair, StoredFile, TransportResponse } from "../ports.ts";
import { atOnce, type Pausable } from "../base/turns.ts";
import { parseJsonInSteps } from "./parse-json.ts";
import type { ReadXml } from "./parse-xml.ts";
import { hasMember, isArray, isObject, typeName } from "../base/json-kinds.ts";

/** A body as what it is: JSON (an empty one is null), markup, other text or bytes, or broken JSON. */
export type ResponseBody =
  /** `malformed`: it had bytes that are no text, which are U+FFFD now */
  | { readonly kind: "json"; readonly value: Json; readonly malformed?: true }
  | { readonly kind: "markup"; readonly text: string; readonly mediaType: string }
  | {
      readonly kind: "other";
      readonly bytes: Uint8Array;
      readonly mediaType: string;
      /** what the answer calls it */
      readonly fileName?: string;
    }
  /** one that the session has taken as its bytes came */
  | { readonly kind: "file"; readonly file: StoredFile; readonly fileName?: string }
  | { readonly kind: "broken"; readonly text: string; readonly why: string };

const JSON_TYPE = /^(application|text)\/([\w.+-]+\+)?json$/;
const MARKUP_TYPE = /^(text\/html|application\/xhtml\+xml|(application|text)\/([\w.+-]+\+)?xml)$/;
const TEXT_TYPE = /^(text\/|application\/(javascript|x-www-form-urlencoded)$)/;

/** What a server says of bytes it knows nothing about: they may be JSON all the same. */
const UNKNOWN_TYPE = "application/octet-stream";
const OPENS_JSON = /^\s*[[{]/;

/** The JSON that bytes of no known type are from end to end; undefined if they are anything else. */
function* jsonOfUnknown(bytes: Uint8Array, maxDepth: number): Pausable<Json | undefined> {
  const start = UTF8.decode(bytes.slice(0, 16));
  if (!OPENS_JSON.test(start)) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const parsed = yield* parseJsonInSteps(text, maxDepth);
    return parsed.ok ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}

/** The value of a header, ignoring case; several are joined as HTTP says. */
export function headerValue(headers: readonly HeaderPair[], name: string): string | undefined {
  let found: string | undefined;
  for (const [key, value] of headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    found = found === undefined ? value : `${found}, ${value}`;
  }
  return found;
}

const UTF8 = new TextDecoder();

/** Bytes as text, and whether each of them is. */
interface DecodedText {
  readonly text: string;
  readonly malformed: boolean;
}

function decodeText(bytes: Uint8Array, contentType: string): DecodedText {
  const charset = /charset="?([\w.:-]+)/i.exec(contentType)?.[1];
  const decoder = charset === undefined ? UTF8 : decoderOf(charset);
  if (decoder.encoding === "utf-8")
    return { text: decoder.decode(bytes), malformed: !isUtf8(bytes) };
  try {
    const text = new TextDecoder(decoder.encoding, { fatal: true }).decode(bytes);
    return { text, malformed: false };
  } catch {
    return { text: decoder.decode(bytes), malformed: true };
  }
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return UTF8;
  }
}

/** `filename="a.pdf"`, `filename=a.pdf` or `filename*=UTF-8''a%20b.pdf`, which goes first (RFC 6266). */
const NAME = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
const ENCODED_NAME = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;"]+)/i;

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What an answer calls the file that it is: one name, without directories; nothing where it does not say (VAL-04). */
export function fileNameOf(headers: readonly HeaderPair[]): { readonly fileName?: string } {
  const disposition = headerValue(headers, "content-disposition") ?? "";
  const encoded = ENCODED_NAME.exec(disposition)?.[1];
  const [, quoted, bare] = NAME.exec(disposition) ?? [];
  const said =
    encoded === undefined ? (quoted?.replace(/\\(.)/g, "$1") ?? bare) : decodedName(encoded);
  const name =
    said
      ?.split(/[/\\]/)
      .at(-1)
      ?.replace(/\p{Cc}/gu, "")
      .trim()
      .slice(0, 200) ?? "";
  return name === "" || /^\.+$/.test(name) ? {} : { fileName: name };
}

const looksLikeMarkup = (text: string): boolean => /^\s*<[!?a-z]/i.test(text);
const looksLikeJson = (text: string): boolean => /^\s*[[{"]/.test(text);

function why(reason: "depth" | "syntax", text: string, maxDepth: number): string {
  if (reason === "depth") return `it nests deeper than ${maxDepth}`;
  return `it does not parse (${text.length} characters, perhaps cut off)`;
}

/** Reads XML as a mapping says it. */
export type XmlReader = (text: string, maxDepth: number) => Pausable<ReadXml>;

/** What reads answers in XML, where a mapping says that they are; its parser is loaded for the first of them. */
export async function xmlReader(
  shape: Pick<ResponseShape, "xml"> | undefined,
): Promise<XmlReader | undefined> {
  if (shape?.xml === undefined) return undefined;
  const { xmlInSteps } = await import("./parse-xml.ts");
  return (text, maxDepth) => xmlInSteps(text, shape, maxDepth);
}

/** Reads a response body at once; `maxDepth` bounds the nesting of JSON and XML (RUN-038, RUN-130). */
export const readBody = (
  response: TransportResponse,
  maxDepth: number,
  xml?: XmlReader,
): ResponseBody => atOnce(readBodyInSteps(response, maxDepth, xml));

/** Pages, which no API answers its rows with, whatever their declared type. */
const PAGE = /^\s*<(?:!doctype\s+html|html)\b/i;

/** Whether markup is XML, and not a page. */
export const isXml = ({ text, mediaType }: Extract<ResponseBody, { kind: "markup" }>): boolean =>
  /[/+]xml$/.test(mediaType) && !/html/.test(mediaType) && !PAGE.test(text);

/** Markup as a body: JSON where its mapping says that it is XML. */
function* markupBody(
  body: Extract<ResponseBody, { kind: "markup" }>,
  maxDepth: number,
  xml: XmlReader | undefined,
): Pausable<ResponseBody> {
  const { text } = body;
  if (xml === undefined || !isXml(body)) return body;
  const read = yield* xml(text, maxDepth);
  return read.ok ? { kind: "json", value: read.value } : { kind: "broken", text, why: read.why };
}

/** Bodies of fewer bytes are text in less time than a look at the clock is worth. */
const SHORT = 16 * 1024;

/** The same with pauses: a long body takes longer than the event loop may be held. */
export function* readBodyInSteps(
  response: TransportResponse,
  maxDepth: number,
  xml?: XmlReader,
): Pausable<ResponseBody> {
  const contentType = headerValue(response.headers, "content-type") ?? "";
  const mediaType = mediaTypeIn(contentType);
  const { body: bytes, file } = response;
  if (file !== undefined) return { kind: "file", file, ...fileNameOf(response.headers) };
  if (bytes.length === 0) return { kind: "json", value: null };
  if (mediaType === UNKNOWN_TYPE) {
    const value = yield* jsonOfUnknown(bytes, maxDepth);
    if (value !== undefined) return { kind: "json", value };
  }
  const declared = JSON_TYPE.test(mediaType);
  const textual = declared || mediaType === "" || TEXT_TYPE.test(mediaType);
  if (!textual && !MARKUP_TYPE.test(mediaType)) {
    return { kind: "other", bytes, mediaType, ...fileNameOf(response.headers) };
  }
  const isLong = bytes.length > SHORT;
  if (isLong) yield;
  const { text, malformed } = decodeText(bytes, contentType);
  if (isLong) yield;
  if (text.trim() === "") return { kind: "json", value: null };
  if (looksLikeMarkup(text))
    return yield* markupBody({ kind: "markup", text, mediaType }, maxDepth, xml);
  if (declared || looksLikeJson(text)) {
    const parsed = yield* parseJsonInSteps(text, maxDepth);
    if (parsed.ok) {
      const { value } = parsed;
      const isWhole = !malformed && parsed.malformed !== true;
      return isWhole ? { kind: "json", value } : { kind: "json", value, malformed: true };
    }
    if (declared) return { kind: "broken", text, why: why(parsed.reason, text, maxDepth) };
  }
  const plain = mediaType === "" ? "text/plain" : mediaType;
  return { kind: "other", bytes, mediaType: plain, ...fileNameOf(response.headers) };
}

function isEncoded(headers: readonly HeaderPair[]): boolean {
  const encoding = headerValue(headers, "content-encoding") ?? "";
  return encoding !== "" && encoding !== "identity";
}

/** Whether the bytes of an answer have no Content-Encoding but one that is undone on the way (VAL-01). */
export const isDecodedAsItComes = (headers: readonly HeaderPair[]): boolean =>
  !isEncoded(headers) ||
  /^(x-)?gzip$|^deflate$|^br$/i.test((headerValue(headers, "content-encoding") ?? "").trim());

/**
 * Whether an answer is a file by what came of it first: neither JSON nor markup, and not what only its end tells
 * (RUN-038, VAL-01).
 */
export function isFileAnswer(headers: readonly HeaderPair[], start: Uint8Array): boolean {
  const mediaType = mediaTypeOf(headers);
  if (mediaType === "" || JSON_TYPE.test(mediaType) || MARKUP_TYPE.test(mediaType)) return false;
  if (!isDecodedAsItComes(headers)) return false;
  const encoded = isEncoded(headers);
  const textual = TEXT_TYPE.test(mediaType);
  if (!textual && mediaType !== UNKNOWN_TYPE) return true;
  if (encoded) return false;
  const text = UTF8.decode(start.slice(0, 64));
  if (!textual) return !OPENS_JSON.test(text);
  return text.trim() !== "" && !looksLikeMarkup(text) && !looksLikeJson(text);
}

const mediaTypeIn = (contentType: string): string =>
  (contentType.split(";")[0] ?? "").trim().toLowerCase();

export const mediaTypeOf = (headers: readonly HeaderPair[]): string =>
  mediaTypeIn(headerValue(headers, "content-type") ?? "");

/** Whether a value is an attachment object (RUN-038). */
export const isAttachment = (value: JsonObject): boolean =>
  Object.hasOwn(value, "__plasm_attachment") && Object.keys(value).length === 1;

/** An attachment object of RUN-038: with the bytes inside, or of a file of the session (VAL-04). */
export function attachmentOf(body: Extract<ResponseBody, { kind: "other" | "file" }>): JsonObject {
  const named = body.fileName === undefined ? {} : { file_name: body.fileName };
  if (body.kind === "file") {
    const { mimeType, size, sha256, uri } = body.file;
    const mime_type = mimeType === "" ? UNKNOWN_TYPE : mimeType;
    return { __plasm_attachment: { mime_type, ...named, size, sha256, uri } };
  }
  const mime_type = body.mediaType === "" ? UNKNOWN_TYPE : body.mediaType;
  const bytes_base64 = Buffer.from(body.bytes).toString("base64");
  return { __plasm_attachment: { mime_type, ...named, bytes_base64 } };
}

/** What a path leads to (RUN-032): a value, null, nothing, or a step on a value of the wrong type. */
type PathResult =
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

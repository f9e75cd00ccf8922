import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { BodyDescription, PartDescription, RequestDescription } from "@plasm/core/internal";
import manifest from "../../package.json" with { type: "json" };
import type { HeaderPair, StoredFile } from "../ports.ts";
import { failure, RunFailure } from "../base/run-failure.ts";
import { type Backend, requireCallable, rewriteToBackend } from "./effective-backend.ts";
import type { StreamedBody, WireRequest } from "./wire-request.ts";

/** Files of the session that are sent as they come, by the URI that parts name them with (VAL-02). */
export type FilesByUri = ReadonlyMap<string, StoredFile>;

export const NO_FILES: FilesByUri = new Map();

/** What every request says of itself (RUN-029). */
const ENGINE_HEADERS: readonly HeaderPair[] = Object.freeze([
  ["User-Agent", `plasm/${manifest.version}`],
  ["Accept", "application/json"],
  ["Accept-Encoding", "gzip, deflate, br"],
]);

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
  }
}

const queryText = (query: RequestDescription["query"]): string =>
  query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");

/** Puts more pairs behind those that an address has. */
function addQuery(url: URL, query: RequestDescription["query"]): void {
  if (query.length === 0) return;
  const own = url.search;
  url.search = own.length > 1 ? `${own}&${queryText(query)}` : queryText(query);
}

const isAbsolute = (path: string): boolean => /^https?:\/\//i.test(path);

/** The place of a request: the effective backend with its base path, or a callable absolute URL. */
function placeOf(path: string, backend: Backend): URL {
  if (!isAbsolute(path)) return new URL(backend.base + path);
  const url = rewriteToBackend(new URL(path), backend);
  requireCallable(url, backend, "The template's path");
  return url;
}

/** The address of a row whose identity is a URL, with later segments appended (RUN-021). */
export function identityPlace(identity: string, later: string, backend: Backend): string {
  const url = rewriteToBackend(new URL(identity), backend);
  requireCallable(url, backend, "The identity");
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "") + (later === "/" ? "" : later);
  return url.href;
}

/**
 * Whether a place gets the headers of a template and its secrets: one that the template names itself, or
 * that gets credentials, too; not one that an answer or an identity led to (RUN-027, RUN-141).
 */
function isTrusted(origin: string, request: RequestDescription, backend: Backend): boolean {
  if (backend.callable.get(origin)?.sendAuth === true) return true;
  return placeOf(request.path, backend).origin === origin;
}

/** Where a request goes, its query included. */
function wholePlace({ path, query }: RequestDescription, backend: Backend, at: string | null): URL {
  // Most are parsed in one piece: what a template writes has neither `?` nor `#` in its path.
  if (at === null && query.length > 0 && !isAbsolute(path) && !/[?#]/.test(path)) {
    return new URL(`${backend.base}${path}?${queryText(query)}`);
  }
  const place = at === null ? placeOf(path, backend) : new URL(at);
  addQuery(place, query);
  return place;
}

/**
 * How errors name the path where a base path stands before the template's, so that the address can be tried. One that
 * the deployment sets in place of the catalog's may hold a key, and is not said.
 */
function askedPath(
  { path, pathTemplate }: RequestDescription,
  backend: Backend,
): { readonly askedPath?: string } {
  const base = backend.base.slice(backend.origin.length);
  const declared = backend.declaredBase.slice(backend.declaredOrigin.length);
  if (base === "" || base !== declared || !path.startsWith("/")) return {};
  return { askedPath: base + pathTemplate };
}

/** Refuses a body that is too large for memory; files are not in it, and have a limit of their own. Throws RunFailure. */
function limitedBody(body: Uint8Array | StreamedBody, mostBytes: number): void {
  const inMemory = "sha256" in body ? body.around : body;
  if (inMemory.length <= mostBytes) return;
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The request body has ${inMemory.length} bytes, more than ${mostBytes}.`,
      "send less at once",
    ),
  );
}

/**
 * A request as it is sent, before credentials (RUN-020, RUN-029); `at` replaces backend and path, `files` are those that
 * its parts name by URI and that are sent as they come (VAL-02).
 */
export function addressRequest(
  request: RequestDescription,
  backend: Backend,
  mostBytes: number,
  at: string | null = null,
  files: FilesByUri = NO_FILES,
): WireRequest {
  const place = wholePlace(request, backend, at);
  const { origin } = place;
  const body = request.body === undefined ? null : encodeBody(request.body, files);
  if (body !== null) limitedBody(body.bytes, mostBytes);
  const trusted = isTrusted(origin, request, backend);
  return {
    transport: request.transport,
    method: request.method,
    url: place.href,
    origin,
    host: place.host,
    engineHeaders:
      body === null ? ENGINE_HEADERS : [...ENGINE_HEADERS, ["Content-Type", body.contentType]],
    templateHeaders: trusted ? request.headers : [],
    body: body?.bytes ?? null,
    trusted,
    pathTemplate: request.pathTemplate,
    ...(at === null ? askedPath(request, backend) : {}),
  };
}

/** A body as it is sent, with its Content-Type. */
interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array | StreamedBody;
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** Form encoding: a blank is `+`. */
function formText(pairs: readonly (readonly [string, string])[]): string {
  const form = new URLSearchParams();
  for (const [name, value] of pairs) form.append(name, value);
  return form.toString();
}

const quoted = (text: string): string =>
  `"${text.replace(/[\r\n"]/g, (character) => encodeURIComponent(character))}"`;

function partHead(part: PartDescription): string {
  const file = part.kind === "attachment" ? `; filename=${quoted(part.fileName)}` : "";
  const type = part.contentType === undefined ? "" : `\r\nContent-Type: ${part.contentType}`;
  return `Content-Disposition: form-data; name=${quoted(part.name)}${file}${type}\r\n\r\n`;
}

function partContent(part: PartDescription, files: FilesByUri): Uint8Array | StoredFile {
  switch (part.kind) {
    case "text":
      return utf8(part.text);
    case "json":
      return utf8(JSON.stringify(part.value));
    case "attachment": {
      const { bytesBase64, uri } = part.source;
      if (bytesBase64 !== undefined) return Buffer.from(bytesBase64, "base64");
      const file = files.get(uri ?? "");
      if (file !== undefined) return file;
      throw new RunFailure(
        failure(
          "argument_invalid",
          `${part.name} names a stored file that this run cannot read.`,
          "give the bytes as bytes_base64",
        ),
      );
    }
  }
}

type Piece = Uint8Array | StoredFile;

/** Pieces in one, where they are in memory; with files among them, a body that is read as it is sent. */
function joined(pieces: readonly Piece[]): Uint8Array | StreamedBody {
  const around = Buffer.concat(pieces.filter((piece) => piece instanceof Uint8Array));
  const files = pieces.filter((piece): piece is StoredFile => !(piece instanceof Uint8Array));
  if (files.length === 0) return around;
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece instanceof Uint8Array ? piece : piece.sha256);
  return {
    around,
    size: files.reduce((sum, { size }) => sum + size, around.length),
    sha256: hash.digest("hex"),
    async *open() {
      for (const piece of pieces) {
        if (piece instanceof Uint8Array) yield piece;
        else yield* piece.open();
      }
    },
  };
}

function multipart(parts: readonly PartDescription[], files: FilesByUri): EncodedBody {
  const contents = parts.map((part) => [utf8(partHead(part)), partContent(part, files)] as const);
  const hash = createHash("sha256");
  for (const [head, content] of contents) {
    hash.update(head).update(content instanceof Uint8Array ? content : content.sha256);
  }
  // Made from the content, so that equal bodies have equal bytes (RUN-160).
  const boundary = `plasm-${hash.digest("hex").slice(0, 32)}`;
  const pieces = contents.flatMap(([head, content]): Piece[] => [
    utf8(`--${boundary}\r\n`),
    head,
    content,
    utf8("\r\n"),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: joined([...pieces, utf8(`--${boundary}--\r\n`)]),
  };
}

/** Encodes a request body (MAP-015, MAP-016, MAP-024); a JSON body is what the template gave. */
export function encodeBody(body: BodyDescription, files: FilesByUri = NO_FILES): EncodedBody {
  switch (body.format) {
    case "json":
      return { contentType: "application/json", bytes: utf8(JSON.stringify(body.value)) };
    case "form_urlencoded":
      return {
        contentType: "application/x-www-form-urlencoded",
        bytes: utf8(formText(body.pairs)),
      };
    case "multipart":
      return multipart(body.parts, files);
    case "binary": {
      const { part } = body;
      const content = partContent(part, files);
      const own = part.kind === "text" ? "text/plain; charset=utf-8" : part.contentType;
      return {
        contentType: part.contentType ?? own,
        bytes: content instanceof Uint8Array ? content : joined([content]),
      };
    }
  }
}

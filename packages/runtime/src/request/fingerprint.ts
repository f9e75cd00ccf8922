import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "@plasm/core";
import type { RequestShape } from "../ports.ts";
import type { StreamedBody, WireRequest } from "./wire-request.ts";

const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

/** The place of a URL: the backend is written `{backend}`, other origins stay (RUN-160). */
export const placeBehind = (url: URL, backendBase: string): string =>
  behind(url.origin + url.pathname, backendBase);

function behind(place: string, backendBase: string): string {
  const rest = place.slice(backendBase.length);
  return place.startsWith(backendBase) && (rest === "" || rest.startsWith("/"))
    ? `{backend}${rest}`
    : place;
}

const inOrder = ([a, x]: readonly [string, string], [b, y]: readonly [string, string]): number =>
  (a < b ? -1 : a > b ? 1 : 0) || (x < y ? -1 : x > y ? 1 : 0);

/** The media type of a body, which is its format; null without one. */
function formatOf(request: WireRequest): string | null {
  if (request.body === null) return null;
  const type = request.engineHeaders.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type?.split(";", 1)[0]?.trim().toLowerCase() ?? null;
}

/**
 * A request without its backend, headers and body. `hidden` are the query keys that carry credentials,
 * which an address that the API gave may hold (RUN-160).
 */
export function requestShape(
  request: WireRequest,
  backendBase: string,
  hidden: readonly string[] = [],
): RequestShape {
  const url = new URL(request.url);
  const query = [...url.searchParams].filter(([name]) => !hidden.includes(name));
  return {
    transport: request.transport,
    method: request.method,
    path: placeBehind(url, backendBase),
    query: query.toSorted(inOrder),
    format: formatOf(request),
    template: request.pathTemplate,
  };
}

/** What of data counts for a fingerprint. */
type Counting = (data: Uint8Array) => Uint8Array;

const countingText = (text: string, counting: Counting): string =>
  Buffer.from(counting(Buffer.from(text, "utf8"))).toString("utf8");

/** What of a body tells it from others: its JSON, its pairs, or the bytes of its parts. */
function contentOf(
  format: string | null,
  body: Uint8Array | StreamedBody | null,
  counting?: Counting,
): Json {
  if (body === null) return null;
  if ("sha256" in body) return { sha256: body.sha256 };
  const text = Buffer.from(body).toString("utf8");
  if (format === "application/x-www-form-urlencoded") {
    return [...new URLSearchParams(text)].map(([name, value]) => [name, value]);
  }
  if (format === "application/json" && isWellFormed(text)) return JSON.parse(text) as Json;
  // The parts of a form, whose boundary is made from what they hold.
  return { sha256: sha256(counting === undefined ? body : counting(withoutBoundary(body))) };
}

function withoutBoundary(body: Uint8Array): Uint8Array {
  const text = Buffer.from(body).toString("latin1");
  const [boundary] = /^--[^\r\n]+/.exec(text) ?? [];
  return boundary === undefined ? body : Buffer.from(text.replaceAll(boundary, "--"), "latin1");
}

/** RFC 8785 has no form for lone surrogates, which JSON text may hold in escapes. */
const isWellFormed = (text: string): boolean => !/\\u[dD][89a-fA-F]/.test(text);

/** SHA-256 of the RFC 8785 form of a request's shape and content (RUN-160). */
export function fingerprintOf(shape: RequestShape, content: Json, counting?: Counting): string {
  const { template: _template, query, ...rest } = shape;
  const pairs = query.map(([name, value]): Json => [name, value]);
  const text = canonicalJson({ ...rest, query: pairs, body: content });
  return sha256(counting === undefined ? text : countingText(text, counting));
}

/**
 * The fingerprint of a request (RUN-160): headers and credentials are out, and of the rest all that does not
 * count, if that is said.
 */
export function fingerprint(
  request: WireRequest,
  backendBase: string,
  hidden: readonly string[] = [],
  counting?: Counting,
): string {
  const shape = requestShape(request, backendBase, hidden);
  const content = contentOf(shape.format, request.body, counting);
  if (counting === undefined) return fingerprintOf(shape, content);
  const query = shape.query.map(([name, value]) => [name, countingText(value, counting)] as const);
  return fingerprintOf({ ...shape, query: query.toSorted(inOrder) }, content, counting);
}

/** An address that is its place and its pairs as they stand: no part of it has another spelling. */
const PLAIN = /^(https?:\/\/[\w.:-]+\/[\w./~-]*)(?:\?([\w.~-]+=[\w.~-]*(?:&[\w.~-]+=[\w.~-]*)*))?$/;

/** Place and pairs of an address that is plain, which most are; null for any other. */
function plainParts(
  url: string,
): (Pick<RequestShape, "query"> & { readonly place: string }) | null {
  const [, place, text] = PLAIN.exec(url) ?? [];
  if (place === undefined) return null;
  const pairs = text?.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return { place, query: pairs ?? [] };
}

/**
 * What tells a read from others within a run: the same for reads of equal fingerprint, and for no others
 * (RUN-023). Most have no body, and all that names them is short.
 */
export function readKey(
  request: WireRequest,
  backendBase: string,
  hidden: readonly string[] = [],
): string {
  if (request.body !== null) return fingerprint(request, backendBase, hidden);
  const { transport, method, url } = request;
  const plain = hidden.length === 0 ? plainParts(url) : null;
  if (plain !== null) {
    const { place, query } = plain;
    return JSON.stringify([transport, method, behind(place, backendBase), query.toSorted(inOrder)]);
  }
  const { path, query } = requestShape(request, backendBase, hidden);
  return JSON.stringify([transport, method, path, query]);
}

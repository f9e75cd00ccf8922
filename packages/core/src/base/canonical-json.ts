import canonicalize from "canonicalize";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { utf8Bytes } from "./text.ts";

/** Nested deeper than this, a value is left to a writer that keeps no call stack. */
const DEPTH = 200;
const LONE_SURROGATE = /\p{Cs}/u;
/** Nothing to escape, and no surrogates that would have to be pairs. */
const PLAIN = /^[ !#-[\]-~]*$/;
/** Keys are few and come again and again. */
const KEYS_KEPT = 2_000;
const writtenKeys = new Map<string, string>();

/**
 * The RFC 8785 text of a JSON value: keys sorted, no blanks, one spelling per number.
 * Members that are undefined are left out.
 * @throws if the value has no such form: a lone surrogate, NaN, Infinity, a cycle, undefined.
 */
export function canonicalJson(value: unknown): string {
  const text = written(value, 0) ?? canonicalize(value);
  if (text === undefined) throw new TypeError("No JSON value.");
  return text;
}

/** The text of plain data; null for what is left to the library: deep, cyclic, with forms of its own, or none. */
function written(value: unknown, depth: number): string | null {
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "number":
      return Number.isFinite(value) ? String(value) : null;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      if (value === null) return "null";
      if (depth > DEPTH) return null;
      return Array.isArray(value) ? list(value, depth + 1) : members(value, depth + 1);
    default:
      return null;
  }
}

function quoted(text: string): string | null {
  if (PLAIN.test(text)) return `"${text}"`;
  return LONE_SURROGATE.test(text) ? null : JSON.stringify(text);
}

function quotedKey(key: string): string | null {
  const known = writtenKeys.get(key);
  if (known !== undefined) return known;
  const text = quoted(key);
  if (text === null) return null;
  if (writtenKeys.size >= KEYS_KEPT) writtenKeys.clear();
  writtenKeys.set(key, text);
  return text;
}

function list(items: readonly unknown[], depth: number): string | null {
  let text = "[";
  for (let at = 0; at < items.length; at++) {
    const item = written(items[at], depth);
    if (item === null) return null;
    text += at === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function members(object: object, depth: number): string | null {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return null;
  if ("toJSON" in object) return null;
  const values = object as Readonly<Record<string, unknown>>;
  let text = "{";
  for (const key of Object.keys(values).sort()) {
    const value = values[key];
    if (value === undefined) continue;
    const name = quotedKey(key);
    const member = written(value, depth);
    if (name === null || member === null) return null;
    text += text.length === 1 ? `${name}:${member}` : `,${name}:${member}`;
  }
  return `${text}}`;
}

/** Lower-case hex SHA-256 of a text's UTF-8 bytes. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8Bytes(text)));
}

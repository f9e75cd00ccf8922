import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "@plasm/core";
import type { AuditEvent, AuditHead, AuditLine } from "../records/audit.ts";

/** What stands before the first line. */
export const FIRST_PREV = "0".repeat(64);

/** A chain without a line. */
export const EMPTY_CHAIN: AuditHead = Object.freeze({
  n: 0,
  hash: FIRST_PREV,
  at: new Date(0).toISOString(),
  first: Object.freeze({ n: 1, prev: FIRST_PREV }),
});

/** Returns the hash that a line must have: of all its members but the hash itself (OPS-41). */
function hashOf(line: Readonly<Record<string, unknown>>): string {
  const { hash: _hash, ...rest } = line;
  return createHash("sha256")
    .update(canonicalJson(rest as JsonObject))
    .digest("hex");
}

/** Returns the line that an event becomes behind `head`; `now` in ms. */
export function lineBehind(
  head: AuditHead,
  tenant: string,
  event: AuditEvent,
  now: number,
): AuditLine {
  const told = new Date(now).toISOString();
  // A clock that was set back does not turn the order of the lines round: they are searched by time.
  const at = told > head.at ? told : head.at;
  // A name without a canonical form would keep every later line from being linked.
  const named = tenant.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
  const line = { n: head.n + 1, at, tenant: named, ...event, prev: head.hash };
  return { ...line, hash: hashOf(line) };
}

/** Whether a line has its own hash; what has no canonical JSON, as a file may hold it, has none. */
function isHashed(line: Readonly<Record<string, unknown>>, hash: string): boolean {
  try {
    return hashOf(line) === hash;
  } catch {
    return false;
  }
}

/** A line, as far as the one behind it depends on it. */
export interface ChainPlace {
  readonly n: number;
  readonly hash: string;
}

/**
 * Returns why a line does not fit behind the one before it, or null where it does (OPS-41). Without a line before it,
 * only its own hash is checked.
 */
export function lineFault(value: unknown, before: ChainPlace | null): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return "it is not a line of an audit log";
  }
  const line = value as Readonly<Record<string, unknown>>;
  const { n, prev, hash } = line;
  if (typeof n !== "number" || typeof prev !== "string" || typeof hash !== "string") {
    return "it is not a line of an audit log";
  }
  if (before !== null && n !== before.n + 1) {
    return `it is line ${n} and stands behind line ${before.n}`;
  }
  if (before !== null && prev !== before.hash) {
    return `its prev is not the hash of line ${before.n}`;
  }
  return isHashed(line, hash) ? null : "its hash is not that of its content";
}

import type { Entity, Json } from "@plasm/core";
import { keyParts, keyText, sentKeyParts } from "@plasm/core/internal";
import type { EntityRow, Identity } from "../decode/entity-row.ts";
import { isObject, isScalar } from "../base/json-kinds.ts";
import type { CapabilityCall } from "../request/environment.ts";
import { failure, RunFailure } from "../base/run-failure.ts";

const UUID = /^[0-9a-f]{32}$/;
const HASH = /^[0-9a-f]{7,}$/;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** What APIs take in place of a key, whatever the keys look like. */
const USUAL_NAMES = new Set(
  "me @me ~ - self mine current default latest newest today now head".split(" "),
);

/** Members of a row that APIs commonly take in place of its key. */
const OTHER_KEYS =
  "name slug login username handle key code email full_name path ref tag number iid".split(" ");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A key without what may be written in two ways: case, encoding, braces, a slash at its end. */
function folded(value: Json): string {
  const text = decoded(keyText(value)).normalize("NFC").trim().toLowerCase();
  const bare = text.replace(/^\{(.*)\}$/, "$1").replace(/(?<!\/)\/+$/, "");
  return UUID.test(bare.replaceAll("-", "")) ? bare.replaceAll("-", "") : bare;
}

function sameInstant(a: string, b: string): boolean {
  if (!DAY.test(a) || !DAY.test(b)) return false;
  const [one, two] = [Date.parse(a), Date.parse(b)];
  if (one === two) return true;
  return (a.length === 10 || b.length === 10) && a.slice(0, 10) === b.slice(0, 10);
}

const lastPart = (text: string): string => text.split(/[/:#]/).at(-1) ?? text;

/** Whether two texts are one key, written differently: `ANN` and `ann`, `7` and `007`, `ann` and `users/ann`. */
export function isSameKey(asked: Json, answered: Json): boolean {
  const [a, b] = [folded(asked), folded(answered)];
  if (a === b || sameInstant(a, b)) return true;
  if (/^-?\d+(\.\d+)?$/.test(a) && /^-?\d+(\.\d+)?$/.test(b)) return Number(a) === Number(b);
  return a === lastPart(b) || (/^[a-z]+:/.test(a) && lastPart(a) === b);
}

/** What a key looks like: an API that has keys of one look may take names of another in their place. */
function lookOf(key: string): "number" | "uuid" | "hash" | "word" {
  if (/^\d+$/.test(key)) return "number";
  if (UUID.test(key)) return "uuid";
  return HASH.test(lastPart(key)) && /\d/.test(key) ? "hash" : "word";
}

/** Whether a row has a text as another name of its own: in a field, or a member that commonly is one. */
function isNamed(entity: Entity, row: EntityRow, asked: Json): boolean {
  const fields = [...row.fields].filter(([name]) => {
    const kind = entity.fields.get(name)?.type.kind;
    return (kind === "string" || kind === "uuid") && !keyParts(entity).includes(name);
  });
  const { wire } = row;
  const members = isObject(wire) ? OTHER_KEYS.map((name) => wire[name] ?? null) : [];
  return [...fields.map(([, value]) => value), ...members].some(
    (value) => value !== null && isScalar(value) && isSameKey(asked, value),
  );
}

/** Whether a key that was sent may be another name of the row that came. */
function mayBeName(entity: Entity, row: EntityRow, asked: Json, answered: Json): boolean {
  const [a, b] = [folded(asked), folded(answered)];
  const [look, other] = [lookOf(a), lookOf(b)];
  if (look === "hash" && other === "hash") return lastPart(b).startsWith(lastPart(a));
  if (look === "number" && other === "number") return false;
  if (look === "word" && (other !== "word" || USUAL_NAMES.has(a))) return true;
  return isNamed(entity, row, asked);
}

/** What a get was asked, and how its answer came. */
export interface Asked {
  readonly call: Pick<CapabilityCall, "catalog" | "capability">;
  readonly entity: Entity;
  readonly requested: Identity;
  /** a redirect led to it, so that the API itself says where the row is now */
  readonly moved: boolean;
}

/** The part of a key by which the row that came is another one than was asked for; null if it may be that row. */
function differingPart(asked: Asked, row: EntityRow): string | null {
  const { call, entity, requested, moved } = asked;
  const { identity } = row;
  if (entity.implicitRequestIdentity || identity === null || moved) return null;
  if (identity.text === requested.text) return null;
  const sent = sentKeyParts(call.catalog, call.capability);
  const found = keyParts(entity).find((part) => {
    const [a, b] = [requested.key[part] ?? null, identity.key[part] ?? null];
    if (isSameKey(a, b)) return false;
    return !sent.has(part) || !mayBeName(entity, row, a, b);
  });
  return found ?? null;
}

/**
 * Fails where a get answers with another row than was asked for (RUN-043, RUN-046). Keys are compared as
 * texts of one meaning; one that was sent may be another name of the row: a name where keys are numbers or
 * hashes, the beginning of a hash, or what the row itself has as its name.
 */
export function requireAskedRow(asked: Asked, row: EntityRow): void {
  if (differingPart(asked, row) === null) return;
  const { call, requested } = asked;
  const came = row.identity?.text ?? row.entity;
  throw new RunFailure(
    failure(
      "decode",
      `${requested.text} was asked for, and ${call.capability.name} answered with ${came}.`,
      `ask for ${came} if that is meant; if not, the catalog's get does not read rows by this key`,
    ),
  );
}

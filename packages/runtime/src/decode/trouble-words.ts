import type { Json, JsonObject } from "@plasm/core";
import { clip, hasMember, isObject, isScalar } from "../base/json-kinds.ts";

/** Members by which an answer that holds nothing else says how it went (RUN-041). */
const TRUTH = /^(?:is)?(?:ok|success|successful|succeeded)$/i;
const OUTCOME = /^(?:status|result|outcome|state)$/i;
const STATUS = /^(?:http_?)?(?:status|code|status_?code)$/i;
const ERROR_CODE = /^err(?:or)?_?(?:code|no)$/i;
const MESSAGE =
  /^(?:msg|message|(?:err|error)_?(?:msg|message)|reason|details?|description|title)$/i;
const GONE = /^(?:deleted|removed)$/i;

const FAILED = /^(?:error|err|fail|failed|failure|nok)$/i;
const NO_ERROR = new Set(["", "0", "00000", "000000", "ok", "success", "none"]);

/** Words of answers that say that all went well, unless they deny something as well. */
const FINE =
  /\b(?:ok(?:ay)?|true|succe\w+|done|complete\w*|created|accepted|deleted|removed|updated|added|saved|sent|moved|archived|cancell?ed|queued|scheduled|pending|processing|active|none)\b/i;
const DENIED =
  /\b(?:not|no|can't|cannot|unable|fail\w*|errors?|denied|forbidden|invalid|already|refused|rejected)\b/i;

type Members = readonly (readonly [name: string, value: Json])[];

const saysMore = ([name, value]: Members[number]): boolean =>
  MESSAGE.test(name) && typeof value === "string" && value.trim() !== "";

const isHttpError = (value: Json): boolean => /^"?[45]\d\d"?$/.test(JSON.stringify(value));

/**
 * Whether a body that holds no row says that it failed: by a truth, or, beside a message or alone, by the word, the
 * status or the number of an error. `known` are keys that are data.
 */
export function saysFailed(body: JsonObject, known: ReadonlySet<string>): boolean {
  const members: Members = Object.entries(body).filter(([name]) => !known.has(name));
  const isSure = members.length === 1 || members.some(saysMore);
  return members.some(([name, value]) => {
    if (TRUTH.test(name)) return /^"?(?:false|0)"?$/.test(JSON.stringify(value));
    if (!isSure || !isScalar(value)) return false;
    if (OUTCOME.test(name) && typeof value === "string" && FAILED.test(value)) return true;
    if (ERROR_CODE.test(name)) return !NO_ERROR.has(String(value).toLowerCase());
    return STATUS.test(name) && isHttpError(value);
  });
}

/** Numbers by which APIs say that all went well: 0, 1, statuses, and round ones. */
const isFineCode = (value: Json): boolean => {
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number") return typeof value === "string" && FINE.test(value);
  return number <= 1 || (number >= 200 && number < 300) || number % 10_000 === 0;
};

function isTrouble([name, value]: Members[number]): boolean {
  if (GONE.test(name)) return value === false;
  if (STATUS.test(name) || ERROR_CODE.test(name)) return isScalar(value) && !isFineCode(value);
  if (typeof value !== "string" || value.trim() === "") return false;
  const isWord = OUTCOME.test(name) || MESSAGE.test(name);
  return isWord && (DENIED.test(value) || !FINE.test(value));
}

/**
 * What a body that holds no row says of itself, where that is no plain success, as its members are written; null
 * where it says nothing, or that all went well.
 */
export function troubleWords(body: Json): string | null {
  if (!isObject(body)) return null;
  const members: Members = Object.entries(body);
  if (!members.some(isTrouble)) return null;
  return clip(JSON.stringify(Object.fromEntries(members.filter(isOutcome))), 200);
}

/** A member that says how it went. */
const isOutcome = ([name, value]: Members[number]): boolean =>
  isScalar(value) &&
  [TRUTH, OUTCOME, STATUS, ERROR_CODE, MESSAGE, GONE].some((each) => each.test(name));

/** Whether a body says nothing but that all went well. */
export function isPlainSuccess(body: JsonObject): boolean {
  const members: Members = Object.entries(body);
  return members.every((one) => isOutcome(one) && !isTrouble(one));
}

/** How many members of a body are keys that rows have. */
export const membersAmong = (body: JsonObject, known: ReadonlySet<string>): number =>
  [...known].filter((name) => hasMember(body, name)).length;

import type { Json, JsonObject } from "@plasm/core";
import { isArray, isObject } from "../base/json-kinds.ts";

/** What the parts of an answer say of themselves: how many there are, how many failed, and the first that did. */
export interface FailedParts {
  readonly all: number;
  readonly failed: number;
  readonly first: Json;
}

/** A status of a part: 409, "409", "HTTP/1.1 409 Conflict". */
const PART_STATUS = /^(?:HTTP\/[\d.]+ )?([1-5]\d\d)\b/;

/** What says something: not null, false, 0, "", [] or {}. */
export function saysSomething(value: Json | undefined): boolean {
  if (value === undefined) return false;
  if (isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== false && value !== "" && value !== 0;
}

function partFailed(part: Json, known: ReadonlySet<string>): boolean {
  if (!isObject(part)) return false;
  const members = Object.entries(part);
  const [only] = members;
  // One that is named by what was done with it: {"index": {"status": 409}}.
  if (members.length === 1 && only !== undefined && isObject(only[1])) {
    return partFailed(only[1], known);
  }
  return members.some(([key, value]) => {
    if (known.has(key)) return false;
    if (/^(http_?)?(status|(status_?)?code)$/i.test(key)) {
      const text = typeof value === "number" ? String(value) : value;
      const status = typeof text === "string" ? PART_STATUS.exec(text)?.[1] : undefined;
      return status !== undefined && Number(status) >= 400;
    }
    if (/^(ok|success)$/i.test(key)) return value === false;
    return /^errors?$/i.test(key) && saysSomething(value);
  });
}

/** An answer, and what it holds under a name that says no more than that it does. */
const levelsOf = (body: Json): readonly JsonObject[] => {
  if (!isObject(body)) return [];
  const inner = ["data", "result", "response"].flatMap((name) => {
    const value = Object.hasOwn(body, name) ? (body[name] ?? null) : null;
    return isObject(value) ? [value] : [];
  });
  return [body, ...inner];
};

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/**
 * Looks at an answer that says of each part how it ended: its elements, or the objects in its lists up to the first list in which
 * one failed. Keys of parts that are data say nothing. Null where none of them failed (RUN-041, RUN-187).
 */
export function failedParts(
  body: Json,
  known: ReadonlySet<string> = NOTHING_KNOWN,
): FailedParts | null {
  const lists = isArray(body)
    ? [body]
    : levelsOf(body).flatMap((level) =>
        Object.values(level).filter((one) => isArray(one) && one.some(isObject)),
      );
  let all = 0;
  for (const list of lists as readonly (readonly Json[])[]) {
    all += list.length;
    const failed = list.filter((part) => partFailed(part, known));
    const [first] = failed;
    if (first !== undefined) return { all, failed: failed.length, first };
  }
  return null;
}

/** `failed`, `failed_count`, `numFailed`, `FailedItems`, `error_count`, `unprocessed_keys`. */
const FAILED =
  /^(?:n(?:um(?:ber)?)?_?(?:of_?)?|total_?|count_?)?(?:failed|failures?|rejected|unprocessed|not_?(?:created|updated|deleted|found|processed)|(?:errors?|failures?)_?count)(?:_?(?:count|items?|entries|keys|ids|records?(?:_?count)?|rows?|total))?$/i;

/** `created`, `deleted_count`, `numSucceeded`, `successful`. */
const DONE =
  /^(?:n(?:um(?:ber)?)?_?(?:of_?)?|total_?|count_?)?(?:created|updated|upserted|deleted|removed|inserted|imported|added|modified|processed|accepted|saved|sent|written|affected|succeeded|success(?:es|ful|_?count)?|completed)(?:_?(?:count|items?|entries|keys|ids|records?|rows?|total))?$/i;

const isSome = (value: Json): boolean =>
  typeof value === "number"
    ? value > 0
    : (isArray(value) || isObject(value)) && saysSomething(value);

/** The members of an answer that count, or list, what failed: `{"failed": 2}`; null where there are none (RUN-187). */
export function failedCounts(body: Json, known: ReadonlySet<string>): JsonObject | null {
  for (const level of levelsOf(body)) {
    const found = Object.entries(level).filter(
      ([key, value]) => !known.has(key) && FAILED.test(key) && isSome(value),
    );
    if (found.length > 0) return Object.fromEntries(found);
  }
  return null;
}

/**
 * Whether an answer that reports errors leaves it open that some of what was asked is done: it counts or lists what is, one of its parts
 * did not fail, or it has fewer errors than the request had parts (RUN-187).
 */
export function isDoneInPart(body: Json, asked: number): boolean {
  const levels = levelsOf(body);
  const counts = levels.flatMap((level) => Object.entries(level));
  if (counts.some(([key, value]) => DONE.test(key) && isSome(value))) return true;
  const parts = failedParts(body);
  if (parts !== null) return parts.failed < parts.all;
  const errors = counts.flatMap(([key, value]) =>
    /^errors$/i.test(key) && saysSomething(value) ? [isArray(value) ? value.length : 0] : [],
  );
  return errors.some((found) => found < asked) && asked > 1 && !counts.some(saysNone);
}

/** `created: 0`: that nothing is done. */
const saysNone = ([key, value]: readonly [string, Json]): boolean =>
  DONE.test(key) && (value === 0 || (isArray(value) && value.length === 0));

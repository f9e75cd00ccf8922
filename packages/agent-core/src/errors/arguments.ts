import { nearestName, visible } from "@plasm/core/internal";
import { fail } from "./problem.ts";

/** What a call takes: names that are told, and names that are taken but not advertised (SURF-4). */
export interface KnownArguments {
  /** what is called, for the message: `plasm_run`, `POST /execute` */
  readonly of: string;
  readonly told: readonly string[];
  readonly untold?: readonly string[];
}

/** Throws plasm-bad-request for the first argument that is not known, naming the nearest one (SURF-4). */
export function refuseUnknown(given: readonly string[], known: KnownArguments): void {
  const names = [...known.told, ...(known.untold ?? [])];
  const unknown = given.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearestName(unknown, names);
  const guess = near === null ? "" : ` Did you mean ${near}?`;
  const list = known.told.length === 0 ? "It takes none." : `It takes: ${known.told.join(", ")}.`;
  throw fail(
    "plasm-bad-request",
    `${known.of} takes no argument ${named(unknown)}.${guess} ${list}`,
  );
}

/** What a value of JSON is, in words. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/**
 * The error of an argument that is not there, or is no text: `wanted` says what it is, like
 * `one text, statements by line` (SURF-18).
 */
export const refuseNoText = (name: string, value: unknown, wanted: string) =>
  fail(
    "plasm-bad-request",
    value === undefined
      ? `${name} is missing: ${wanted}.`
      : `${name} is ${kindOf(value)}, and must be ${wanted}.`,
  );

/**
 * The same of an argument that is a list of at least one `item`; where it is missing, `help` may add what
 * it could hold.
 */
export function refuseNoList(name: string, value: unknown, item: string, help = () => "") {
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
  if (!isMissing) {
    const must = `must be a list of at least one ${item}`;
    return fail("plasm-bad-request", `${name} is ${kindOf(value)}, and ${must}.`);
  }
  const lines = [`${name} is missing: at least one ${item}.`, help()];
  return fail("plasm-bad-request", lines.filter((line) => line !== "").join("\n"));
}

/** Code points: the longest URI there is fits. */
const MOST = 240;

/** A name that a caller gave, as an error repeats it: on one line, and its beginning will do to know it by. */
export const named = (text: string): string => {
  if (text.length <= MOST) return visible(text);
  const points = Array.from(text.slice(0, 2 * MOST)).slice(0, MOST);
  return `${visible(points.join(""))}… (${text.length} characters)`;
};

import { fail } from "./failure.ts";

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

import { fail, refuseUnknown } from "@plasm/agent-core/internal";
import type { Json, JsonObject } from "@plasm/core";
import { z } from "zod";
import { readJsonObject } from "./read-body.ts";

/** Text of a request is repeated this far. */
const LONGEST = 80;

function found(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function memberOf(schema: z.ZodType, key: PropertyKey): z.ZodType | null {
  if (schema instanceof z.ZodObject)
    return (schema.shape as Record<PropertyKey, z.ZodType>)[key] ?? null;
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
  return null;
}

/** The schema of a place, and what it says of itself. */
function wantedAt(schema: z.ZodType, path: readonly PropertyKey[]): string {
  let at: z.ZodType | null = schema;
  for (const key of path) {
    at = at && memberOf(at, key);
    while (at instanceof z.ZodOptional) at = at.unwrap() as z.ZodType;
  }
  return at?.description ?? "as the document has it";
}

const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key, index) =>
      typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`,
    )
    .join("");

const valueAt = (body: Json, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body);

/**
 * What a body says by its schema, which the document shows, too (SURF-16). Throws plasm-bad-request for the
 * first member that is not known, naming the nearest one, else for the first that is wrong: its place, what
 * was found and what is taken.
 */
export function readBy<T extends z.ZodObject>(
  schema: T,
  body: JsonObject,
  of: string,
): z.output<T> {
  refuseUnknown(Object.keys(body), { of, told: Object.keys(schema.shape) });
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path ?? [];
  const [place, wanted] = [placeOf(path), wantedAt(schema, path)];
  const value = valueAt(body, path);
  throw fail(
    "plasm-bad-request",
    value === undefined
      ? `${place} is missing: ${wanted}.`
      : `${place} is ${found(value)}, and must be ${wanted}.`,
  );
}

/** Reads a body that must be a JSON object of this schema. Throws 400, 413 or 415 (SURF-16, SURF-18). */
export const readJsonBy = async <T extends z.ZodObject>(
  schema: T,
  request: Request,
  of: string,
): Promise<z.output<T>> => readBy(schema, await readJsonObject(request), of);

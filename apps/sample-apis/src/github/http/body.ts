import type { Context } from "hono";
import type { Env } from "./api.ts";
import { ApiError, invalid, type Fault } from "./api-error.ts";

export type Body = Readonly<Record<string, unknown>>;

/** Whether a member is what it must be. */
export type Rule = (value: unknown) => boolean;

export interface Shape {
  /** what faults call it */
  readonly resource: string;
  readonly required?: Readonly<Record<string, Rule>>;
  readonly optional?: Readonly<Record<string, Rule>>;
}

export const text: Rule = (value) => typeof value === "string";
export const filled: Rule = (value) => typeof value === "string" && value.trim() !== "";
export const flag: Rule = (value) => typeof value === "boolean";
export const integer: Rule = (value) => Number.isInteger(value);
export const texts: Rule = (value) => Array.isArray(value) && value.every(text);
export const object: Rule = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);
export const oneOf =
  (...words: readonly string[]): Rule =>
  (value) =>
    typeof value === "string" && words.includes(value);

const parsed = async (c: Context<Env>): Promise<unknown> => {
  const raw = await c.req.text();
  if (raw === "") return {};
  try {
    return JSON.parse(raw);
  } catch {
    throw new ApiError(400, "Problems parsing JSON");
  }
};

/** The JSON object of a request, an empty one without a body; 422 with every fault of it at once. */
export async function readBody(c: Context<Env>, shape: Shape): Promise<Body> {
  const body = await parsed(c);
  if (!object(body)) throw new ApiError(400, "Body should be a JSON object");
  const given = body as Body;
  const { resource, required = {}, optional = {} } = shape;
  const faults: Fault[] = [];
  for (const [field, rule] of Object.entries({ ...required, ...optional })) {
    const value = given[field];
    if (value === undefined) {
      if (field in required) faults.push({ resource, field, code: "missing_field" });
    } else if (!rule(value)) {
      faults.push({ resource, field, code: "invalid", value });
    }
  }
  if (faults.length > 0) throw invalid(...faults);
  return given;
}

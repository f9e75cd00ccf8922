import type { Context } from "hono";
import { ApiError, type Complaint, unprocessable } from "./api-app.ts";

/** Judges one member of a body; gives what it must be, or undefined if it is right. */
export type MemberRule = (value: unknown) => string | undefined;

export interface BodyShape {
  readonly required: Readonly<Record<string, MemberRule>>;
  readonly optional: Readonly<Record<string, MemberRule>>;
}

export type Body = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parseObject = (text: string): Body => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(400, "the body is not JSON");
  }
  if (!isObject(value)) throw new ApiError(400, "the body must be a JSON object");
  return value;
};

/** What is wrong with an object, its members in the shape's order, then unknown ones. */
export const judge = (value: Body, shape: BodyShape): readonly Complaint[] => {
  const known = { ...shape.required, ...shape.optional };
  const complaints: Complaint[] = [];
  for (const [field, rule] of Object.entries(known)) {
    const given = Object.hasOwn(value, field);
    const needed = Object.hasOwn(shape.required, field);
    if (!given && !needed) continue;
    const message = given ? rule(value[field]) : "is required";
    if (message !== undefined) complaints.push({ field, message });
  }
  for (const field of Object.keys(value)) {
    if (Object.hasOwn(known, field)) continue;
    const names = Object.keys(known).join(", ");
    complaints.push({ field, message: `is unknown here, known: ${names}` });
  }
  return complaints;
};

/** The JSON object of a request; 400 if it is none, 422 naming every wrong member. */
export const readBody = async (context: Context, shape: BodyShape): Promise<Body> => {
  const body = parseObject(await context.req.text());
  const complaints = judge(body, shape);
  if (complaints.length > 0) throw unprocessable(complaints);
  return body;
};

/** A request without members: nothing, or an empty object. */
export const readNoBody = async (context: Context): Promise<void> => {
  if ((await context.req.text()) !== "") await readBody(context, { required: {}, optional: {} });
};

/** A number as JSON has it, or as decimal text where a double would lose digits. */
const decimalText = /^-?\d+(\.\d+)?$/;

export const text: MemberRule = (value) =>
  typeof value === "string" && value !== "" ? undefined : "must be text that is not empty";

export const textOrNull: MemberRule = (value) =>
  typeof value === "string" || value === null ? undefined : "must be text or null";

export const lengthOrNull: MemberRule = (value) => {
  if (value === null) return undefined;
  const decimal = typeof value === "string" && decimalText.test(value);
  const right = (typeof value === "number" || decimal) && Number(value) > 0;
  return right ? undefined : "must be a number above 0, or null";
};

export const oneOfOrNull =
  (options: readonly string[]): MemberRule =>
  (value) =>
    value === null || (typeof value === "string" && options.includes(value))
      ? undefined
      : `must be one of ${options.join(", ")}, or null`;

import type { MemberRule } from "./body.ts";

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

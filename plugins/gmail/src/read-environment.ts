import type { FunctionContext } from "@plasm/runtime";

/** What a mail cannot be made of: said to the caller, who knows the name. */
export class Unfit extends Error {
  override readonly name = "Unfit";
}

type Value = FunctionContext["environment"][string];

function textOf(value: Value | undefined, name: string): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) {
    return (value as readonly Value[]).map((item) => textOf(item, name)).join(", ");
  }
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw new Unfit(`${name} takes text`);
}

/** The names a function reads. Each throws Unfit. */
export interface MailNames {
  /** Text as given; empty if absent. */
  text(name: string): string;
  /** The value of a header, trimmed: a line break in it would begin another header. */
  header(name: string): string;
  /** A header that must be there. */
  required(name: string): string;
  /** A header of the mail answered, as an API gives it: folded lines are one. */
  parentHeader(name: string): string;
}

/** Reads the environment of a call (mapping format, section 2). */
export function mailNames({ environment }: FunctionContext): MailNames {
  const text = (name: string): string =>
    textOf(Object.hasOwn(environment, name) ? environment[name] : undefined, name);
  const checked = (value: string, name: string): string => {
    if (/[\r\n\0]/.test(value)) throw new Unfit(`${name} has a line break or NUL in it`);
    return value.trim();
  };
  const header = (name: string): string => checked(text(name), name);
  return {
    text,
    header,
    required: (name) => {
      const value = header(name);
      if (value === "") throw new Unfit(`${name} is missing or empty`);
      return value;
    },
    parentHeader: (name) => checked(text(name).replaceAll(/\r?\n[ \t]+/g, " "), name),
  };
}

import type { JsonObject } from "@plasm/core";

/** A member that the engine's contract says is text. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value === "string") return value;
  throw new Error(`${name} is no text`);
}

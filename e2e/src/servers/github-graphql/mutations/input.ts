import type { JsonObject } from "@plasm/core";

/** The argument of every mutation. */
export interface Input {
  readonly input: JsonObject;
}

/** What mutations are, by name. */
export type Mutations = Readonly<Record<string, (args: Input) => object>>;

/** A member of an input that the schema makes text. */
export function text(input: JsonObject, name: string): string {
  const value = input[name];
  if (typeof value !== "string") throw new Error(`${name} is no text`);
  return value;
}

/** The members that were given, nulls among them, of those that may be changed. */
export function given(input: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}

/** Ids in a list that may be left out. */
export const ids = (input: JsonObject, name: string): readonly string[] => {
  const value = input[name];
  return Array.isArray(value) ? value.map(String) : [];
};

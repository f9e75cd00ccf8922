import { compareCodePoints, visible } from "@plasm/core";
import type { EffectEntry } from "@plasm/runtime";
import { LONGEST_ID, rawIdOf, targetOf } from "./effect-target.ts";

/** What tells an effect from others of its kind; null if it is too long to stand in a list. */
export type EffectKey =
  | { readonly kind: "none" }
  | { readonly kind: "simple"; readonly id: string }
  | {
      readonly kind: "compound";
      readonly names: readonly string[];
      readonly values: readonly string[];
    };

const NONE: EffectKey = Object.freeze({ kind: "none" });

/** `bed=2,plot=n` as parts: an identity escapes `,` and `=` within them, and sorts them by name (RUN-046). */
function compoundKey(id: string): EffectKey | null {
  const pairs = id.split(",").map((pair) => pair.split("="));
  if (pairs.length < 2 || pairs.some((pair) => pair.length !== 2)) return null;
  const names = pairs.map(([name = ""]) => name);
  const isSorted = (name: string, at: number) =>
    at === 0 || compareCodePoints(names[at - 1] ?? "", name) < 0;
  if (!names.every(isSorted)) return null;
  return { kind: "compound", names, values: pairs.map(([, value = ""]) => value) };
}

/** The key of what an effect was done to, or null. An id that reads like a compound key is told like one. */
export function keyOf(entry: EffectEntry): EffectKey | null {
  const target = targetOf(entry);
  if (target === null) return NONE;
  const id = rawIdOf(target);
  if (id.length > LONGEST_ID) return null;
  return compoundKey(id) ?? { kind: "simple", id };
}

/** Whether two keys can stand in one list. */
export function isSameShape(one: EffectKey, other: EffectKey): boolean {
  if (one.kind !== "compound" || other.kind !== "compound") return one.kind === other.kind;
  return (
    one.names.length === other.names.length &&
    one.names.every((name, at) => name === other.names[at])
  );
}

/** Text in which nothing parts one item of a list from the next. */
const PLAIN = /^[^\s",=\u00b7\u00d7]+$/u;

/** Text as JSON, in which no character acts. */
export const quoted = (text: string): string => visible(JSON.stringify(text));

/** An item of a list: as it is, or as JSON where it could be read as another item. */
export const itemText = (text: string): string =>
  PLAIN.test(text) && visible(text) === text ? text : quoted(text);

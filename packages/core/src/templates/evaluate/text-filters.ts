import { cutWhiteSpace, skipWhiteSpace } from "../white-space.ts";
import {
  type Filter,
  type FilterCall,
  failInput,
  integerArgument,
  textArgument,
  textFilter,
  textOf,
} from "./filter-call.ts";
import { listValue, NULL, textValue } from "./value.ts";

const MAX_PARTS = 1_000_000;

export const lower = textFilter((text) => text.toLowerCase());
export const upper = textFilter((text) => text.toUpperCase());
export const stripTrailingSlash = textFilter((text) => text.replace(/\/$/, ""));

export const trim = textFilter((text) => {
  const start = skipWhiteSpace(text, 0);
  return text.slice(start, cutWhiteSpace(text, start, text.length));
});

export const replace: Filter = (call) => {
  const text = textOf(call);
  const from = textArgument(call, 0);
  const to = textArgument(call, 1);
  if (text === null || from === null || to === null) return NULL;
  if (from === "" && !call.run.spend(call.at, text.length)) return NULL;
  const pieces = from === "" ? ["", ...text, ""] : text.split(from);
  const kept = text.length - (from === "" ? 0 : (pieces.length - 1) * from.length);
  const length = kept + (pieces.length - 1) * to.length;
  return call.run.mayMake(call.at, length) ? textValue(pieces.join(to)) : NULL;
};

export const split: Filter = (call) => {
  if (call.input.kind !== "text") return failInput(call, "a text");
  const pieces = splitText(call, call.input.value, 0);
  return pieces === null ? NULL : listValue(pieces.map(textValue));
};

/** One part of a text between separators, by its number: from 0, or from the end as -1, -2. */
export const splitPart: Filter = (call) => {
  if (call.input.kind !== "text") return failInput(call, "a text");
  const pieces = splitText(call, call.input.value, 0);
  const number = integerArgument(call, 1, MAX_PARTS);
  if (pieces === null || number === null) return NULL;
  const piece = pieces.at(number);
  if (piece !== undefined) return textValue(piece);
  const message = `There is no part ${number}: the text has ${pieces.length}. Add | default(value) where it may be missing.`;
  return { kind: "missing", at: call.at, message };
};

/** The pieces of a text between a separator, which is an argument; null if that is none. */
export function splitText(
  call: FilterCall,
  text: string,
  argument: number,
): readonly string[] | null {
  const { run, at, argumentsAt } = call;
  const separator = textArgument(call, argument);
  if (separator === null || !run.spendOn(at, text.length)) return null;
  if (separator === "") {
    const place = argumentsAt[argument] ?? at;
    run.fail(place, "Found an empty separator. Allowed: one character or more.");
    return null;
  }
  const pieces = text.split(separator);
  return run.spend(at, pieces.length) ? pieces : null;
}

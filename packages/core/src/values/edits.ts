import type { SpendWork } from "./arithmetic.ts";
import { shown, ValueFault } from "./numbers.ts";
import { type Json, isArray, isObject } from "./value-type.ts";

const EDIT = /^(?:replace(?:_one)?|insert_(?:after|before)|(?:set|remove)_member)$/;

/** Whether an operation of a plan changes a part of a value and keeps the rest (LANG-056). */
export const isEdit = (operation: string): boolean => EDIT.test(operation);

/** A part of at most this length is looked for as the platform does it, whose time is bounded by the product. */
const SHORT = 32;

/**
 * Where a part begins in a text, in time that grows with both lengths alone, whatever they are (LANG-056). Places that
 * overlap count unless `apart`; an empty part is nowhere.
 */
export function placesOf(text: string, part: string, apart: boolean): readonly number[] {
  const places: number[] = [];
  if (part === "" || part.length > text.length) return places;
  if (part.length <= SHORT) {
    const step = apart ? part.length : 1;
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + step)) places.push(at);
    return places;
  }
  // Knuth, Morris and Pratt: how much of the part is already matched where a character does not fit.
  const back = new Int32Array(part.length);
  for (let at = 1, matched = 0; at < part.length; at += 1) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched))
      matched = back[matched - 1] ?? 0;
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    back[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    while (matched > 0 && text.charCodeAt(at) !== part.charCodeAt(matched))
      matched = back[matched - 1] ?? 0;
    if (text.charCodeAt(at) === part.charCodeAt(matched)) matched += 1;
    if (matched < part.length) continue;
    places.push(at + 1 - part.length);
    matched = apart ? 0 : (back[matched - 1] ?? 0);
  }
  return places;
}

/** Characters on either side of a place that an error shows. */
const AROUND = 16;
const MOST_SHOWN = 3;

function around(text: string, at: number, length: number): string {
  const [from, to] = [Math.max(0, at - AROUND), Math.min(text.length, at + length + AROUND)];
  const part = text.slice(from, Math.min(to, from + 3 * AROUND));
  return JSON.stringify(`${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`);
}

/**
 * The one place where a part stands in a text (LANG-056). Throws {@link ValueFault} where it is nowhere or in several
 * places, with what to write for all of them where those can be meant.
 */
export function onlyPlace(text: string, part: string, mayBeAll: boolean): number {
  const [at, ...others] = placesOf(text, part, false);
  if (at === undefined) {
    if (part === "") throw new ValueFault("the part to look for is empty");
    const isCased = placesOf(text.toLowerCase(), part.toLowerCase(), true).length > 0;
    const why = isCased ? ", though it does with other capitals" : "";
    throw new ValueFault(
      `${shown(part)} does not occur in the text${why}`,
      "give a part exactly as it stands in the text: read the text, or a part of it like _.text[:200]",
    );
  }
  if (others.length === 0) return at;
  const places = [at, ...others]
    .slice(0, MOST_SHOWN)
    .map((each) => around(text, each, part.length));
  const more = others.length >= MOST_SHOWN ? ", …" : "";
  const all = mayBeAll ? ", or write all as a fourth value for all of them" : "";
  throw new ValueFault(
    `${shown(part)} occurs ${others.length + 1} times: ${places.join(", ")}${more}`,
    `give more of the text around the one that is meant, so that it occurs once${all}`,
  );
}

/** What an element of a list or a member of an object weighs that is copied. */
const MEMBER = 16;

const pathText = (keys: readonly string[]): string => JSON.stringify(keys.join("."));

function index(list: readonly Json[], key: string, most: number, keys: readonly string[]): number {
  const at = /^\d+$/.test(key) ? Number(key) : null;
  if (at !== null && at <= most) return at;
  throw new ValueFault(
    `${pathText(keys)} is not in a list of ${list.length} elements`,
    "name an element by its number, from 0",
  );
}

/**
 * A value in which one member is another, or gone where `by` is undefined; all else is shared with it (LANG-056). What is
 * on the way to it must be there. Throws {@link ValueFault} where it is not.
 */
export function withMember(
  value: Json,
  keys: readonly string[],
  by: Json | undefined,
  spend: SpendWork,
  depth = 0,
): Json {
  const [key = "", ...rest] = keys.slice(depth);
  const here = keys.slice(0, depth + 1);
  const isLast = rest.length === 0;
  const within = (inner: Json | undefined): Json => {
    if (inner === undefined || inner === null) {
      throw new ValueFault(
        `there is nothing at ${pathText(here)}`,
        `set ${pathText(here)} to a whole value first`,
      );
    }
    return withMember(inner, keys, by, spend, depth + 1);
  };
  if (isArray(value)) {
    spend(value.length * MEMBER);
    const isNew = isLast && by !== undefined;
    const at = index(value, key, isNew ? value.length : value.length - 1, here);
    if (isLast && by === undefined) return value.filter((_, each) => each !== at);
    const copy = [...value];
    copy[at] = isNew ? by : within(value[at]);
    return copy;
  }
  if (!isObject(value)) {
    const where = depth === 0 ? "it" : pathText(keys.slice(0, depth));
    throw new ValueFault(`${where} is ${shown(value)}, which has no members`);
  }
  const members = Object.entries(value);
  spend(members.length * MEMBER);
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  if (isLast && by === undefined) {
    if (found === undefined) {
      throw new ValueFault(
        `there is nothing at ${pathText(here)}`,
        `name a member that is there: ${shown(Object.keys(value).slice(0, 8).join(", "))}`,
      );
    }
    return Object.fromEntries(members.filter(([name]) => name !== key));
  }
  const made = isLast && by !== undefined ? by : within(found);
  if (found !== undefined) {
    return Object.fromEntries(members.map(([name, each]) => [name, name === key ? made : each]));
  }
  return Object.fromEntries([...members, [key, made]]);
}

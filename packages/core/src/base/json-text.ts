import { sha256Hex } from "./canonical-json.ts";

const BACKSLASH = 92;
const COLON = 58;

/** Where a string ends whose text goes on at `from`: at a quote that no odd number of backslashes escapes. */
export function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (before > from && text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

/** Where a name stands in a JSON text, with its quotes. */
interface Place {
  readonly start: number;
  readonly end: number;
}

function isName(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === COLON;
}

/** The names in a JSON text that have an escape. */
function escapedNames(text: string): readonly Place[] {
  const places: Place[] = [];
  // The first backslash of a string: all quotes between it and the string's own are behind it.
  for (let at = text.indexOf("\\"); at !== -1;) {
    const end = stringEnd(text, at) + 1;
    if (isName(text, end)) places.push({ start: text.lastIndexOf('"', at), end });
    at = text.indexOf("\\", end);
  }
  return places;
}

/** Gives the members whose names were stood in for their own names again, each in its place. */
function rename(value: unknown, names: ReadonlyMap<string, string>): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const holder = open.pop();
    if (typeof holder !== "object" || holder === null) continue;
    const members = Object.entries(holder);
    if (!Array.isArray(holder) && members.some(([name]) => names.has(name))) {
      for (const [name] of members) Reflect.deleteProperty(holder, name);
      for (const [name, item] of members) {
        Object.defineProperty(holder, names.get(name) ?? name, {
          value: item,
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
    }
    for (const [, item] of members) open.push(item);
  }
}

/**
 * The value of a JSON text, as JSON.parse gives it, but for names with escapes, which JSON.parse of Node.js 24 and
 * 26 may read as a name that an earlier text had (nodejs/node#63785): `{"\n":1}` after `{"\\":1}`. Texts of others are
 * read with this, because who sends one could choose how the next sender's names are read. Throws SyntaxError.
 */
export function parseJsonText(text: string): unknown {
  const places = escapedNames(text);
  if (places.length === 0) return JSON.parse(text) as unknown;
  // What stands for a name meanwhile is no name in the text: none can hold its own hash.
  const mark = sha256Hex(text);
  const names = new Map<string, string>();
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of places) {
    const name = JSON.parse(text.slice(start, end)) as string;
    const plain = JSON.stringify(name);
    const standIn = `${mark} ${names.size}`;
    const needsEscape = plain.includes("\\");
    if (needsEscape) names.set(standIn, name);
    parts.push(text.slice(at, start), needsEscape ? JSON.stringify(standIn) : plain);
    at = end;
  }
  const value: unknown = JSON.parse(parts.join("") + text.slice(at));
  if (names.size > 0) rename(value, names);
  return value;
}

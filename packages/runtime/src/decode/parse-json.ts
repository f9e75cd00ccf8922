import { randomUUID } from "node:crypto";
import type { Json } from "@plasm/core";
import { numberValue, parseJsonText, stringEnd } from "@plasm/core/internal";
import { atOnce, type Pausable } from "../base/turns.ts";

export type ParsedJson =
  /** `malformed`: some of its text was half a surrogate pair */
  | { readonly ok: true; readonly value: Json; readonly malformed?: true }
  | { readonly ok: false; readonly reason: "depth" | "syntax" };

/** Runs of digits, or exponents, that a double may not hold. */
const MAYBE_INEXACT = /[0-9.]{16}|[eE][+-]?[0-9]{3}/;

/** The shortest number that may be inexact: a digit and an exponent of three. */
const LEAST_INEXACT = 5;

const QUOTE = 34;
const COMMA = 44;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Whether a letter may stand in a number: digits, `+`, `-`, `.`, `E` and `e`. */
const inNumber = (code: number): boolean =>
  isDigit(code) || code === 46 || code === 101 || code === 69 || code === 43 || code === 45;

/** Where a number ends whose first digit is at `from`. */
function numberEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && inNumber(text.charCodeAt(at))) at++;
  return at;
}

/** What parsing must know of a text beforehand. */
interface Survey {
  /** the deepest nesting of brackets, or more than may be (RUN-130, JSON depth) */
  readonly depth: number;
  /** where numbers stand that a double does not hold, and what stands for them */
  readonly inexact: readonly InexactNumber[];
  /** the longest lists, in order, none within another */
  readonly long: readonly LongList[];
}

interface InexactNumber {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A list that is longer than what is parsed at once. */
interface LongList {
  /** where it opens and closes */
  readonly start: number;
  readonly end: number;
  /** commas between its items, so far apart that each part is a piece of work */
  readonly cuts: readonly number[];
}

/** So many characters are looked at, or of a list parsed, between two pauses. */
const STRETCH = 1 << 18;

/** The lists that are open while a text is looked through, by depth, and where they may be cut. */
class OpenLists {
  readonly long: LongList[] = [];
  /** where the list of a depth opens; -1 for an object */
  readonly #starts: number[] = [-1];
  readonly #lastCuts: number[] = [0];
  readonly #stretch: number;
  #cuts: { readonly depth: number; readonly at: number }[] = [];

  constructor(stretch: number) {
    this.#stretch = stretch;
  }

  open(depth: number, at: number, isList: boolean): void {
    this.#starts[depth] = isList ? at : -1;
    this.#lastCuts[depth] = at;
  }

  comma(depth: number, at: number): void {
    if ((this.#starts[depth] ?? -1) < 0) return;
    if (at - (this.#lastCuts[depth] ?? at) < this.#stretch) return;
    this.#lastCuts[depth] = at;
    this.#cuts.push({ depth, at });
  }

  close(depth: number, end: number): void {
    const start = this.#starts[depth] ?? -1;
    if (start < 0 || this.#lastCuts[depth] === start) return;
    const cuts = this.#cuts.filter((cut) => cut.depth === depth).map(({ at }) => at);
    this.#cuts = this.#cuts.filter((cut) => cut.depth < depth);
    while ((this.long.at(-1)?.start ?? -1) > start) this.long.pop();
    this.long.push({ start, end, cuts });
  }
}

/** Looks at brackets, commas and numbers outside strings, without parsing. */
function* surveyed(text: string, stopAt: number, stretch: number): Pausable<Survey> {
  const inexact: InexactNumber[] = [];
  // A shorter text holds no list that would be cut.
  const lists = text.length > stretch ? new OpenLists(stretch) : null;
  let depth = 0;
  let deepest = 0;
  let pauseAt = stretch;
  for (let i = 0; i < text.length && deepest <= stopAt; i++) {
    if (i >= pauseAt) {
      pauseAt = i + stretch;
      yield;
    }
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = stringEnd(text, i + 1);
    else if (code === COMMA) lists?.comma(depth, i);
    else if (code === 91 || code === 123) {
      deepest = Math.max(deepest, ++depth);
      lists?.open(depth, i, code === 91);
    } else if (code === 93 || code === 125) {
      if (code === 93) lists?.close(depth, i);
      depth--;
    } else if (isDigit(code)) {
      const end = numberEnd(text, i);
      const number = end - i >= LEAST_INEXACT ? inexactNumber(text, i, end) : null;
      if (number !== null) inexact.push(number);
      i = end - 1;
    }
  }
  return { depth: deepest, inexact, long: lists?.long ?? [] };
}

const MINUS = 45;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number whose first digit is at `from`, if a double does not hold it: its decimal text (RUN-033). */
function inexactNumber(text: string, from: number, end: number): InexactNumber | null {
  if (!MAYBE_INEXACT.test(text.slice(from, end))) return null;
  const start = text.charCodeAt(from - 1) === MINUS ? from - 1 : from;
  const source = text.slice(start, end);
  if (!JSON_NUMBER.test(source)) return null;
  const value = numberValue(source) ?? source;
  return typeof value === "number" ? null : { start, end, text: value };
}

/** A text of which parts are read from its beginning on, with inexact numbers as texts of their decimals. */
class ExactText {
  readonly #text: string;
  readonly #inexact: readonly InexactNumber[];
  #next = 0;

  constructor(text: string, inexact: readonly InexactNumber[]) {
    this.#text = text;
    this.#inexact = inexact;
  }

  *part(from: number, to: number): Pausable<string> {
    const parts: string[] = [];
    let at = from;
    for (; ; this.#next++) {
      const number = this.#inexact[this.#next];
      if (number === undefined || number.end > to) break;
      parts.push(this.#text.slice(at, number.start), `"${number.text}"`);
      at = number.end;
      if (parts.length % 128 === 0) yield;
    }
    const rest = this.#text.slice(at, to);
    return parts.length === 0 ? rest : parts.join("") + rest;
  }
}

/** The items of a long list. Throws SyntaxError. */
function* listItems(text: ExactText, { start, end, cuts }: LongList): Pausable<Json[]> {
  const items: Json[] = [];
  let from = start + 1;
  for (const to of [...cuts, end]) {
    const part = parseJsonText(`[${yield* text.part(from, to)}]`) as readonly Json[];
    // Between two commas, or behind the last one, there is an item.
    if (part.length === 0) throw new SyntaxError("a list has a comma too much");
    for (const item of part) items.push(item);
    from = to + 1;
    yield;
  }
  return items;
}

/** Puts what stands for long lists in the parsed rest of a text, each in its place. */
function* filled(rest: Json, lists: ReadonlyMap<string, Json>): Pausable<Json> {
  const root: Record<string, Json> = { value: rest };
  const open: (Json[] | Record<string, Json>)[] = [root];
  for (let seen = 0; open.length > 0; seen++) {
    if (seen % 256 === 0) yield;
    const holder = open.pop() ?? {};
    for (const [name, item] of Object.entries(holder)) {
      const list = typeof item === "string" ? lists.get(item) : undefined;
      if (list !== undefined) Object.defineProperty(holder, name, { value: list });
      else if (typeof item === "object" && item !== null) {
        open.push(item as Json[] | Record<string, Json>);
      }
    }
  }
  return root["value"] ?? null;
}

/** The value of a text: long lists in parts, which are put into the rest. Throws SyntaxError. */
function* valueOf(text: string, { inexact, long }: Survey): Pausable<Json> {
  const exact = new ExactText(text, inexact);
  if (long.length === 0) return parseJsonText(yield* exact.part(0, text.length)) as Json;
  // No API can know what stands for a list meanwhile.
  const name = randomUUID();
  const lists = new Map<string, Json>();
  const rest: string[] = [];
  let at = 0;
  for (const [index, list] of long.entries()) {
    rest.push(yield* exact.part(at, list.start), `"${name} ${index}"`);
    lists.set(`${name} ${index}`, yield* listItems(exact, list));
    at = list.end + 1;
  }
  rest.push(yield* exact.part(at, text.length));
  return yield* filled(parseJsonText(rest.join("")) as Json, lists);
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Every escape in turn: a pair of surrogates, a lone one, any other. */
const ESCAPES =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|[^])/g;

/** Half a pair is no text: no store, hash or answer could hold it, so it is read as U+FFFD, as in UTF-8. */
const wellFormed = (json: string): string =>
  SURROGATE_ESCAPE.test(json)
    ? json.replace(ESCAPES, (escape, lone?: string) => (lone === undefined ? escape : "\\ufffd"))
    : json;

/** Texts of fewer characters are looked through in less time than a look at the clock is worth. */
const SHORT = 16 * 1024;

/**
 * Parses JSON of limited depth; numbers a double cannot hold become decimal text (RUN-033), halves
 * of surrogate pairs U+FFFD. It may pause but while the language's own parser works, which gets lists in stretches
 * of so many characters.
 */
export function* parseJsonInSteps(
  json: string,
  maxDepth: number,
  stretch = STRETCH,
): Pausable<ParsedJson> {
  const text = wellFormed(json);
  if (text.length > SHORT) yield;
  const survey = yield* surveyed(text, maxDepth, stretch);
  if (survey.depth > maxDepth) return { ok: false, reason: "depth" };
  try {
    const value = yield* valueOf(text, survey);
    return text === json ? { ok: true, value } : { ok: true, value, malformed: true };
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, reason: "syntax" };
    throw error;
  }
}

/** The same without a pause, for short texts. */
export const parseJson = (json: string, maxDepth: number): ParsedJson =>
  atOnce(parseJsonInSteps(json, maxDepth));

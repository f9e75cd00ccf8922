import type { TextRange } from "../../base/span.ts";
import type { ReportProblem } from "../tree.ts";
import {
  describeToken,
  skipWhiteSpace,
  type TagReader,
  type TagSegment,
  type TagToken,
} from "./tag-reader.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
/** What looks like a number but is none: `1_000`, `0x1f`, `12abc`. */
const NUMBER_LIKE = /[A-Za-z0-9_]+/y;
const SIGN = /\*\*|\/\/|==|!=|<=|>=|[-+*/%~<>=.,:|()[\]{}]/y;

const OPENER = /^\{[{%#]$/;

/** A tag, and whether it takes away the white space behind it. */
interface ReadTag {
  readonly tag: TagSegment;
  readonly trimsAfter: boolean;
}

/** Reads a tag from its `{{` or `{%` on. Offset `body` is where its content begins. */
export function readTag(
  template: string,
  start: number,
  body: number,
  sink: ReportProblem,
): ReadTag {
  const kind = template.startsWith("{{", start) ? "output" : "statement";
  const close = kind === "output" ? "}}" : "%}";
  const tokens: TagToken[] = [];
  let faulty = false;
  const report: ReportProblem = (at, message) => {
    if (!faulty) sink(at, message);
    faulty = true;
  };
  const finish = (end: TextRange, trimsAfter: boolean): ReadTag => {
    tokens.push({ kind: "end", text: close, ...end });
    return { tag: { kind, start, end: end.end, tokens, faulty }, trimsAfter };
  };
  let at = body;
  for (;;) {
    at = skipWhiteSpace(template, at);
    if (template.startsWith(close, at)) return finish({ start: at, end: at + 2 }, false);
    const sign = template.charAt(at);
    if ((sign === "-" || sign === "+") && template.startsWith(close, at + 1)) {
      return finish({ start: at, end: at + 3 }, sign === "-");
    }
    if (sign === "" || OPENER.test(template.slice(at, at + 2))) {
      const opener = template.slice(start, start + 2);
      report({ start, end: start + 2 }, `This ${opener} is not closed. Close it with ${close}.`);
      return finish({ start: at, end: at }, false);
    }
    const token = readToken(template, at, report);
    tokens.push(token);
    at = token.end;
  }
}

function readToken(template: string, start: number, report: ReportProblem): TagToken {
  const taken = (pattern: RegExp): string => {
    pattern.lastIndex = start;
    return pattern.exec(template)?.[0] ?? "";
  };
  const word = taken(WORD);
  if (word !== "") return { kind: "word", text: word, start, end: start + word.length };
  const first = template.charAt(start);
  if (first === '"' || first === "'") return readTextLiteral(template, start, report);
  const number = taken(NUMBER);
  if (number !== "") return readNumber(template, start, number, report);
  const sign = taken(SIGN);
  if (sign !== "") return { kind: "sign", text: sign, start, end: start + sign.length };
  const character = String.fromCodePoint(template.codePointAt(start) ?? 0);
  const end = start + character.length;
  report(
    { start, end },
    `Found ${character}. Allowed in a tag: names, "texts", numbers, lists in [ ], and + - * / // % ~ == != < <= > >= | . ( ).`,
  );
  return { kind: "sign", text: character, start, end };
}

function readNumber(
  template: string,
  start: number,
  text: string,
  report: ReportProblem,
): TagToken {
  NUMBER_LIKE.lastIndex = start + text.length;
  const rest = NUMBER_LIKE.exec(template)?.[0] ?? "";
  const end = start + text.length + rest.length;
  if (rest !== "" || /^0[0-9]/.test(text)) {
    report(
      { start, end },
      `Found the number ${text}${rest}. Allowed: digits without leading zeros, with . and e as in 12, 1.5 or 2e3.`,
    );
  }
  const kind = /^[0-9]+$/.test(text) ? "integer" : "float";
  return { kind, text, start, end };
}

const TAGS = ["set", "if", "elif", "else", "endif", "for", "endfor"];

/** Parts of blocks, with the blocks they belong to. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["elif", "if"],
  ["else", "if or for"],
  ["endif", "if"],
  ["endfor", "for"],
]);

/** Whether a tag of this word goes on with an open block, or ends it. */
export function isBlockPart(word: string): boolean {
  return PARTS.has(word);
}

/** Reports a tag that is none of RUN-101, or stands where it cannot. `refused`: ends told with their tags. */
export function refuseTag(tag: TagReader, refused: Set<string>): void {
  const first = tag.peek();
  const block = PARTS.get(first.text);
  if (first.kind !== "word") {
    tag.fail(first, `Found ${describeToken(first)}. Allowed tags: ${TAGS.join(", ")}.`);
  } else if (block !== undefined) {
    tag.fail(
      first,
      `Found ${first.text} without an open ${block}. Allowed: ${first.text} inside one.`,
    );
  } else if (!refused.has(first.text)) {
    refused.add(`end${first.text}`);
    const nearest = nearestName(first.text, TAGS);
    const hint = nearest === null ? "" : ` (nearest: ${nearest})`;
    tag.fail(first, `There is no tag ${first.text}${hint}. Allowed: ${TAGS.join(", ")}.`);
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["\\", "\\"],
  ["/", "/"],
  ["'", "'"],
  ['"', '"'],
]);

const HEX = /(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})/y;
const PLAIN = /[^\\'"]+/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** A text literal from its opening quote on; one that is never closed ends with the template. */
function readTextLiteral(template: string, start: number, report: ReportProblem): TagToken {
  const quote = template.charAt(start);
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(template)?.[0] ?? "";
    parts.push(plain);
    at += plain.length;
    const next = template.charAt(at);
    if (next === "" || next === quote) break;
    if (next !== "\\") {
      parts.push(next);
      at++;
      continue;
    }
    const { text, end } = readEscape(template, at, report);
    parts.push(text);
    at = end;
  }
  if (at >= template.length) {
    const message = `This text is not closed. Close it with ${quote}.`;
    report({ start, end: start + 1 }, message);
  }
  const end = Math.min(at + 1, template.length);
  const text = parts.join("");
  if (LONE_SURROGATE.test(text)) {
    report(
      { start, end },
      "Found half of a surrogate pair in a text. Allowed: both halves, or neither.",
    );
  }
  return { kind: "text", text, start, end };
}

function readEscape(
  template: string,
  start: number,
  report: ReportProblem,
): { readonly text: string; readonly end: number } {
  HEX.lastIndex = start + 1;
  const hex = HEX.exec(template)?.[0];
  if (hex !== undefined) {
    const text = String.fromCharCode(Number.parseInt(hex.slice(1), 16));
    return { text, end: start + 1 + hex.length };
  }
  const point = template.codePointAt(start + 1);
  if (point === undefined) return { text: "", end: start + 1 };
  const character = String.fromCodePoint(point);
  const end = start + 1 + character.length;
  const text = ESCAPES.get(character);
  if (text === undefined) {
    report(
      { start, end },
      `Found the escape \\${character}. Allowed: \\n \\t \\r \\b \\f \\\\ \\/ \\' \\" \\xHH \\uHHHH; write \\\\ for a backslash.`,
    );
  }
  return { text: text ?? "", end };
}

const RESERVED: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "in",
  "is",
  "if",
  "elif",
  "else",
  "for",
  "set",
  "true",
  "True",
  "false",
  "False",
  "none",
  "None",
]);

/** Whether a word belongs to the template language, so that no value can have it as its name. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}

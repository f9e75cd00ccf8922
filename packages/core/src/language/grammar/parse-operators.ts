import { clip } from "../../base/text.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { bracketed, enter, leave } from "../recovery/brackets.ts";
import { stretchEnd } from "../recovery/extent.ts";
import {
  type Expectation,
  failHere,
  failIfUnclosed,
  failUnclosedStep,
} from "../recovery/failures.ts";
import { failMadeColumn } from "../recovery/foreign-columns.ts";
import { failUnknownFunction } from "../recovery/foreign-values.ts";
import type { Path } from "./ast-values.ts";
import type { ColumnSource, Count, SortKey } from "./ast.ts";
import { CLOSER } from "./characters.ts";
import { isFunction } from "./functions.ts";
import type { NameToken } from "./lexer.ts";
import { MAX_ITEMS, matchAt } from "./limits.ts";
import { isComparedAt, isComputedAt } from "./operators-ahead.ts";
import { parsePath, takeDollar } from "./parse-names.ts";
import { parseValue } from "./parse-values.ts";
import type { OpeningSign, ParserState } from "./parser-state.ts";

/**
 * Reads what a step takes of each row: a column, or a value computed from columns (LANG-048). Only where `compares`
 * says so it may be a comparison, which is true or false.
 */
export function parseColumn(p: ParserState, expected: Expectation, compares = false): ColumnSource {
  const token = p.peek("name");
  const isCall =
    token.type === "name" &&
    isFunction(token.text) &&
    p.text[p.skip(token.end, p.open.length > 0)] === "(";
  const isComputed = isCall || isComputedAt(p.text, token.start);
  if (isComputed || (compares && isComparedAt(p.text, token.start))) {
    return parseValue(p, "columns");
  }
  if (token.type === "name") {
    failUnknownFunction(p, { text: token.text, span: p.span(token.start, token.end) });
  }
  return parsePath(p, expected);
}

/** Reads `[path, …]` or the `(path, …)` of an operator that takes columns; `example` is a whole form. */
export function parsePaths(p: ParserState, open: OpeningSign, example: string): readonly Path[] {
  if (open === "[") failRowIndex(p);
  let item = p.pos;
  return bracketed(
    p,
    open,
    () => {
      item = p.skip(p.pos, true);
      return parsePath(p, { what: "a column", example });
    },
    () => failAfterItem(p, item, { what: `, or ${CLOSER[open]}`, example }),
  );
}

/** Reads the `(column, …)` of a step that takes columns or values computed from them. */
export function parseColumns(p: ParserState, example: string): readonly ColumnSource[] {
  let item = p.pos;
  return bracketed(
    p,
    "(",
    () => {
      item = p.skip(p.pos, true);
      return parseColumn(p, { what: "a column", example }, true);
    },
    () => failAfterItem(p, item, { what: ", or )", example }),
  );
}

/** Fails where neither a comma nor a closer follows a column or an aggregate. */
export function failAfterItem(p: ParserState, item: number, expected: Expectation): void {
  failIfUnclosed(p);
  failUnclosedStep(p);
  if (p.dead) return;
  failMadeColumn(p, p.skip(p.pos, true));
  if (p.dead) return;
  const token = p.peek("name");
  if (token.type !== "name") return failHere(p, expected);
  const end = Math.max(token.end, stretchEnd(p.text, token.start));
  const args = {
    next: token.text,
    form: clip(`${p.text.slice(item, p.lastEnd)}, ${p.text.slice(token.start, end)}`, 120),
  };
  const gap = { start: p.lastEnd, end: token.start };
  const where = p.span(p.lastEnd, p.lastEnd);
  const edits = [{ span: gap, replacement: ", " }];
  p.fail(diagnose(syntaxMessages.missingSeparator, where, args, edits));
}

const ALL_COLUMNS = /\[\s*\*\s*\]/y;
/** No two runs of blanks may meet in it: matching would take the square of their length (LANG-001). */
const ROW_INDEX =
  /\[\s*(?:(-?\d+)|(?:0\s*)?:\s*(\d+)|(?:(?:-\d*|\d+)\s*)?:(?:\s*(?:-\d*|\d+))?)\s*\]/y;

/** `[0]`, `[:5]`: rows by their number; from the first one on that is a limit. `[*]` is no projection. */
function failRowIndex(p: ParserState): void {
  const { start } = p.peek("name");
  const all = matchAt(ALL_COLUMNS, p.text, start)?.[0];
  if (all !== undefined) {
    const span = p.span(start, start + all.length);
    return p.fail(diagnose(syntaxMessages.allColumns, span, {}, [{ span, replacement: "" }]));
  }
  const index = matchAt(ROW_INDEX, p.text, start);
  if (index === null) return;
  const [whole, one, first] = index;
  const span = p.span(start, start + whole.length);
  const count = one === "0" ? "1" : first;
  if (count === undefined || !/^[1-9]\d{0,5}$/.test(count)) {
    return p.fail(diagnose(syntaxMessages.rowsByNumber, span, {}));
  }
  const form = `.limit(${count})`;
  p.fail(diagnose(syntaxMessages.rowIndex, span, { form }, [{ span, replacement: form }]));
}

/** Reads the keys of `sort(…)` (LANG-014). */
export function parseSortKeys(p: ParserState): readonly SortKey[] {
  const keys: (SortKey & { readonly directed: boolean })[] = [];
  bracketed(
    p,
    "(",
    () => parseSortItem(p, keys),
    () => failAfterKey(p, keys.at(-1)),
  );
  return keys.slice(0, MAX_ITEMS).map(({ path, desc, span }) => ({ path, desc, span }));
}

type Key = SortKey & { readonly directed: boolean };

function parseSortItem(p: ParserState, keys: Key[]): void {
  const token = p.peek("name");
  const last = keys.at(-1);
  if (last !== undefined && token.type === "name" && isDirection(token.text) && isLone(p, token)) {
    p.take(token);
    if (last.directed) {
      const path = p.text.slice(last.path.span.start, last.path.span.end);
      return p.fail(
        diagnose(syntaxMessages.twoDirections, p.span(token.start, token.end), { path }),
      );
    }
    keys[keys.length - 1] = { ...last, ...directed(p, last.path, token.text) };
    return;
  }
  if (token.type === "sign" && token.text === "-" && isBareMinus(p, token.start)) {
    failMinus(p, token.start);
  }
  const path = parseColumn(p, { what: "a column", example: ".sort(‹p›, ‹n› desc)" });
  const direction = p.peek("name");
  if (direction.type === "name" && isDirection(direction.text)) {
    p.take(direction);
    keys.push(directed(p, path, direction.text));
  } else {
    keys.push({ path, desc: false, directed: false, span: path.span });
  }
}

function directed(p: ParserState, path: ColumnSource, direction: string): Key {
  return { path, desc: direction === "desc", directed: true, span: p.spanFrom(path.span.start) };
}

function isDirection(word: string): boolean {
  return word === "asc" || word === "desc";
}

/** Whether the name is a whole item of the list. */
function isLone(p: ParserState, token: NameToken): boolean {
  const next = p.text[p.skip(token.end, true)];
  return next === undefined || next === "," || next === ")";
}

/** `-length` alone is a direction in other languages; behind it a calculation goes on with a sign. */
function isBareMinus(p: ParserState, at: number): boolean {
  return /^-\s*[A-Za-z_][\w.]*$/.test(p.text.slice(at, stretchEnd(p.text, at)).trim());
}

function failMinus(p: ParserState, at: number): void {
  const end = stretchEnd(p.text, at);
  const column = p.text.slice(at + 1, end).trim();
  const edits = [{ span: { start: at, end }, replacement: `${column} desc` }];
  const args = { form: `.sort(${column} desc)` };
  p.fail(diagnose(syntaxMessages.descendingSign, p.span(at, at + 1), args, edits));
}

const DIRECTION_WORDS = /^(?:asc|desc)(?:ending)?$/i;

function failAfterKey(p: ParserState, key: Key | undefined): void {
  failIfUnclosed(p);
  failUnclosedStep(p);
  if (p.dead) return;
  const token = p.peek("name");
  if (token.type === "name" && DIRECTION_WORDS.test(token.text)) {
    const plain = /^asc/i.test(token.text) ? "asc" : "desc";
    const span = p.span(token.start, token.end);
    const column = key === undefined ? "" : p.text.slice(key.path.span.start, key.path.span.end);
    const args = { word: token.text, form: clip(`.sort(${column} ${plain})`, 80) };
    return p.fail(diagnose(syntaxMessages.sortWord, span, args, [{ span, replacement: plain }]));
  }
  if (token.type === "sign" && token.text === "=") failSortArgument(p, token.start, token.end);
  failHere(p, { what: "asc, desc, a comma or )", example: ".sort(‹p›, ‹n› desc)" });
}

const KEY_WORD = /(?:key|by|column|field)\s*$/;

/** `sort(key=length)`: the column stands alone. */
function failSortArgument(p: ParserState, at: number, end: number): void {
  const word = KEY_WORD.exec(p.text.slice(Math.max(0, at - 40), at))?.[0];
  if (word === undefined) return;
  const span = p.span(at - word.length, at);
  const value = p.skip(end, true);
  const column = p.text.slice(value, stretchEnd(p.text, value));
  const edits = [{ span: { start: span.start, end: value }, replacement: "" }];
  const args = { form: clip(`.sort(${column})`, 80) };
  p.fail(diagnose(syntaxMessages.sortArgument, span, args, edits));
}

/** The count of an operator: what it is called, the largest n, and an example. */
export interface CountForm {
  readonly where: string;
  readonly max: number;
  readonly example: string;
}

/** Reads `(INT)`, the bracket being next. */
export function parseCountArgs(p: ParserState, form: CountForm): Count {
  const { start } = p.peek("name");
  if (!enter(p, "(")) return { kind: "Bad", span: p.span(start, start) };
  const count = parseCount(p, form);
  leave(p, "(", form.example);
  return count;
}

/** A count with a name in front of it, or in quotes. */
const NAMED_COUNT = /^(?:[A-Za-z_]\w*\s*=\s*|["'](?=\d+["']$))([1-9]\d{0,8})["']?$/;

/** Reads an INT from 1 to `max` or a placeholder; anything else up to the closer is `bad_count` (LANG-016, LANG-062). */
export function parseCount(p: ParserState, form: CountForm): Count {
  const token = p.peek("value");
  const after = p.skip(token.end, true);
  const next = p.text[after] ?? ")";
  const trailingComma = next === "," && p.text[p.skip(after + 1, true)] === ")";
  const alone = ")]}\n".includes(next) || trailingComma;
  if (token.type === "end") failHere(p, { what: "a count", example: form.example });
  if (p.dead) return { kind: "Bad", span: p.span(token.start, token.end) };
  if (token.type === "dollar") return takeDollar(p, token);
  if (token.type === "run" && alone) {
    const span = p.span(token.start, token.end);
    if (token.kind === "placeholder") {
      p.take(token);
      return { kind: "PlaceholderValue", raw: "..", span };
    }
    if (/^[1-9][0-9]{0,8}$/.test(token.raw) && Number(token.raw) <= form.max) {
      p.take(token);
      return { kind: "NumberValue", raw: token.raw, span };
    }
  }
  failIfUnclosed(p);
  const end = countEnd(p, token.start);
  const span = p.span(token.start, end);
  const named = NAMED_COUNT.exec(p.text.slice(span.start, end))?.[1];
  const edits = named === undefined ? undefined : [{ span, replacement: named }];
  const raw = p.text.slice(token.start, Math.min(end, token.start + 40)).replace(/\s+/g, " ");
  const what = raw === "" ? "()" : raw;
  p.report(diagnose(textMessages.badCount, span, { ...form, found: what }, edits));
  p.pos = end;
  p.lastEnd = end;
  return { kind: "Bad", span };
}

/** Where what stands for a count ends: before the closer if only commas come between. */
function countEnd(p: ParserState, start: number): number {
  let end = Math.max(start, stretchEnd(p.text, start));
  for (;;) {
    const comma = p.skip(end, true);
    if (p.text[comma] !== ",") return end;
    const next = p.skip(comma + 1, true);
    const item = stretchEnd(p.text, next);
    if (item <= next) return end;
    end = item;
  }
}

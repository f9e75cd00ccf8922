import { clip } from "../../base/text.ts";
import type { Edit, Offer } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import type { Path } from "../grammar/ast-values.ts";
import { freeName } from "../grammar/free-name.ts";
import { functionCalled, isOfAll } from "../grammar/functions.ts";
import { matchAt } from "../grammar/limits.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { quoteText } from "../grammar/strings.ts";
import { stretchEnd } from "./extent.ts";
import { failHere } from "./failures.ts";
import { joinedForm } from "./joined.ts";
import { isName } from "./value-run.ts";

const VALUE = String.raw`(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z0-9_.:@/+-]+)`;
const JOIN = String.raw`(?:\s+(?:or|and)\s+|\s*(?:\|\||&&)\s*)`;
const JOINED = new RegExp(`${VALUE}(?:${JOIN}${VALUE})+(?=\\s*(?:[,}\\n]|$))`, "iy");
const ONE_VALUE = new RegExp(VALUE, "y");
const ONE_JOIN = new RegExp(JOIN, "iy");

/**
 * Fails at `state=lost || moored`: one column and several values, as other languages join them. Words that
 * words join may be one text in need of quotes (LANG-007).
 */
export function failJoinedValues(p: ParserState, path: Path, op: string): void {
  const start = p.skip(p.pos, true);
  const raw = matchAt(JOINED, p.text, start)?.[0];
  if (raw === undefined) return;
  const { values, joins } = split(raw);
  const all = joins.map(({ word }) => (/^(?:or|\|\|)$/i.test(word) ? "or" : "and"));
  const column = p.text.slice(path.span.start, path.span.end);
  const listed = op === "=" && !all.includes("and");
  const form = listed
    ? `${column} in [${values.join(", ")}]`
    : joinedForm(values.map((value, at) => `${column}${op}${value} ${all[at] ?? ""}`).join(" "));
  const [first] = joins;
  if (form === null || first === undefined) return;
  const end = start + raw.length;
  const words = joins.every(({ word }) => /\w/.test(word)) && !/["']/.test(raw);
  if (words && all.includes("and")) return;
  if (words) {
    const args = { quoted: clip(quoteText(raw), 80), form: clip(form, 120) };
    return p.fail(diagnose(textMessages.wordsOr, p.span(start, end), args));
  }
  const at = start + first.at;
  const args = { word: first.word, form: clip(form, 120) };
  const edits = [{ span: { start: path.span.start, end }, replacement: form }];
  p.fail(diagnose(syntaxMessages.joinedValues, p.span(at, at + first.word.length), args, edits));
}

interface Joined {
  readonly values: readonly string[];
  readonly joins: readonly { readonly word: string; readonly at: number }[];
}

function split(raw: string): Joined {
  const values: string[] = [];
  const joins: { word: string; at: number }[] = [];
  for (let at = 0; at < raw.length;) {
    const value = matchAt(ONE_VALUE, raw, at)?.[0] ?? raw.slice(at);
    values.push(value);
    at += value.length;
    const join = matchAt(ONE_JOIN, raw, at)?.[0] ?? "";
    const word = join.trim();
    if (word !== "") joins.push({ word, at: at + join.indexOf(word) });
    at += join.length;
  }
  return { values, joins };
}

const KEY_RUN = /[A-Za-z0-9_.@/+-]+/y;

/** Fails where the key of an object, which began at `start`, has no colon behind it. */
export function failWithoutColon(p: ParserState, start: number): void {
  const sign = p.peek("name");
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  if (sign.start === p.lastEnd && start + raw.length > p.lastEnd) return failHyphenKey(p, start);
  if (sign.type === "sign" && (sign.text === "=" || sign.text === "=>")) {
    const span = p.span(sign.start, sign.end);
    const gap = { start: p.lastEnd, end: p.skip(sign.end, true) };
    const edits = [{ span: gap, replacement: ": " }];
    const args = { form: `${p.text.slice(start, p.lastEnd)}: …` };
    return p.fail(diagnose(syntaxMessages.equalsNotColon, span, args, edits));
  }
  const key = p.text.slice(start, p.lastEnd);
  const alone = sign.type === "sign" && (sign.text === "," || sign.text === "}");
  if (alone && p.bodyRows !== null && isName(key)) return failShortKey(p, start, key);
  failHere(p, { what: "a colon and a value", example: "{a: 1, b: 2}" });
}

const SHORT_KEY = /([A-Za-z_]\w*)(?=\s*[,}])/y;

/** `=> {id, name}`: in a body a key alone means the column of that name; all of them are mended at once. */
function failShortKey(p: ParserState, start: number, key: string): void {
  const edits: Edit[] = [];
  for (let at = start; ;) {
    const short = matchAt(SHORT_KEY, p.text, at)?.[0];
    if (short !== undefined) {
      const span = { start: at, end: at + short.length };
      edits.push({ span, replacement: `${short}: _.${short}` });
    }
    const comma = p.skip(stretchEnd(p.text, at), true);
    if (p.text[comma] !== ",") break;
    at = p.skip(comma + 1, true);
  }
  const form = clip(edits.map(({ replacement }) => replacement).join(", "), 120);
  const span = p.span(start, start + key.length);
  p.fail(diagnose(syntaxMessages.shortKey, span, { key, form }, edits));
}

/** Fails at a key with hyphens, which needs quotes. */
export function failHyphenKey(p: ParserState, start: number): void {
  const raw = matchAt(KEY_RUN, p.text, start)?.[0] ?? "";
  const span = p.span(start, start + raw.length);
  const edits = [{ span, replacement: quoteText(raw) }];
  p.fail(diagnose(syntaxMessages.hyphenKey, span, { form: `${quoteText(raw)}: …` }, edits));
}

const CALL = /\.\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\(/y;

/**
 * Fails where a value that begins at `start` is a query or has a step at `at`: what is read inside a
 * value must be bound first (LANG-007). A call on a constructor is `effect_in_value` (LANG-071).
 */
export function failInsideValue(
  p: ParserState,
  start: number,
  at: number,
  onConstructor: boolean,
): void {
  const call = onConstructor ? matchAt(CALL, p.text, at)?.[1] : undefined;
  const end = stretchEnd(p.text, start);
  const raw = p.text.slice(start, end);
  const label = freeName(p, "found");
  const ofRow = p.bodyRows !== null && /(?<!\w)_\b/.test(raw);
  const binding = ofRow ? `${p.bodyRows ?? ""} => ${raw}` : raw;
  const form = `${label} = ${clip(binding, 120)}`;
  const program = `${p.text.slice(0, p.statementStart)}${label} = ${binding}\n${label}`;
  if (call !== undefined) {
    const entry = ofRow ? textMessages.effectInRow : textMessages.effectInValue;
    const found = diagnose(entry, p.span(at, end), { call, form, label });
    const { correction: instead } = diagnose(textMessages.effectBefore, p.span(at, end), { call });
    const offers = [{ program, correction: found.correction }];
    return p.fail(Object.assign(found, { instead, offers }));
  }
  if (ofRow) {
    const found = diagnose(syntaxMessages.insideRow, p.span(start, end), {});
    const offers = [...offersOfTotals(p, raw, start, end), ...offersPerRow(p, raw, label)];
    return p.fail({ ...found, offers });
  }
  const edits = bindFirst(p, label, start, end);
  const found = diagnose(syntaxMessages.insideValue, p.span(start, end), { form, label }, edits);
  const { correction } = diagnose(syntaxMessages.valueHere, p.span(start, end), { form, label });
  const { correction: instead } = diagnose(syntaxMessages.valueBefore, p.span(start, end), {});
  const offers = [...offersOfCells(p, start, end, label), { program, correction }];
  p.fail(Object.assign(found, { instead, offers }));
}

/** A read of one row with a field of it, and perhaps a function as a method: `Page(5).body.replace("a", "b")`. */
const CELL_OF_READ =
  /^([A-Za-z_]\w*\([^()]*\))\s*\.\s*([A-Za-z_][\w.]*?)(?:\.([A-Za-z_]\w*)\s*\((.*)\))?$/s;
/** A field of the row that a method changes, in its own arguments: `Page(5).update(body=body.replace("a", "b"))`. */
const CELL_OF_TARGET = /^([A-Za-z_]\w*)\.([A-Za-z_]\w*)\s*\((.*)\)$/s;
const TARGET = /^(\s*(?:[A-Za-z_]\w*\s*=\s*)?)([A-Za-z_]\w*\([^()]*\))\s*\./;

/** The row on a line above, and its field as a function takes it (LANG-056). */
function offersOfCells(
  p: ParserState,
  start: number,
  end: number,
  label: string,
): readonly Offer[] {
  const raw = p.text.slice(start, end);
  if (raw.length > 2_000) return [];
  const before = p.text.slice(p.statementStart, start);
  const [, row, cell = "", method, args = ""] = CELL_OF_READ.exec(raw) ?? [];
  const [, field = "", call, others = ""] = CELL_OF_TARGET.exec(raw) ?? [];
  const [target, bound = "", own] = TARGET.exec(before) ?? [];
  const value =
    row === undefined
      ? edit(`${label}.${field}`, call, others)
      : edit(`${label}.${cell}`, method, args);
  const read = row ?? own;
  if (value === null || read === undefined) return [];
  // The effect is called on the row that is read, where it is the same.
  const isSame = own === read && target !== undefined;
  const rest = isSame ? `${bound}${label}.${before.slice(target.length)}` : before;
  const line = `${label} = ${read}`;
  return [
    {
      program: `${p.text.slice(0, p.statementStart)}${line}\n${rest}${value}${p.text.slice(end)}`,
      correction: `read the row on a line above, ${clip(line, 120)}, and write ${clip(value, 120)} here`,
    },
  ];
}

/** A cell, or what a function makes of it; null where the method is no function. */
function edit(cell: string, method: string | undefined, args: string): string | null {
  if (method === undefined) return cell;
  const name = functionCalled(method);
  if (name === null) return null;
  const rest = args.trim() === "" ? "" : `, ${args}`;
  return `${name}(${cell}${rest}${isOfAll(method) ? ", all" : ""})`;
}

/** Related rows and what other languages ask of them: `_.orders{state=open}.aggregate(n=sum(total)).n`, `_.orders.count()`. */
const OF_RELATED =
  /^(_\.[A-Za-z_]\w*(?:\s*\{[^{}]*\})?)\s*(?:\.\s*aggregate\(\s*(?:\w+\s*=\s*)?(count|sum|avg|min|max)(?:\(\s*([\w.]+)\s*\))?\s*\)(?:\s*\.\s*\w+)?|\.\s*(?:count|length|size|len)\(\s*\)|)$/;

/** What a function says of related rows, where they stand as rows with steps (LANG-055). */
function offersOfTotals(p: ParserState, raw: string, start: number, end: number): readonly Offer[] {
  const [, rows, fn = "count", column] = OF_RELATED.exec(raw) ?? [];
  if (rows === undefined) return [];
  const form = `${fn}(${rows.trim()}${column === undefined ? "" : `.${column}`})`;
  const program = p.text.slice(0, start) + form + p.text.slice(end);
  return [{ program, correction: `write ${clip(form, 120)}` }];
}

/** The field behind a read of one value: `E{a=_.a}.id`. */
const LAST_FIELD = /\.\s*[A-Za-z_]\w*\s*$/;
const EQUALS_CELL = /(?<![\w.])([A-Za-z_][\w.]*)\s*=\s*_\.([A-Za-z_]\w*)/g;

/**
 * What reads other rows for each row: a read per row, or one read of all whose column is among the rows' own.
 * Whether it can be planned depends on what the lists of the session take.
 */
function offersPerRow(p: ParserState, raw: string, label: string): readonly Offer[] {
  const before = p.text.slice(0, p.statementStart);
  const rows = p.bodyRows ?? "";
  const isLabel = /^[A-Za-z_]\w*$/.test(rows) && p.labels.has(rows);
  const source = isLabel ? rows : freeName(p, "rows");
  const bound = isLabel ? "" : `${source} = ${rows}\n`;
  const read = raw.replace(LAST_FIELD, "");
  const among = read.replaceAll(EQUALS_CELL, `$1 in ${source}.$2`);
  const once = /(?<!\w)_\b/.test(among) ? [] : [`${bound}${label} = ${among}`];
  return [raw, read]
    .map((each) => `${label} = ${rows} => ${each}`)
    .concat(once)
    .map((form) => ({
      program: `${before}${form}\n${label}`,
      correction: `bind it on a line of its own: ${clip(form.replaceAll("\n", ", then "), 160)}; its rows are ${label}`,
    }));
}

/** Binds the text of a value on a line of its own, unless it speaks of the row at hand. */
function bindFirst(
  p: ParserState,
  label: string,
  start: number,
  end: number,
): readonly Edit[] | undefined {
  const raw = p.text.slice(start, end);
  if (/(?<!\w)_\b/.test(raw)) return undefined;
  const before = { start: p.statementStart, end: p.statementStart };
  return [
    { span: before, replacement: `${label} = ${raw}\n` },
    { span: { start, end }, replacement: label },
  ];
}

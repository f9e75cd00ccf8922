import type { Edit, Offer } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import { functionCalled, isOfAll } from "../grammar/functions.ts";
import { freeName } from "../grammar/free-name.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { matchAt } from "../grammar/limits.ts";
import { stretchEnd } from "./extent.ts";

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

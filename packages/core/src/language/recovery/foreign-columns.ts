import type { Edit } from "../../diagnostics/diagnostic.ts";
import { clip } from "../../base/text.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { lineEnd, matchAt } from "../grammar/limits.ts";
import type { NameToken } from "../grammar/lexer.ts";
import type { ParserState } from "../grammar/parser-state.ts";

/** `boss=owner.name` or `boss: owner.name`. */
const BEFORE = /^([A-Za-z_]\w*)\s*[=:]\s*/;
/** A column that is renamed or computed, seen behind its first name. */
const MADE = /(?:as\s+[A-Za-z_]|[=:]\s*[A-Za-z_]|[(*/%+]|-\s)/iy;
/** What is computed of columns and numbers alone, so that each name in it is a column or a function. */
const COMPUTED = /^[\w.\s()+*/%-]+$/;

/** Fails at a column of a projection that is given another name or computed: such rows are derived. */
export function failMadeColumn(p: ParserState, at: number): void {
  const open = p.open.at(-1)?.start;
  if (p.dead || open === undefined || p.text[open] !== "[") return;
  if (matchAt(MADE, p.text, at) === null) return;
  const close = p.outline().closerOf.get(open);
  const entries =
    close === undefined || close - open > 2_000
      ? null
      : entriesOf(p.text.slice(open + 1, close).split(","));
  const form = entries === null ? "=> {key: value}" : `=> {${entries.join(", ")}}`;
  const edits = entries === null || close === undefined ? [] : lastStep(p, open, close, form);
  const span = p.span(at, at + 1);
  p.fail(diagnose(syntaxMessages.madeColumn, span, { form: clip(form, 160) }, edits));
}

/** The whole projection as a derivation, where nothing stands behind it: nothing may. */
function lastStep(p: ParserState, start: number, close: number, form: string): readonly Edit[] {
  const rest = p.text.slice(close + 1, lineEnd(p.text, close + 1));
  return rest.trim() === "" ? [{ span: { start, end: close + 1 }, replacement: ` ${form}` }] : [];
}

/** The members of the rows that columns come to; null where one of them cannot be told. */
function entriesOf(items: readonly string[]): readonly string[] | null {
  const entries = items.map((item) => entryOf(item.trim()));
  return entries.every((entry) => entry !== null) ? entries : null;
}

function entryOf(item: string): string | null {
  const before = BEFORE.exec(item);
  const rest = item.slice(before?.[0].length ?? 0);
  const words = rest.split(/\s+/);
  // `owner.name as boss`
  const after = words.at(-2)?.toLowerCase() === "as" ? words.at(-1) : undefined;
  const value = after === undefined ? rest : words.slice(0, -2).join(" ");
  const isWhole = value.split("(").length === value.split(")").length;
  if (!isWhole || !COMPUTED.test(value)) return null;
  const name = before?.[1] ?? after ?? value.replaceAll(/\W+/g, "_").replace(/_$/, "");
  if (!/^[A-Za-z_]\w*$/.test(name)) return null;
  const ofRow = value.replaceAll(/[\w.]+/g, (word, at: number) => {
    const isCalled = value
      .slice(at + word.length)
      .trimStart()
      .startsWith("(");
    return isCalled || !/^[A-Za-z_]/.test(word) ? word : `_.${word}`;
  });
  return `${name}: ${ofRow}`;
}

const SORTS = /^(?:order|order_?by|sort_?by)$/i;
const DIRECTED = /\(\s*[A-Za-z_][\w.]*\s+(?:asc|desc)(?:ending)?\b/iy;

/** Fails at `.order_by(built desc)`: what no method takes is a sort. */
export function failForeignSort(p: ParserState, { text, start, end }: NameToken): void {
  if (!SORTS.test(text) || !p.matches(DIRECTED, p.skip(end, false))) return;
  const span = p.span(start, end);
  const args = { found: `.${text}(…)`, form: ".sort(…)" };
  p.fail(diagnose(syntaxMessages.foreignStep, span, args, [{ span, replacement: "sort" }]));
}

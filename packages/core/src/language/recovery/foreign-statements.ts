import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { clip } from "../../base/text.ts";
import { strangeQuotedEnd } from "../grammar/characters.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { lineEnd, matchAt } from "../grammar/limits.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { type SourceText, spanIn } from "../../base/source.ts";
import type { Program } from "../grammar/ast.ts";
import type { Name } from "../grammar/ast-values.ts";

const SELECT = /select\b(?=\s+(?:\*|distinct\b|count\s*\(|[\w.]+))/iy;
const WRITES: readonly (readonly [RegExp, string])[] = [
  [/delete(?=\s+from\b)/iy, "a row first, then the method⟦: ‹delete›⟧"],
  [/update(?=\s+[A-Za-z_]\w*\s+set\b)/iy, "a row first, then the method⟦: ‹update›⟧"],
  [/insert(?=\s+into\b)/iy, "the entity first, then the method⟦: ‹create›⟧"],
];
const LOOP = /for(?=\s+\w+\s+(?:in|of)\b)/y;
const MARK = /(?:-[ \t]*|[*+][ \t]+|\d+[.)][ \t]+)(?=[A-Za-z_])/y;
const SELECT_FORM =
  "the entity first, conditions in braces, columns in brackets⟦: ‹found›[‹p›, ‹p2›]⟧; a count is .aggregate(n=count) behind it";
const LOOP_FORM =
  "=> for each row, which makes new rows⟦: ‹derive›⟧⟦; or calls a method: ‹each›⟧; conditions choose rows⟦: ‹found›⟧";

/** Fails at a statement that is SQL, a loop, an item of a list, or a program wrapped in text (ERR-006). */
export function failForeignStatement(p: ParserState): void {
  const at = p.peek("name").start;
  failWrapped(p, at);
  if (!p.dead) failMark(p, at);
  if (!p.dead) failWord(p, at, SELECT, `write ${SELECT_FORM}`);
  if (!p.dead) failWord(p, at, LOOP, `write ${LOOP_FORM}`);
  for (const [pattern, form] of WRITES) {
    if (!p.dead) failWord(p, at, pattern, `write ${form}`);
  }
}

function failWord(p: ParserState, at: number, pattern: RegExp, form: string): void {
  const found = matchAt(pattern, p.text, at)?.[0];
  if (found === undefined) return;
  const span = p.span(at, at + found.length);
  p.fail(diagnose(syntaxMessages.foreignStatement, span, { found, form: example(form) }));
}

function failMark(p: ParserState, at: number): void {
  const mark = matchAt(MARK, p.text, at)?.[0];
  if (mark === undefined) return;
  const edits = [{ span: { start: at, end: at + mark.length }, replacement: "" }];
  p.fail(diagnose(syntaxMessages.listMark, p.span(at, at + mark.trimEnd().length), {}, edits));
}

const QUOTED = /(["'])((?:\\.|(?!\1)[^\\\n])*)\1[ \t]*(?=\r?\n|$)/y;
const TICKED = /`([^`\n]+)`[ \t]*(?=\r?\n|$)/y;

/** A program inside quotes, backticks or a JSON object. */
function failWrapped(p: ParserState, at: number): void {
  const end = lineEnd(p.text, at);
  const ticked = matchAt(TICKED, p.text, at)?.[1];
  if (ticked !== undefined) return failInside(p, at, end, "backticks", ticked);
  const quoted = matchAt(QUOTED, p.text, at)?.[2];
  if (quoted !== undefined && isProgram(quoted)) return failInside(p, at, end, "quotes", quoted);
  const curly = strangeQuotedEnd(p.text, at);
  if (curly !== null && p.text.slice(curly, end).trim() === "") {
    const inner = p.text.slice(at + 1, curly - 1);
    if (isProgram(inner)) return failInside(p, at, end, "quotes", inner);
  }
  if (p.text[at] === "{" || p.text[at] === "[") failJson(p, at);
}

/** A JSON object or array that holds text: a program in it, or one meant by it. */
function failJson(p: ParserState, at: number): void {
  const close = p.outline().closerOf.get(at);
  const text = close === undefined ? "" : p.text.slice(at, close + 1);
  const value = text.includes('"') ? parsedJson(text) : null;
  if (close === undefined || value === null || typeof value !== "object") return;
  const program = programIn(value);
  if (program !== null) return failInside(p, at, close + 1, "JSON", program);
  const span = p.span(at, Math.min(close + 1, lineEnd(p.text, at)));
  p.fail(diagnose(syntaxMessages.jsonStatement, span, {}));
}

/** Whether text reads like a statement: a name, and a step, key or conditions behind it. */
function isProgram(text: string): boolean {
  return /^[A-Za-z_]\w*\s*[.([{~=]/.test(text);
}

/** The program in a JSON object: what `program` holds, or the first text that reads like one; else null. */
function programIn(value: object): string | null {
  if ("program" in value && typeof value.program === "string") return value.program;
  const held: unknown = Object.values(value).find(
    (item) => typeof item === "string" && isProgram(item),
  );
  return typeof held === "string" ? held : null;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failInside(
  p: ParserState,
  start: number,
  end: number,
  what: string,
  program: string,
): void {
  const edits: readonly Edit[] = [{ span: { start, end }, replacement: program }];
  const args = { what, form: clip(program, 120) };
  const shown = p.span(start, Math.min(end, lineEnd(p.text, start)));
  const found = diagnose(syntaxMessages.wrappedProgram, shown, args, edits);
  p.fail(Object.assign(found, { instead: "send its text alone" }));
}

/**
 * The last label of a program that binds only, or null if it has a root, a continuation, something in
 * error, or no statement. If none of its nodes is an effect, it is `no_result` (LANG-012).
 */
export function labelWithoutRoot(program: Program): Name | null {
  let last: Name | null = null;
  for (const statement of program.statements) {
    if (statement.kind !== "Binding" || statement.node.kind === "Bad") return null;
    last = statement.label;
  }
  return last;
}

/** The mistake of a program without root and effect; the fix names its last label as root (LANG-012). */
export function noResult(source: SourceText, label: Name): Diagnostic {
  const end = source.text.length;
  const separator = source.text.endsWith("\n") ? "" : "\n";
  const edits = [{ span: { start: end, end }, replacement: separator + label.text }];
  return diagnose(textMessages.noResult, spanIn(source, end, end), { label: label.text }, edits);
}

import type { Diagnostic, ProgramError } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { type SourceText, sourceText, spanIn } from "../../base/source.ts";
import { clip, utf8Length, utf8Prefix } from "../../base/text.ts";
import type { Program, Statement } from "./ast.ts";
import { failAfterNode } from "../recovery/statement.ts";
import { matchAt, MAX_BYTES, MAX_STATEMENTS, nextLine } from "./limits.ts";
import { nextStatement } from "../recovery/extent.ts";
import { parsePreds } from "./parse-conditions.ts";
import { ParserState } from "./parser-state.ts";
import { parseStatement } from "./parse-statement.ts";
import { reportErrors } from "../../diagnostics/report.ts";
import { mends, type Suggestion } from "../../diagnostics/suggestion.ts";
import { codePointName } from "./characters.ts";
import type { Reporting } from "../recovery/lexical.ts";

/** A text as read: its tree, and every mistake of text and syntax by place. */
export interface ParsedProgram {
  readonly source: SourceText;
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** how many mistakes there are beyond those, which are the first thousand */
  readonly more: number;
  /** How many characters were looked at, proportional to the length of the text (LANG-001). */
  readonly steps: number;
}

/** Reads any text, in linear time, to a tree and positioned mistakes (LANG-001, LANG-003). */
export function parse(text: string): ParsedProgram {
  const source = sourceText(text);
  const bytes = utf8Length(text);
  if (bytes > MAX_BYTES) return refuse(source, bytes);
  const p = new ParserState(source, text, parsePreds);
  p.text = withoutForbiddenUnits(p);
  const statements = parseStatements(p);
  checkWhole(p, statements);
  const program: Program = { kind: "Program", statements, span: spanIn(source, 0, text.length) };
  const { diagnostics } = p;
  return {
    source,
    program,
    diagnostics: diagnostics.sorted(),
    more: diagnostics.more,
    steps: p.steps,
  };
}

function refuse(source: SourceText, bytes: number): ParsedProgram {
  const start = utf8Prefix(source.text, MAX_BYTES).length;
  const args = { what: "The program", limit: `${MAX_BYTES} bytes`, actual: bytes };
  const span = spanIn(source, start, source.text.length);
  const program: Program = {
    kind: "Program",
    statements: [],
    span: spanIn(source, 0, source.text.length),
  };
  return {
    source,
    program,
    diagnostics: [diagnose(textMessages.tooLarge, span, args)],
    more: 0,
    steps: bytes,
  };
}

function parseStatements(p: ParserState): readonly Statement[] {
  const statements: Statement[] = [];
  let at = p.text.startsWith("\ufeff") ? 1 : 0;
  for (;;) {
    at = skipFence(p, p.skip(at, true));
    if (at >= p.text.length) return statements;
    if (statements.length === MAX_STATEMENTS) return [...statements, tooMany(p, at)];
    p.restart(at);
    const first = p.peek("name");
    if (first.type === "end") return statements;
    if (first.type === "newline") {
      at = first.end;
      continue;
    }
    statements.push(parseStatement(p));
    at = endStatement(p, at);
  }
}

/** Goes to where the next statement begins: behind the line end, or behind what is in error (ERR-004). */
function endStatement(p: ParserState, start: number): number {
  if (p.splitHere) {
    p.splitHere = false;
    return p.pos;
  }
  const token = p.peek("name");
  if (!p.dead && token.type === "newline") return token.end;
  if (!p.dead && token.type === "end") return p.text.length;
  if (!p.dead)
    failAfterNode(p, { statement: start, start, label: null, kind: "node", alone: false });
  return Math.max(p.pos, nextStatement(p.text, p.outline(), start, p.pos));
}

/** What stands for the statements that are not read: none of them is missed for not being there. */
function tooMany(p: ParserState, at: number): Statement {
  const rest = p.outline().statementStarts.filter((start) => start > at).length;
  const args = {
    what: "The program",
    limit: `${MAX_STATEMENTS} statements`,
    actual: MAX_STATEMENTS + 1 + rest,
  };
  p.restart(at);
  const span = p.span(at, p.text.length);
  p.report(diagnose(textMessages.tooLarge, span, args));
  return { kind: "Roots", nodes: [{ kind: "Bad", span }], span };
}

/** What only the whole program shows: no statement at all, or a continuation among others. */
function checkWhole(p: ParserState, statements: readonly Statement[]): void {
  p.dead = false;
  if (statements.length === 0 && p.diagnostics.size === 0) {
    const end = p.text.length;
    p.report(diagnose(textMessages.emptyProgram, p.span(end, end), {}));
  }
  if (statements.length < 2) return;
  for (const statement of statements) {
    if (statement.kind !== "Continuation") continue;
    const continuation = clip(p.text.slice(statement.span.start, statement.span.end), 120);
    p.report(diagnose(textMessages.notAlone, statement.span, { op: statement.op, continuation }));
  }
}

/** A tree, and the errors to show of its text; `more` counts those beyond the first ten (ERR-004). */
interface ProgramParse {
  readonly program: Program;
  readonly errors: readonly ProgramError[];
  readonly more: number;
}

/**
 * Reads a program and shows its mistakes of text and syntax; suggestions are read again as text
 * (ERR-008). Never throws. Who checks names, too, starts from `parse` and reports all mistakes at once.
 */
export function parseProgram(text: string): ProgramParse {
  const { source, program, diagnostics, more } = parse(text);
  const report = reportErrors(source, diagnostics, mendsText);
  return { program, errors: report.errors, more: report.more + more };
}

/** Whether a suggested program has no mistake of text or syntax that was not there before. */
function mendsText(suggestion: Suggestion): boolean {
  return mends(suggestion, parse(suggestion.program).diagnostics);
}

const BLANKS = /[ \t]*/y;
const FENCE = /(?:`{3,}|~{3,})/y;

/**
 * Skips a line that opens or closes a code fence where a statement may begin, and reports the first one;
 * the rest of the program is read as if it stood alone.
 */
function skipFence(p: ParserState, from: number): number {
  let at = from;
  for (;;) {
    const sign = matchAt(FENCE, p.text, at)?.[0];
    if (sign === undefined) return at;
    const end = nextLine(p.text, at);
    if (!p.fenced) reportFence(p, at, sign, end);
    p.fenced = true;
    at = p.skip(end, true);
  }
}

function reportFence(p: ParserState, start: number, sign: string, end: number): void {
  const edits = [{ span: { start, end }, replacement: "" }];
  const close = closingLine(p.text, end, sign);
  if (close !== null) {
    edits.push({ span: { start: close, end: nextLine(p.text, close) }, replacement: "" });
  }
  const args = { sign: clip(sign, 20) };
  p.restart(start);
  p.report(diagnose(textMessages.fence, p.span(start, start + sign.length), args, edits));
}

/** Where the line begins that closes a fence, or null if none does. */
function closingLine(text: string, from: number, sign: string): number | null {
  for (let at = from; at < text.length; at = nextLine(text, at)) {
    if (text.startsWith(sign, at + (matchAt(BLANKS, text, at)?.[0].length ?? 0))) return at;
  }
  return null;
}

/** NUL, and halves of surrogate pairs, which are no Unicode text. */
const FORBIDDEN = /\0+|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Reports units that may stand nowhere, strings and comments included (LANG-002), and answers the text
 * with blanks in their place, so that offsets stay.
 */
function withoutForbiddenUnits(p: Reporting): string {
  return p.text.replace(FORBIDDEN, (units: string, start: number) => {
    const span = p.span(start, start + units.length);
    const args = { point: codePointName(units, 0) };
    p.report(diagnose(textMessages.forbiddenUnit, span, args, [{ span, replacement: "" }]));
    return " ".repeat(units.length);
  });
}

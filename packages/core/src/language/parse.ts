import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { SourceText } from "../source/source-text.ts";
import { sourceText, spanIn } from "../source/source-text.ts";
import { clip } from "../text/clip.ts";
import { utf8Length } from "../text/utf8-length.ts";
import { utf8Prefix } from "../text/utf8-prefix.ts";
import type { Program, Statement } from "./ast.ts";
import { failAfterNode } from "./after-node.ts";
import { skipFence } from "./fence.ts";
import { withoutForbiddenUnits } from "./forbidden-units.ts";
import { MAX_BYTES, MAX_STATEMENTS } from "./limits.ts";
import { nextStatement } from "./outline.ts";
import { ParserState } from "./parser-state.ts";
import { parseStatement } from "./parse-statement.ts";

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
  const p = new ParserState(source, text);
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

import { type Diagnostic, DiagnosticCollector } from "../../diagnostics/diagnostic.ts";
import { type SourceText, spanIn } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import { type HeredocLines, indexHeredocLines } from "./strings.ts";
import type { And } from "./ast-values.ts";
import { readToken, type Token, type TokenMode } from "./lexer.ts";
import {
  isLineSeparator,
  reportLineBegin,
  reportLineEnd,
  reportSemicolonItem,
  skipOddity,
  skipSemicolon,
} from "../recovery/lexical.ts";
import { type Outline, outline } from "../recovery/extent.ts";
import { lineEnd, matchAt, MAX_OPERATORS, newlineAt, skipBlanks } from "./limits.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";

export type OpeningSign = "(" | "[" | "{";

/** A bracket that is open where the parser stands. */
export interface OpenBracket {
  readonly sign: OpeningSign;
  readonly start: number;
}

/**
 * Where the parser stands in one text. Once a statement is `dead`, every token is the end and nothing
 * more is reported, so that parse functions run out by themselves (ERR-004, ERR-005).
 */
export class ParserState {
  readonly source: SourceText;
  /** Reads `{pred, …}` inside a value: values stand in conditions, and conditions in values. */
  readonly conditions: (p: ParserState) => And;
  /** The text that is read: as sent, but for units that may stand nowhere, which are blanks here. */
  text: string;
  readonly diagnostics = new DiagnosticCollector();
  /** Labels bound on earlier lines, those of faulty bindings included. */
  readonly labels = new Set<string>();
  readonly open: OpenBracket[] = [];
  /** Where the statement at hand begins. */
  statementStart = 0;
  /** The text of the rows before `=>` while its body is read. */
  bodyRows: string | null = null;
  pos = 0;
  /** Where the last token taken ends. */
  lastEnd = 0;
  dead = false;
  /** Whether the text at `pos` is to be read as a new statement, though no line ends here. */
  splitHere = false;
  /** Where a line was joined to the one above, in error. */
  joinedAt = -1;
  /** Whether a code fence around the program has been reported. */
  fenced = false;
  /** Operators of the statement at hand so far. */
  operators = 0;
  /** How many characters were looked at: the measure of LANG-001's linear time. */
  steps = 0;

  #cached: { pos: number; mode: TokenMode; depth: number; token: Token } | null = null;
  #comments = { start: 0, end: 0 };
  #heredocLines: HeredocLines | null = null;
  #outline: Outline | null = null;

  constructor(source: SourceText, text: string, conditions: (p: ParserState) => And) {
    this.source = source;
    this.conditions = conditions;
    this.text = text;
  }

  /** The next token, read as `mode` says; inside brackets line ends are blanks (LANG-005). */
  peek(mode: TokenMode): Token {
    if (this.dead) return { type: "end", start: this.pos, end: this.pos };
    const depth = this.open.length;
    const cached = this.#cached;
    if (cached?.pos === this.pos && cached.mode === mode && cached.depth === depth)
      return cached.token;
    const token = this.#read(mode);
    this.#cached = { pos: this.pos, mode, depth, token };
    return token;
  }

  /** Goes behind a token. */
  take(token: Token): void {
    this.pos = token.end;
    this.lastEnd = token.end;
  }

  /** Whether the next token is this sign. */
  at(sign: string): boolean {
    const token = this.peek("name");
    return token.type === "sign" && token.text === sign;
  }

  /** Takes the sign if it is next. */
  takeIf(sign: string): boolean {
    const token = this.peek("name");
    if (token.type !== "sign" || token.text !== sign) return false;
    this.take(token);
    return true;
  }

  span(start: number, end: number): Span {
    return spanIn(this.source, start, end);
  }

  /** The span from `start` to the end of the last token taken. */
  spanFrom(start: number): Span {
    return this.span(start, Math.max(start, this.lastEnd));
  }

  /** Reports a mistake after which the statement can still be read. */
  report(diagnostic: Diagnostic): void {
    if (!this.dead) this.diagnostics.add(diagnostic);
  }

  /** Reports a mistake after which it cannot. */
  fail(diagnostic: Diagnostic): void {
    this.report(diagnostic);
    this.dead = true;
  }

  /** Begins a statement at an offset, whatever became of the last one. */
  restart(at: number): void {
    this.pos = at;
    this.lastEnd = at;
    this.statementStart = at;
    this.bodyRows = null;
    this.dead = false;
    this.open.length = 0;
    this.operators = 0;
    this.#cached = null;
  }

  /** Whether a sticky expression matches at an offset. */
  matches(pattern: RegExp, at: number): boolean {
    return matchAt(pattern, this.text, at) !== null;
  }

  /** Counts an operator that stands at an offset; false, and reported, if the statement has too many (LANG-001). */
  countOperator(at: number): boolean {
    this.operators += 1;
    if (this.operators <= MAX_OPERATORS) return true;
    const args = { what: "The statement", limit: `${MAX_OPERATORS} operators`, actual: "more" };
    this.fail(diagnose(textMessages.tooLarge, this.span(at, at + 1), args));
    return false;
  }

  readonly heredocLines = (): HeredocLines => {
    if (this.#heredocLines === null) {
      this.steps += this.text.length;
      this.#heredocLines = indexHeredocLines(this.text);
    }
    return this.#heredocLines;
  };

  outline(): Outline {
    if (this.#outline === null) {
      this.steps += this.text.length;
      this.#outline = outline(this.text, this.heredocLines);
    }
    return this.#outline;
  }

  closerWithin(start: number, end: number): string | null {
    const open = this.open.at(-1);
    const close = open === undefined ? undefined : this.outline().closerOf.get(open.start);
    if (close === undefined || close < start || close >= end) return null;
    return this.text[close] ?? null;
  }

  /** Skips blanks, comments and, inside brackets, line ends. */
  skip(from: number, lines: boolean): number {
    const at = skipBlanks(this.text, from, lines);
    this.steps += at - from + 1;
    return at;
  }

  #read(mode: TokenMode): Token {
    const inside = this.open.length > 0;
    let from = this.pos;
    for (;;) {
      let at = this.skip(from, inside);
      if (!inside && newlineAt(this.text, at) > 0) {
        const next = this.skip(at, true);
        if (next >= this.text.length) return { type: "end", start: at, end: at };
        if (LINE_CONTINUES_IN_ERROR.includes(this.text[next] ?? "")) {
          const open = /[,=.]$|=>$/.test(this.text.slice(this.lastEnd - 2, this.lastEnd));
          (open ? reportLineEnd : reportLineBegin)(this, this.lastEnd, next);
          this.joinedAt = next;
        } else if (!continues(this.text, this.#behindCommentLines(next))) {
          return { type: "newline", start: at, end: next };
        }
        at = next;
      }
      const token = readToken(this.text, at, mode, this.heredocLines);
      this.steps += token.end - at + 1;
      if (token.type === "strange" && this.text[at] === ";") {
        if (inside) {
          reportSemicolonItem(this, at);
          return { type: "sign", start: at, end: at + 1, text: "," };
        }
        return this.#statementEnd(at, skipSemicolon(this, at));
      }
      const behind = skipOddity(this, token, mode);
      if (behind === null) return token;
      this.steps += behind - at;
      if (this.dead) return { type: "end", start: at, end: at };
      if (!inside && isLineSeparator(this.text, at)) {
        const end = this.#lineEndAt(at, behind);
        if (end !== null) return end;
      }
      from = behind;
    }
  }

  /** A line end of other systems ends a statement, unless the next line continues it. */
  #lineEndAt(start: number, behind: number): Token | null {
    const end = this.skip(behind, true);
    if (end >= this.text.length) return { type: "end", start, end: start };
    return continues(this.text, this.#behindCommentLines(end))
      ? null
      : { type: "newline", start, end };
  }

  /** Behind lines that comment signs of other languages begin: they do not end a statement. */
  #behindCommentLines(from: number): number {
    if (from >= this.#comments.start && from < this.#comments.end) return this.#comments.end;
    let at = from;
    while (matchAt(COMMENT_SIGN, this.text, at) !== null) {
      at = this.skip(lineEnd(this.text, at), true);
    }
    this.steps += at - from;
    if (at > from) this.#comments = { start: from, end: at };
    return at;
  }

  #statementEnd(start: number, from: number): Token {
    const end = this.skip(from, true);
    return end >= this.text.length ? { type: "end", start, end } : { type: "newline", start, end };
  }
}

/** A line that begins with one of these is joined to the one above, and reported (LANG-005). */
const LINE_CONTINUES_IN_ERROR = ",[{(";

/** What a line begins with that is meant as a comment. */
const COMMENT_SIGN = /#|\/\/|--/y;

/** Whether the text at the first token of a line continues the statement above it (LANG-005), even in error. */
function continues(text: string, at: number): boolean {
  if (LINE_CONTINUES_IN_ERROR.includes(text[at] ?? "\n")) return true;
  return text[at] === "." || text.startsWith("=>", at);
}

import type { TextRange } from "../../source/span.ts";
import type { ReportProblem } from "../template-problem.ts";
import type { Expression, NewExpression } from "../tree.ts";
import { describeToken, type TagSegment, type Token } from "./token.ts";

/** How deep expressions and blocks nest at most, so that no text can exhaust the stack. */
export const MAX_DEPTH = 100;

/** Reads a whole expression. Handed in, since expressions and their operands contain each other. */
type ParseExpression = (tag: TagReader) => Expression;

/**
 * Where the parser stands in one tag. After its first problem every token is the end and nothing more
 * is reported, so that parse functions run out by themselves; what they return then is not used.
 */
export class TagReader {
  /** How many loops the tag stands in. */
  readonly loops: number;
  readonly #tokens: readonly Token[];
  readonly #last: Token;
  readonly #report: ReportProblem;
  readonly #parse: ParseExpression;
  #at = 0;
  #nesting = 0;
  #failed: boolean;

  constructor(tag: TagSegment, loops: number, report: ReportProblem, parse: ParseExpression) {
    this.loops = loops;
    this.#parse = parse;
    this.#tokens = tag.tokens;
    this.#last = tag.tokens.at(-1) ?? { kind: "end", text: "", start: tag.start, end: tag.end };
    this.#report = report;
    this.#failed = tag.faulty;
  }

  /** The token at hand, or one further on. */
  peek(ahead = 0): Token {
    return this.#failed ? this.#last : (this.#tokens[this.#at + ahead] ?? this.#last);
  }

  take(): Token {
    const token = this.peek();
    if (this.#at < this.#tokens.length - 1) this.#at++;
    return token;
  }

  isSign(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "sign" && token.text === text;
  }

  isWord(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "word" && token.text === text;
  }

  takeSign(text: string): boolean {
    const found = this.isSign(text);
    if (found) this.take();
    return found;
  }

  takeWord(text: string): boolean {
    const found = this.isWord(text);
    if (found) this.take();
    return found;
  }

  /** Reports a problem unless the tag has one already. */
  fail(at: TextRange, message: string): void {
    if (!this.#failed) this.#report({ start: at.start, end: at.end }, message);
    this.#failed = true;
  }

  /** Reports that something else belongs here. */
  unexpected(allowed: string): void {
    const token = this.peek();
    this.fail(token, `Found ${describeToken(token)}. Allowed here: ${allowed}.`);
  }

  /** An expression from `start` to the last token taken. */
  made(
    shape: NewExpression,
    start: number,
    parts: readonly Expression[],
    end = this.#tokens[this.#at - 1]?.end ?? start,
  ): Expression {
    const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1;
    if (depth > MAX_DEPTH) this.#failDeep({ start, end });
    return { ...shape, start, end, depth };
  }

  /** A whole expression from here on. */
  expression(): Expression {
    return this.nested(() => this.#parse(this));
  }

  /** Reads something that stands inside another such thing. */
  nested<T>(read: () => T): T {
    this.#nesting++;
    if (this.#nesting > MAX_DEPTH) this.#failDeep(this.peek());
    const result = read();
    this.#nesting--;
    return result;
  }

  #failDeep(at: TextRange): void {
    const allowed = `at most ${MAX_DEPTH} levels; keep a part in a name with {% set %}`;
    this.fail(at, `This expression is too deep. Allowed: ${allowed}.`);
  }
}

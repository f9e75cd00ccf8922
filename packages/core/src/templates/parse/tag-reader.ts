import type { TextRange } from "../../base/span.ts";
import type { TemplateExpression, NewExpression, ReportProblem } from "../tree.ts";

/** How deep expressions and blocks nest at most, so that no text can exhaust the stack. */
export const MAX_TEMPLATE_DEPTH = 100;

/** Reads a whole expression. Handed in, since expressions and their operands contain each other. */
type ParseExpression = (tag: TagReader) => TemplateExpression;

/**
 * Where the parser stands in one tag. After its first problem every token is the end and nothing more
 * is reported, so that parse functions run out by themselves; what they return then is not used.
 */
export class TagReader {
  /** How many loops the tag stands in. */
  readonly loops: number;
  readonly #tokens: readonly TagToken[];
  readonly #last: TagToken;
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
  peek(ahead = 0): TagToken {
    return this.#failed ? this.#last : (this.#tokens[this.#at + ahead] ?? this.#last);
  }

  take(): TagToken {
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
    parts: readonly TemplateExpression[],
    end = this.#tokens[this.#at - 1]?.end ?? start,
  ): TemplateExpression {
    const depth = parts.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1;
    if (depth > MAX_TEMPLATE_DEPTH) this.#failDeep({ start, end });
    return { ...shape, start, end, depth };
  }

  /** A whole expression from here on. */
  expression(): TemplateExpression {
    return this.nested(() => this.#parse(this));
  }

  /** Reads something that stands inside another such thing. */
  nested<T>(read: () => T): T {
    this.#nesting++;
    if (this.#nesting > MAX_TEMPLATE_DEPTH) this.#failDeep(this.peek());
    const result = read();
    this.#nesting--;
    return result;
  }

  #failDeep(at: TextRange): void {
    const allowed = `at most ${MAX_TEMPLATE_DEPTH} levels; keep a part in a name with {% set %}`;
    this.fail(at, `This expression is too deep. Allowed: ${allowed}.`);
  }
}

/** Unicode's White_Space beyond ASCII. */
const WHITE_SPACE: ReadonlySet<number> = new Set([
  0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
  0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
]);

/** Whether the character of one UTF-16 unit is white space (Unicode's White_Space; all are one unit). */
function isWhiteSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return WHITE_SPACE.has(code);
}

/** The first offset from `start` on that is no white space, at most `end`. */
export function skipWhiteSpace(text: string, start: number, end = text.length): number {
  let at = start;
  while (at < end && isWhiteSpace(text, at)) at++;
  return at;
}

/** The end of what stands before the white space at `end`, at least `start`. */
export function cutWhiteSpace(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isWhiteSpace(text, at - 1)) at--;
  return at;
}

/** A unit of what stands inside a tag; the last one of a tag is its end. */
export interface TagToken extends TextRange {
  readonly kind: "word" | "text" | "integer" | "float" | "sign" | "end";
  /** As written; of a text what it says, of the end what closes the tag. */
  readonly text: string;
}

/** What a template consists of; comments are gone, and so is the white space that `-` removes. */
export type TemplateSegment = TextSegment | TagSegment;

interface TextSegment extends TextRange {
  readonly kind: "text";
}

export interface TagSegment extends TextRange {
  readonly kind: "output" | "statement";
  readonly tokens: readonly TagToken[];
  /** Whether a problem was found among the tokens; what follows from it is not told. */
  readonly faulty: boolean;
}

/** How a message names a token. */
export function describeToken(token: TagToken): string {
  switch (token.kind) {
    case "end":
      return "the end of the tag";
    case "text":
      return "a text";
    case "integer":
    case "float":
      return `the number ${token.text}`;
    case "word":
      return token.text;
    case "sign":
      return `"${token.text}"`;
  }
}

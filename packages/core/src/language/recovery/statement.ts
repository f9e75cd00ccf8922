import type { Edit } from "../../diagnostics/diagnostic.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Name } from "../grammar/ast-values.ts";
import { failHere, failHeredoc, found } from "./failures.ts";
import { freeName } from "../grammar/free-name.ts";
import { OPERATORS } from "../grammar/operators.ts";
import type { ParserState } from "../grammar/parser-state.ts";
import { lineEnd, matchAt } from "../grammar/limits.ts";
import type { NameToken, Token } from "../grammar/lexer.ts";
import { joinClause } from "./foreign-joins.ts";
import { joinedForm } from "./joined.ts";
import { scanString } from "../grammar/strings.ts";

/** What stands before text that cannot follow it. */
export interface Before {
  /** Offset at which its statement begins. */
  readonly statement: number;
  /** Offset at which the node begins. */
  readonly start: number;
  /** The label it is bound to, or null for a root. */
  readonly label: Name | null;
  readonly kind: "node" | "map" | "data";
  /** Whether it is the only node of its line. */
  readonly alone: boolean;
}

/**
 * Fails at text after a complete node, which is never ignored (LANG-010); a line joined in error has been
 * reported already.
 */
export function failAfterNode(p: ParserState, before: Before): void {
  const token = p.peek("name");
  if (token.start === p.joinedAt) {
    p.dead = true;
    return;
  }
  switch (token.type) {
    case "bad-heredoc":
      return failHeredoc(p, token);
    case "heredoc":
      return failAfterBody(p, before, token);
    case "name":
      return failWord(p, token);
    case "sign":
      return failSign(p, before, token.text, token);
    case "strange":
      return failHere(p, { what: "the next statement", example: "‹E›.limit(5)" });
    default:
      return failCount(p, token);
  }
}

/** A count behind `.limit` or `.page_size` without parentheses, or any other text. */
function failCount(p: ParserState, token: Token): void {
  const step = /\.\s*(limit|page_size)$/.exec(p.text.slice(Math.max(0, p.lastEnd - 40), p.lastEnd));
  if (step === null || token.type !== "digits") return failText(p, token);
  const edits = [{ span: { start: p.lastEnd, end: token.end }, replacement: `(${token.text})` }];
  const args = { found: found(p, token), form: `.${step[1] ?? ""}(${token.text})` };
  p.fail(diagnose(textMessages.operatorForm, p.span(token.start, token.end), args, edits));
}

function failSign(p: ParserState, before: Before, sign: string, token: Token): void {
  if (sign === "{") {
    const edits = [{ span: { start: p.lastEnd, end: token.start }, replacement: ".filter" }];
    const span = p.span(token.start, token.end);
    return p.fail(diagnose(textMessages.bracesAfterStep, span, {}, edits));
  }
  if (sign === "." || sign === "=>" || sign === "[") return failAfterBody(p, before, token);
  if (/^[)\]}!&|]$/.test(sign)) return failHere(p, { what: "the next statement", example: "‹E›" });
  failText(p, token);
}

/** A step, `=>` or template behind a body, a literal or a template: the rows must be bound first (LANG-071). */
function failAfterBody(p: ParserState, before: Before, token: Token): void {
  const what = { node: "a template", map: "the body of =>", data: "a literal" }[before.kind];
  const label = freeName(p, "found");
  const first = p.text.slice(before.start, p.lastEnd);
  const rest = p.text.slice(token.start, lineEnd(p.text, token.start));
  const next = `${label}${blank(token)}`;
  const shown = { found: found(p, token), what };
  const form = `${label} = ${clip(first, 120)}, then ${next}${clip(rest, 120)}`;
  const span = p.span(token.start, token.type === "heredoc" ? token.start + 2 : token.end);
  const edits = before.alone ? bindFirst(p, before, token, label) : undefined;
  const program = `${p.text.slice(0, before.statement)}${label} = ${first}\n${next}${rest}`;
  const mistake = diagnose(textMessages.afterBody, span, { ...shown, form }, edits);
  const { correction: instead } = diagnose(textMessages.afterBodyBound, span, shown);
  p.fail(
    Object.assign(mistake, { instead, offers: [{ program, correction: mistake.correction }] }),
  );
}

function blank(token: Token): string {
  return token.type === "sign" && token.text !== "=>" ? "" : " ";
}

function bindFirst(p: ParserState, before: Before, token: Token, label: string): readonly Edit[] {
  const own = before.label === null ? "" : `${before.label.text} = `;
  return [
    { span: { start: before.statement, end: before.start }, replacement: `${label} = ` },
    {
      span: { start: p.lastEnd, end: token.start },
      replacement: `\n${own}${label}${blank(token)}`,
    },
  ];
}

/** What words of other languages are as steps. */
const STEP_OF: Readonly<Record<string, string>> = {
  top: ".limit(5)",
  take: ".limit(5)",
  first: ".limit(1)",
  limit: ".limit(5)",
  order: ".sort(‹n›, desc)",
  orderby: ".sort(‹n›, desc)",
  sort: ".sort(‹n›, desc)",
  where: ".filter{‹cond›}",
  filter: ".filter{‹cond›}",
  select: "[‹p›, ‹p2›]",
  project: "[‹p›, ‹p2›]",
  group: ".group_by(‹p›, n=count)",
  groupby: ".group_by(‹p›, n=count)",
  group_by: ".group_by(‹p›, n=count)",
  count: ".aggregate(n=count)",
  aggregate: ".aggregate(n=count)",
  distinct: ".distinct(‹p›)",
  unique: ".distinct(‹p›)",
  page_size: ".page_size(10)",
  singleton: ".singleton()",
  join: ".join(rows, ‹p›=p)",
  inner: ".join(rows, ‹p›=p)",
  left: ".left_join(rows, ‹p›=p)",
};

const A_JOIN = /\s+(?:outer\s+)?join\b/iy;

function failWord(p: ParserState, token: NameToken): void {
  const form = STEP_OF[token.text.toLowerCase()];
  const kindOfJoin = /^(?:inner|left)$/i.test(token.text);
  if (form === undefined || (kindOfJoin && !p.matches(A_JOIN, token.end))) {
    return failOtherWord(p, token);
  }
  const span = p.span(token.start, token.end);
  const end = stepTextEnd(p, token.start);
  const written = p.text.slice(token.start, end);
  const open = p.skip(token.end, false);
  const called = p.text[open] === (token.text === "filter" ? "{" : "(");
  const steps =
    OPERATORS.includes(token.text) && called
      ? operatorForm(p, token.start, open)
      : stepsOfClauses(written);
  const edits =
    steps === null ? undefined : [{ span: { start: p.lastEnd, end }, replacement: steps }];
  const args = { found: token.text, form: steps === null ? example(form) : clip(steps, 120) };
  p.fail(diagnose(textMessages.operatorForm, span, args, edits));
}

/** Where the clauses that begin at an offset end: before a comma outside brackets that begins another root. */
function stepTextEnd(p: ParserState, start: number): number {
  const end = lineEnd(p.text, start);
  const comment = p.text.slice(start, end).search(/;/);
  const until = comment < 0 ? end : start + comment;
  return start + p.text.slice(start, until).trimEnd().length;
}

/** `limit(5).sort(name)` behind a node: only its dot is missing; null if its bracket is not closed. */
function operatorForm(p: ParserState, start: number, open: number): string | null {
  const end = stepTextEnd(p, start);
  const close = p.outline().closerOf.get(open);
  return close === undefined || close >= end ? null : `.${p.text.slice(start, end)}`;
}

/** A word that names no step: the next statement, if it reads like one. */
function failOtherWord(p: ParserState, token: NameToken): void {
  const line = [{ span: { start: p.lastEnd, end: token.start }, replacement: "\n" }];
  const behind = p.skip(token.end, false);
  const next = p.text[behind];
  const statement = next !== undefined && "=({[.~".includes(next);
  const span = p.span(token.start, token.end);
  const args = { found: token.text };
  const problem = diagnose(textMessages.textAfterNode, span, args, statement ? line : undefined);
  if (next !== "=" || /[=>]/.test(p.text[behind + 1] ?? "")) return p.fail(problem);
  // A binding is read as the statement it was meant to be, so that its label is known below.
  p.report(problem);
  p.splitHere = true;
}

function failText(p: ParserState, token: Token): void {
  const args = { found: found(p, token) };
  p.fail(diagnose(textMessages.textAfterNode, p.span(token.start, token.end), args));
}

/** The words by which clauses of other languages begin, and the step each one is. */
const CLAUSE =
  /(?:(order\s*by|sort(?:\s+by)?)|(where|filter)|(select|project)|(group\s*by|group_by)|(distinct|unique)|(limit|top|take|first)|(page_size)|(count)|(singleton)|((?:inner\s+|left\s+(?:outer\s+)?)?join))(?![\w.]|\s*[=<>!~])/iy;
const COLUMNS = /^[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*$/;
const KEYS = /^[A-Za-z_][\w.]*(?:\s+(?:asc|desc))?(?:\s*,\s*[A-Za-z_][\w.]*(?:\s+(?:asc|desc))?)*$/;
const COUNT = /^[1-9]\d*$/;

/**
 * The steps that the clauses of a text are, as `where state=lost order by name limit 5`, or null if one of
 * them cannot be told.
 */
function stepsOfClauses(text: string): string | null {
  const starts = clauseStarts(text);
  if (starts[0]?.at !== 0) return null;
  const steps = starts.map(({ end, word, kind }, index) => {
    return stepOf(kind, word, text.slice(end, starts[index + 1]?.at ?? text.length).trim());
  });
  return steps.some((step) => step === null) ? null : steps.join("");
}

interface ClauseStart {
  readonly at: number;
  readonly end: number;
  readonly word: string;
  /** Which group of CLAUSE matched, from 1. */
  readonly kind: number;
}

/** Where clauses begin, outside strings and brackets; in linear time. */
function clauseStarts(text: string): readonly ClauseStart[] {
  const starts: ClauseStart[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      at = Math.max(at + 1, scanString(text, at).end);
      continue;
    }
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    const begins = depth === 0 && /[A-Za-z]/.test(char) && beginsWord(text, at);
    const clause = begins ? matchAt(CLAUSE, text, at) : null;
    if (clause === null) at++;
    else {
      const kind = clause.findIndex((group, index) => index > 0 && group !== undefined);
      starts.push({ at, end: at + clause[0].length, word: clause[0], kind });
      at += clause[0].length;
    }
  }
  return starts;
}

/** Whether a word begins here that is no value of a condition. */
function beginsWord(text: string, at: number): boolean {
  if (/[\w.]/.test(text[at - 1] ?? " ")) return false;
  return !/[=<>!~]\s*$/.test(text.slice(Math.max(0, at - 20), at));
}

/** The step of a clause and what stands behind its word, with or without brackets around it. */
function stepOf(kind: number, word: string, written: string): string | null {
  const rest = /^(?:\((.*)\)|\{(.*)\})$/.exec(written)?.slice(1).join("").trim() ?? written;
  const columns = COLUMNS.test(rest);
  switch (kind) {
    case 1: {
      const keys = rest.replace(/\b(asc|desc)\b/gi, (word) => word.toLowerCase());
      return KEYS.test(keys) ? `.sort(${keys})` : null;
    }
    case 2: {
      const form = rest === "" ? null : joinedForm(rest);
      return form === null ? null : `.filter{${form}}`;
    }
    case 3:
      return columns ? `[${rest}]` : null;
    case 4:
      return columns ? `.group_by(${rest})` : null;
    case 5:
      return columns ? `.distinct(${rest})` : null;
    case 6:
      if (rest === "" && word.toLowerCase() === "first") return ".limit(1)";
      return COUNT.test(rest) ? `.limit(${rest})` : null;
    case 7:
      return COUNT.test(rest) ? `.page_size(${rest})` : null;
    case 8:
      return rest === "" ? ".aggregate(n=count)" : null;
    case 10:
      return joinClause(word, rest);
    default:
      return rest === "" ? ".singleton()" : null;
  }
}

import { clip } from "../../base/text.ts";
import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { syntaxMessages } from "../../diagnostics/syntax-messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { stretchEnd } from "../recovery/extent.ts";
import { type Expectation, failHere, failHeredoc } from "../recovery/failures.ts";
import { failForeignStatement } from "../recovery/foreign-statements.ts";
import { joinNextLine } from "../recovery/line-joins.ts";
import { type Before, failAfterNode } from "../recovery/statement.ts";
import type { Bad, Name, ObjectValue, Value } from "./ast-values.ts";
import type { Binding, Chain, Data, MapNode, ProgramNode, Statement, Template } from "./ast.ts";
import { freeName } from "./free-name.ts";
import { isFunction } from "./functions.ts";
import type { NameToken, Token } from "./lexer.ts";
import { lineEnd, matchAt, newlineAt } from "./limits.ts";
import { isArithmeticAt } from "./operators-ahead.ts";
import { isOperatorAt } from "./operators.ts";
import { isContinuation, parseContinuation } from "./parse-continuation.ts";
import { takeName } from "./parse-names.ts";
import { parseSource } from "./parse-source.ts";
import { parseSteps } from "./parse-steps.ts";
import { parseArgs, parseObject, parseValue } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

const A_BODY: Expectation = {
  what: "an object, or a call per row",
  example: "‹derive›",
};

/** Reads `chain [=> body]`; `expected` says what may stand where no source does. */
function parseNode(p: ParserState, expected: Expectation): ProgramNode {
  const { start } = p.peek("name");
  const chain = parseChain(p, expected);
  if (p.dead) return { kind: "Bad", span: p.spanFrom(start) };
  if (!p.takeIf("=>")) return chain;
  return parseMap(p, chain);
}

function parseChain(p: ParserState, expected: Expectation): Chain {
  const { start } = p.peek("name");
  const source = parseSource(p, expected);
  const steps = parseSteps(p);
  const template = parseTemplate(p);
  const span = p.spanFrom(start);
  return template === null
    ? { kind: "Chain", source, steps, span }
    : { kind: "Chain", source, steps, template, span };
}

function parseTemplate(p: ParserState): Template | null {
  const token = p.peek("name");
  if (token.type === "bad-heredoc") failHeredoc(p, token);
  if (token.type !== "heredoc") return null;
  p.take(token);
  const span = p.span(token.start, token.end);
  return { kind: "Template", tag: token.tag, body: token.body, span };
}

function parseMap(p: ParserState, chain: Chain): MapNode | Bad {
  joinNextLine(p, "‹derive›");
  p.bodyRows = clip(p.text.slice(chain.span.start, chain.span.end), 120);
  const body = p.at("{") ? parseDerived(p) : parseBodyChain(p);
  p.bodyRows = null;
  const span = p.spanFrom(chain.span.start);
  return p.dead ? { kind: "Bad", span } : { kind: "Map", chain, body, span };
}

function parseDerived(p: ParserState): ObjectValue | Bad {
  const object = parseObject(p);
  if (object.entries.length > 0 || p.dead) return object;
  const args = {
    what: "The object after =>",
    inside: example("at least one column⟦, as in ‹derive›⟧"),
  };
  p.report(diagnose(textMessages.emptyList, object.span, args));
  return { kind: "Bad", span: object.span };
}

/** A source and at most one call, no operator (LANG-071). */
function parseBodyChain(p: ParserState): Chain {
  const { start } = p.peek("name");
  const source = parseSource(p, A_BODY);
  const dot = p.peek("name");
  if (dot.type !== "sign" || dot.text !== ".")
    return { kind: "Chain", source, steps: [], span: source.span };
  p.take(dot);
  const token = p.peek("dot");
  const called = token.type === "name" && p.text[p.skip(token.end, false)] === "(";
  if (!called || isOperatorAt(p.text, token)) {
    p.pos = dot.start;
    p.lastEnd = source.span.end;
    return { kind: "Chain", source, steps: [], span: source.span };
  }
  const name = takeName(p, token);
  const args = parseArgs(p);
  const call = { kind: "Call" as const, name, args, span: p.spanFrom(dot.start) };
  return { kind: "Chain", source, steps: [call], span: p.spanFrom(start) };
}

const A_STATEMENT: Expectation = {
  what: "a statement: label = rows, or rows",
  example: "a = ‹found›",
};
const A_NODE: Expectation = {
  what: "rows: a label, an entity, Entity(key), Entity{..} or Entity~text; in a binding also a literal",
  example: "a = ‹row›",
};
const A_ROOT: Expectation = { what: "rows", example: "‹E›.limit(1), ‹E›.limit(5)" };

/** Reads one statement; the parser stands at its first token and afterwards behind its last. */
export function parseStatement(p: ParserState): Statement {
  skipKeyword(p);
  const token = p.peek("name");
  if (token.type === "name" && isContinuation(p, token)) return parseContinuation(p, token);
  if (token.type === "name" && bindsAt(p, token.end)) return parseBinding(p, token);
  failForeignStatement(p);
  if (p.dead) return { kind: "Bad", span: p.span(token.start, token.end) };
  if (token.type !== "name") {
    failNoName(p, token);
    return { kind: "Bad", span: p.span(token.start, token.end) };
  }
  return parseRoots(p, token.start);
}

const BINDS = /=(?![=>])/y;

function bindsAt(p: ParserState, nameEnd: number): boolean {
  return matchAt(BINDS, p.text, p.skip(nameEnd, false)) !== null;
}

/** `return`, `let`, `const`, `var` and `await` before a statement are left out (LANG-021). */
function skipKeyword(p: ParserState): void {
  const token = p.peek("name");
  if (token.type !== "name" || !/^(?:return|let|const|var|await)$/.test(token.text)) return;
  if (bindsAt(p, token.end)) return;
  const next = p.skip(token.end, false);
  // Unlike the others it may be a label, so it is a keyword only before a name.
  if (token.text === "await" && !/[A-Za-z_]/.test(p.text[next] ?? "")) return;
  const span = p.span(token.start, token.end);
  const edits = [{ span: { start: token.start, end: next }, replacement: "" }];
  p.report(diagnose(textMessages.keyword, span, { word: token.text }, edits));
  p.take(token);
  p.statementStart = next;
  if (p.peek("name").type === "newline" || p.peek("name").type === "end") p.dead = true;
}

function parseBinding(p: ParserState, token: NameToken): Binding {
  const statement = token.start;
  const label = takeName(p, token);
  checkLabel(p, label);
  p.takeIf("=");
  joinNextLine(p, `${label.text} = ‹E›`);
  const start = p.peek("binding").start;
  const node = parseBound(p);
  const kind = node.kind === "Map" ? "map" : node.kind === "Data" ? "data" : "node";
  endBinding(p, { statement, start, label, kind, alone: true });
  p.labels.add(label.text);
  const span = p.spanFrom(statement);
  return {
    kind: "Binding",
    label,
    node: p.dead ? { kind: "Bad", span: p.span(start, p.lastEnd) } : node,
    span,
  };
}

/** Whether a comma or other text follows a binding; after a comma the rest is read as a statement. */
function endBinding(p: ParserState, before: Before): void {
  const token = p.peek("name");
  if (token.type === "newline" || token.type === "end") return;
  if (token.type !== "sign" || token.text !== ",") return failAfterNode(p, before);
  const next = p.skip(token.end, false);
  if (before.kind === "data" && failListWithoutBrackets(p, before, token)) return;
  const replacement = newlineAt(p.text, next) > 0 || next === p.text.length ? "" : "\n";
  const edits = [{ span: { start: p.lastEnd, end: next }, replacement }];
  p.report(diagnose(textMessages.commaInBinding, p.span(token.start, token.end), {}, edits));
  p.pos = next;
  p.splitHere = true;
}

const LITERAL = String.raw`(?:"[^"]*"|'[^']*'|-?\d[\w.:-]*)`;
const LITERALS = new RegExp(`^\\s*${LITERAL}(?:\\s*,\\s*${LITERAL})*\\s*(?:;;.*)?$`);

/** `x = 5, 6`: several literals are a list. */
function failListWithoutBrackets(p: ParserState, before: Before, comma: Token): boolean {
  const line = p.text.slice(comma.end, lineEnd(p.text, comma.end));
  if (!LITERALS.test(line)) return false;
  const end = comma.end + (line.split(";;", 1)[0] ?? "").trimEnd().length;
  const raw = p.text.slice(before.start, end);
  const edits = [
    { span: { start: before.start, end: before.start }, replacement: "[" },
    { span: { start: end, end }, replacement: "]" },
  ];
  const args = { form: `${before.label?.text ?? "a"} = [${clip(raw, 80)}]` };
  const span = p.span(comma.start, comma.end);
  p.fail(diagnose(textMessages.literalsInBinding, span, args, edits));
  return true;
}

function parseBound(p: ParserState): ProgramNode | Data {
  const token = p.peek("binding");
  if (token.type === "name" && isCalculation(p, token)) {
    const value = parseValue(p, "columns");
    return { kind: "Data", value, span: value.span };
  }
  if (token.type === "name" && !isLiteralWord(p, token)) return parseNode(p, A_NODE);
  if (token.type === "newline" || token.type === "end" || isNoValue(token)) {
    failHere(p, A_NODE);
    return { kind: "Bad", span: p.span(token.start, token.end) };
  }
  const value = token.type === "name" ? takeLiteral(p, token) : parseValue(p, "data");
  return { kind: "Data", value, span: value.span };
}

function isNoValue(token: Token): boolean {
  return token.type === "sign" && !/^[[{(]$/.test(token.text);
}

const ENDS_CALL = /$|\r?\n|[*%]|[+/-](?![+/>-])|\[\s*(?:-?\d+\s*)?(?::\s*(?:-?\d+\s*)?)?\]/y;
const NAMED_OR_NO_ARGUMENT = /\(\s*(?:\)|[A-Za-z_]\w*\s*=(?!=))/y;

/** Whether the parentheses at an offset are those of a function, and not the key of an entity of its name. */
function isFunctionCall(p: ParserState, open: number): boolean {
  if (p.text[open] !== "(" || p.matches(NAMED_OR_NO_ARGUMENT, open)) return false;
  const close = p.outline().closerOf.get(open);
  if (close === undefined) return false;
  const next = p.skip(close + 1, false);
  return p.matches(ENDS_CALL, next);
}

/** Whether what is bound is computed from cells of labels: `lost.n / whole.n`, `round(lost.n / whole.n, 2)`. */
function isCalculation(p: ParserState, token: NameToken): boolean {
  if (isFunction(token.text)) return isFunctionCall(p, p.skip(token.end, false));
  return p.labels.has(token.text) && isArithmeticAt(p.text, token.start);
}

function isLiteralWord(p: ParserState, token: NameToken): boolean {
  const literal = token.text === "true" || token.text === "false" || token.text === "null";
  return literal && p.text[p.skip(token.end, false)] !== "(";
}

function takeLiteral(p: ParserState, token: NameToken): Value {
  p.take(token);
  const span = p.span(token.start, token.end);
  if (token.text === "null") return { kind: "NullValue", span };
  return { kind: "BoolValue", value: token.text === "true", span };
}

function parseRoots(p: ParserState, start: number): Statement {
  const nodes: ProgramNode[] = [];
  for (;;) {
    const nodeStart = p.peek("name").start;
    const node = parseNode(p, nodes.length === 0 ? A_STATEMENT : A_ROOT);
    const last = p.peek("name");
    const more = last.type === "sign" && last.text === ",";
    if (!more && last.type !== "newline" && last.type !== "end") {
      const kind = node.kind === "Map" ? "map" : "node";
      const label = failAssignment(p, last, node);
      if (label !== null) return failedBinding(p, label);
      failAfterNode(p, {
        statement: start,
        start: nodeStart,
        label: null,
        kind,
        alone: nodes.length === 0,
      });
    }
    nodes.push(
      p.dead ? { kind: "Bad", span: p.span(nodeStart, Math.max(nodeStart, p.lastEnd)) } : node,
    );
    if (!more || p.dead) break;
    p.takeIf(",");
    joinNextLine(p, "‹E›.limit(1), ‹E›.limit(5)");
    if (splitBinding(p) || p.dead) break;
  }
  return { kind: "Roots", nodes, span: p.spanFrom(start) };
}

/** A binding after a comma is reported and read as a statement of its own. */
function splitBinding(p: ParserState): boolean {
  const token = p.peek("name");
  if (token.type !== "name" || !bindsAt(p, token.end)) return false;
  const comma = p.lastEnd;
  const edits = [{ span: { start: comma - 1, end: token.start }, replacement: "\n" }];
  p.report(diagnose(textMessages.bindingAmongRoots, p.span(token.start, token.end), {}, edits));
  p.pos = token.start;
  p.splitHere = true;
  return true;
}

const COLON_BINDING = /:\s*(?=[A-Za-z_"'[{(\d])/y;

/** `a := x`, `a == x` and `a: x` are bindings as other languages write them. */
function failAssignment(p: ParserState, token: Token, node: ProgramNode): Name | null {
  if (p.dead || token.type !== "sign") return null;
  const bare = bareName(node);
  const colon = bare === null ? undefined : matchAt(COLON_BINDING, p.text, token.start)?.[0];
  const sign = p.text.startsWith(":=", token.start) ? ":=" : token.text;
  if (sign !== ":=" && sign !== "==" && colon === undefined) return null;
  const span = p.span(token.start, token.start + sign.length);
  const edit = sign === ":" ? { start: p.lastEnd, end: token.start + (colon?.length ?? 1) } : span;
  const args = { found: sign, form: "label = rows" };
  const edits = [{ span: edit, replacement: sign === ":" ? " = " : "=" }];
  p.fail(diagnose(syntaxMessages.assignment, span, args, edits));
  return bare;
}

/** The name of a node that is a name and nothing else. */
function bareName(node: ProgramNode): Name | null {
  if (node.kind !== "Chain" || node.source.kind !== "NameSource") return null;
  return node.steps.length === 0 && node.template === undefined ? node.source.name : null;
}

/** A binding in error keeps its label, so that later uses of it are no second error (ERR-005). */
function failedBinding(p: ParserState, label: Name): Binding {
  p.labels.add(label.text);
  const { span } = label;
  return { kind: "Binding", label, node: { kind: "Bad", span }, span };
}

const DOLLAR_NAME = /\$\{?([A-Za-z_]\w*)\}?/y;

/** A statement that begins with no name: a label as shells write it, a literal, or anything else. */
function failNoName(p: ParserState, token: Token): void {
  const dollar = matchAt(DOLLAR_NAME, p.text, token.start);
  if (dollar !== null) {
    const name = dollar[1] ?? "";
    const span = p.span(token.start, token.start + dollar[0].length);
    const args = { found: dollar[0], name };
    return p.fail(diagnose(syntaxMessages.dollarLabel, span, args, [{ span, replacement: name }]));
  }
  const end = literalEnd(p, token);
  if (end === null) return failHere(p, A_STATEMENT);
  const raw = p.text.slice(token.start, end);
  const label = freeName(p, "found");
  const span = p.span(token.start, end);
  const whole = end === stretchEnd(p.text, token.start);
  const edits = [{ span, replacement: `${label} = ${raw}\n${label}` }];
  const args = { form: `${label} = ${clip(raw, 80)}`, label };
  p.fail(diagnose(syntaxMessages.literalStatement, span, args, whole ? edits : undefined));
}

const NUMBER = /-?\d+(?:\.\d+)?(?![\w.-])/y;

/** Where the literal ends that begins a statement in error, or null if none does. */
function literalEnd(p: ParserState, token: Token): number | null {
  if (token.type === "string") return token.closed ? token.end : null;
  if (token.type === "sign" && (token.text === "[" || token.text === "{")) {
    const close = p.outline().closerOf.get(token.start);
    return close === undefined ? null : close + 1;
  }
  const number = matchAt(NUMBER, p.text, token.start)?.[0];
  if (number !== undefined) return token.start + number.length;
  const run = p.peek("value");
  return run.type === "run" && /^(?:date|uuid)$/.test(run.kind) ? run.end : null;
}

const RESERVED: ReadonlySet<string> = new Set(
  "_ page wait cancel any all not exists in true false null rows return let const var".split(" "),
);
const SYMBOL = /^[emp][0-9]+$/;

/** Whether a name cannot be a label whatever the session holds (LANG-021). */
export function isReservedLabel(name: string): boolean {
  return RESERVED.has(name) || SYMBOL.test(name);
}

/** Reports a label that is a word of the language or has the form of a symbol. */
function checkLabel(p: ParserState, label: Name): void {
  if (!isReservedLabel(label.text)) return;
  const base = label.text === "_" || label.text === "rows" ? "found" : `${label.text}_rows`;
  const free = freeName(p, base);
  const entry = SYMBOL.test(label.text) ? textMessages.symbolLabel : textMessages.reservedLabel;
  p.report(diagnose(entry, label.span, { label: label.text, free }));
}

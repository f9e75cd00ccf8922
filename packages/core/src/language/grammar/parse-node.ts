import { example } from "../../diagnostics/examples.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { textMessages } from "../../diagnostics/text-messages.ts";
import { clip } from "../../base/text.ts";
import type { Chain, MapNode, ProgramNode, Template } from "./ast.ts";
import type { Bad, ObjectValue } from "./ast-values.ts";
import { type Expectation, failHeredoc } from "../recovery/failures.ts";
import { joinNextLine } from "../recovery/line-joins.ts";
import { isOperatorAt } from "./operators.ts";
import { parseSource } from "./parse-source.ts";
import { parseSteps } from "./parse-steps.ts";
import { takeName } from "./parse-names.ts";
import { parseArgs, parseObject } from "./parse-values.ts";
import type { ParserState } from "./parser-state.ts";

const A_BODY: Expectation = {
  what: "an object, or a call per row",
  example: "‹derive›",
};

/** Reads `chain [=> body]`; `expected` says what may stand where no source does. */
export function parseNode(p: ParserState, expected: Expectation): ProgramNode {
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

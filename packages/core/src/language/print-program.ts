import type {
  Chain,
  Continuation,
  MapNode,
  Program,
  ProgramNode,
  Source,
  Statement,
} from "./ast.ts";
import { printBraces } from "./print-predicates.ts";
import { printStep } from "./print-steps.ts";
import { printArgs, printHeredoc, printObject, printValue } from "./print-values.ts";

/**
 * A program as canonical text, without a newline at its end: reading it gives the same tree but for
 * spans (LANG-015). Throws on a tree that is in error.
 */
export function printProgram(program: Program): string {
  return program.statements.map(printStatement).join("\n");
}

/** One statement as canonical text. */
function printStatement(statement: Statement): string {
  switch (statement.kind) {
    case "Binding": {
      const { label, node } = statement;
      const text = node.kind === "Data" ? printValue(node.value) : printNode(node);
      return `${label.text} = ${text}`;
    }
    case "Roots":
      return statement.nodes.map(printNode).join(", ");
    case "Continuation":
      return printContinuation(statement);
    case "Bad":
      return printValue(statement);
  }
}

/** One node as canonical text. */
function printNode(node: ProgramNode): string {
  switch (node.kind) {
    case "Chain":
      return printChain(node);
    case "Map":
      return printMap(node);
    case "Bad":
      return printValue(node);
  }
}

function printContinuation({ op, handle, limit }: Continuation): string {
  const count = limit === undefined ? "" : `, limit=${printValue(limit)}`;
  return `${op}(${printValue(handle)}${count})`;
}

function printChain(chain: Chain): string {
  const steps = chain.steps.map(printStep).join("");
  const text = printSource(chain.source) + beforeSteps(chain.source, steps) + steps;
  return chain.template === undefined
    ? text
    : `${text} ${printHeredoc(chain.template.tag, chain.template.body)}`;
}

/**
 * What keeps the text of a search and the first step apart: behind the tag of a heredoc only a new line
 * can go on (LANG-005, LANG-008), and a dot behind a word would be part of it (LANG-017).
 */
function beforeSteps(source: Source, steps: string): string {
  if (source.kind !== "SearchSource" || source.pred !== undefined || steps === "") return "";
  if (source.text.kind === "HeredocValue") return "\n";
  return source.text.kind !== "StringValue" && steps.startsWith(".") ? " " : "";
}

function printSource(source: Source): string {
  switch (source.kind) {
    case "NameSource":
      return source.name.text;
    case "KeySource":
      return source.name.text + printArgs(source.args);
    case "BraceSource":
      return source.name.text + printBraces(source.pred);
    case "SearchSource": {
      const pred = source.pred === undefined ? "" : printBraces(source.pred);
      return `${source.name.text}~${printValue(source.text)}${pred}`;
    }
    case "Bad":
      return printValue(source);
  }
}

function printMap({ chain, body }: MapNode): string {
  const rows = printChain(chain);
  const derived = body.kind === "ObjectValue" ? printObject(body) : printNode(body);
  return `${rows}${/\n[A-Za-z_]\w*$/.test(rows) ? "\n" : " "}=> ${derived}`;
}

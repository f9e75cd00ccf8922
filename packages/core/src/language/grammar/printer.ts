import type {
  Agg,
  Chain,
  ColumnSource,
  Continuation,
  MapNode,
  NamedKey,
  Program,
  ProgramNode,
  SortKey,
  Source,
  Statement,
  Step,
} from "./ast.ts";
import type { Path } from "./ast-values.ts";
import {
  printArgs,
  printBraces,
  printHeredoc,
  printObject,
  printPath,
  printValue,
  joinItems,
} from "./print-values.ts";
import { quoteText } from "./strings.ts";
import { runKind } from "../recovery/value-run.ts";
import type { Json } from "../../values/value-type.ts";

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

function printContinuation({ op, handle, limit, effects = [] }: Continuation): string {
  const count = limit === undefined ? "" : `, limit=${printValue(limit)}`;
  const numbers = effects.map((one) => `, ${printValue(one)}`).join("");
  return `${op}(${printValue(handle)}${count}${numbers})`;
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

/** A step as canonical text, its dot or bracket included (LANG-015). */
function printStep(step: Step): string {
  switch (step.kind) {
    case "Filter":
      return `.filter${printBraces(step.pred)}`;
    case "Nav":
      return `.${step.name.text}${step.pred === undefined ? "" : printBraces(step.pred)}`;
    case "Call":
      return `.${step.name.text}${printArgs(step.args)}`;
    case "Limit":
      return step.per === undefined
        ? `.limit(${printValue(step.n)})`
        : `.limit(${printValue(step.n)}, per=${printColumn(step.per)})`;
    case "PageSize":
      return `.page_size(${printValue(step.n)})`;
    case "Singleton":
      return ".singleton()";
    case "Sort":
      return `.sort(${step.keys.map(printSortKey).join(", ")})`;
    case "Aggregate":
      return `.aggregate(${step.aggs.map(printAgg).join(", ")})`;
    case "GroupBy":
      return `.group_by(${[...step.paths.map(printKey), ...step.aggs.map(printAgg)].join(", ")})`;
    case "Distinct":
      return `.distinct(${step.paths.map(printColumn).join(", ")})`;
    case "Join": {
      const pairs = step.pairs.map(
        ({ left, right }) => `${printColumn(left)}=${printColumn(right)}`,
      );
      return `.${step.how}(${joinItems([printSource(step.source), ...pairs])})`;
    }
    case "Project":
      return `[${printPaths(step.paths)}]`;
    case "Bad":
      return printValue(step);
  }
}

function printColumn(column: ColumnSource): string {
  return column.kind === "Path" ? printPath(column) : printValue(column);
}

function printKey(key: ColumnSource | NamedKey): string {
  return key.kind === "NamedKey" ? `${key.name.text}=${printColumn(key.path)}` : printColumn(key);
}

/** A column called asc or desc gets its direction in words, so that it is not read as one (LANG-014). */
function printSortKey(key: SortKey): string {
  const path = printColumn(key.path);
  if (key.desc) return `${path} desc`;
  return path === "asc" || path === "desc" ? `${path} asc` : path;
}

function printAgg(agg: Agg): string {
  const call = agg.path === undefined ? agg.fn : `${agg.fn}(${printColumn(agg.path)})`;
  return agg.name === undefined ? call : `${agg.name.text}=${call}`;
}

function printPaths(paths: readonly Path[]): string {
  return paths.map(printPath).join(", ");
}

const LITERALS = new Set(["true", "false", "null"]);
const INVISIBLE = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * An option as a program writes it: bare where that is one token, else quoted, invisible characters
 * escaped. So a select value never breaks a cell and is never cut (TEACH-13, TEACH-23).
 */
export function optionText(option: string): string {
  return isBare(option) ? option : quoteText(option).replaceAll(INVISIBLE, escaped);
}

/** A wire value as a program writes it: the discriminator of a variant (TEACH-18). */
export function wireText(value: Json): string {
  return typeof value === "string" ? optionText(value) : JSON.stringify(value);
}

function isBare(option: string): boolean {
  if (LITERALS.has(option)) return false;
  const kind = runKind(option);
  return kind === "word" || kind === "number" || kind === "date" || kind === "uuid";
}

function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`;
  }).join("");
}

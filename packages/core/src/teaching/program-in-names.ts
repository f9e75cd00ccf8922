import type { Name, WordValue } from "../language/grammar/ast-values.ts";
import type { Program, Template } from "../language/grammar/ast.ts";
import { parse } from "../language/grammar/parse.ts";
import type { TextRange } from "../base/span.ts";
import type { Exposure } from "../symbols/exposure.ts";
import { isSymbolShaped, resolveSymbol, type SymbolMap } from "../symbols/symbols.ts";
import { type Speller, speller } from "./notation.ts";

/** A stretch of a program, and what stands there instead. */
interface Replacement extends TextRange {
  readonly text: string;
}

/**
 * Returns a program of one session as another session writes it in names (LANG-023): each symbol becomes the name that it
 * stands for, or the other session's symbol where no name reaches it (TEACH-26). A word in the place of a value may
 * be text or a column, and the check alone decides which: callers compare the plans of both programs.
 */
export function programInNames(
  text: string,
  from: Pick<Exposure, "symbols">,
  to: Exposure,
): string {
  const spell = speller("names", to.symbols, to.catalogs);
  const found = replacementsIn(parse(text).program, text, new Spelling(from.symbols, spell));
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: written } of found.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start), written);
    at = end;
  }
  return parts.join("") + text.slice(at);
}

/** Symbols of the session that a program is of, as names. */
class Spelling {
  readonly #symbols: SymbolMap;
  readonly #spell: Speller;

  constructor(symbols: SymbolMap, spell: Speller) {
    this.#symbols = symbols;
    this.#spell = spell;
  }

  /** What a symbol is called; null for whatever is none. `isStep`: it stands behind a dot, as relations do. */
  nameOf(text: string, isStep = false): string | null {
    const found = isSymbolShaped(text) ? resolveSymbol(this.#symbols, text) : null;
    switch (found?.kind) {
      case "entity":
        return this.#spell.entity(found.key);
      case "method":
        return this.#spell.method(found.key);
      case "name":
        return isStep ? this.#spell.step(found.name) : this.#spell.name(found.name);
      case "unallocated":
      case undefined:
        return null;
    }
  }
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** Kinds whose own words are values, so that one which is spelled like a symbol is text. */
const HOLDS_TEXT: ReadonlySet<unknown> = new Set([
  "Compare",
  "Arg",
  "ListValue",
  "SearchSource",
  "Continuation",
  // an entry of an object has no kind
  undefined,
]);

function replacementsIn(program: Program, text: string, spelling: Spelling): Replacement[] {
  const found: Replacement[] = [];
  const put = (start: number, end: number, isStep = false): void => {
    const written = spelling.nameOf(text.slice(start, end), isStep);
    if (written !== null) found.push({ start, end, text: written });
  };
  const open: (readonly [unknown, Tree | null])[] = [[program, null]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, parent] = next;
    if (Array.isArray(node)) {
      for (const item of node) open.push([item, parent]);
      continue;
    }
    if (!isTree(node)) continue;
    const tree = node as unknown as Name | WordValue | Template;
    switch (tree.kind) {
      case "Name":
        if (tree.quoted !== true) put(tree.span.start, tree.span.end, parent?.["kind"] === "Nav");
        break;
      case "WordValue":
        putWord(tree, HOLDS_TEXT.has(parent?.["kind"]), put);
        break;
      case "Template":
        putColumns(tree, text, put);
        break;
      default:
        for (const [key, child] of Object.entries(node))
          if (key !== "span") open.push([child, node]);
    }
  }
  return found;
}

type Put = (start: number, end: number) => void;

/** `_.p3` and `label.p3`: what is behind the first dot are columns. */
function putWord({ raw, span }: WordValue, isText: boolean, put: Put): void {
  let at = span.start;
  for (const [n, segment] of raw.split(".").entries()) {
    if (n > 0 || (!isText && !raw.includes("."))) put(at, at + segment.length);
    at += segment.length + 1;
  }
}

const TAG = /\{[{%]/gu;
const COLUMN = /(?<=\.)p[0-9]+(?![A-Za-z0-9_])/gu;

/** Where a tag ends that has begun before; -1 where it does not. */
function endOfTag(text: string, from: number): number {
  const close = /[}%]\}/gu;
  close.lastIndex = from;
  return close.test(text) ? close.lastIndex : -1;
}

/** `{{ r.p3 }}`: a template reads columns behind dots. */
function putColumns({ span }: Template, text: string, put: Put): void {
  const whole = text.slice(span.start, span.end);
  let past = 0;
  for (const { index } of whole.matchAll(TAG)) {
    if (index < past) continue;
    const end = endOfTag(whole, index + 2);
    if (end === -1) return;
    for (const column of whole.slice(index, end).matchAll(COLUMN)) {
      const start = span.start + index + column.index;
      put(start, start + column[0].length);
    }
    past = end;
  }
}

import type { Span } from "../source/span.ts";
import type { Bad, Name } from "./ast-names.ts";
import type { And } from "./ast-predicates.ts";
import type { Count, Step } from "./ast-steps.ts";
import type {
  Arg,
  ObjectValue,
  PlaceholderValue,
  SearchText,
  StringValue,
  Value,
  WordValue,
} from "./ast-values.ts";

/** A whole program. A tree may hold {@link Bad} only if errors were reported. */
export interface Program {
  readonly kind: "Program";
  readonly statements: readonly Statement[];
  readonly span: Span;
}

/** `label = node` */
export interface Binding {
  readonly kind: "Binding";
  readonly label: Name;
  readonly node: ProgramNode | Data;
  readonly span: Span;
}

/** The nodes of a line that binds nothing; each is a root (LANG-010). */
export interface Roots {
  readonly kind: "Roots";
  readonly nodes: readonly ProgramNode[];
  readonly span: Span;
}

export type ContinuationOp = "page" | "wait" | "cancel";

/** `page(h, limit=n)`, `wait(h)`, `cancel(h)`; only `page` has a limit (LANG-011). */
export interface Continuation {
  readonly kind: "Continuation";
  readonly op: ContinuationOp;
  readonly handle: WordValue | StringValue | PlaceholderValue | Bad;
  readonly limit?: Count;
  readonly span: Span;
}

export type Statement = Binding | Roots | Continuation | Bad;

/** What a statement computes: rows, or rows derived per row. */
export type ProgramNode = Chain | MapNode | Bad;

/** A source, the steps applied left to right, and possibly a template over the rows. */
export interface Chain {
  readonly kind: "Chain";
  readonly source: Source;
  readonly steps: readonly Step[];
  readonly template?: Template;
  readonly span: Span;
}

/** `chain => body`; a Chain as body has no template and at most one step, a Call (LANG-071). */
export interface MapNode {
  readonly kind: "Map";
  readonly chain: Chain;
  readonly body: ObjectValue | Chain | Bad;
  readonly span: Span;
}

/** `label = literal`; the value is no WordValue and no ConstructorValue. */
export interface Data {
  readonly kind: "Data";
  readonly value: Value;
  readonly span: Span;
}

/** `name` */
export interface NameSource {
  readonly kind: "NameSource";
  readonly name: Name;
  readonly span: Span;
}

/** `name(args)` */
export interface KeySource {
  readonly kind: "KeySource";
  readonly name: Name;
  readonly args: readonly Arg[];
  readonly span: Span;
}

/** `name{…}` */
export interface BraceSource {
  readonly kind: "BraceSource";
  readonly name: Name;
  readonly pred: And;
  readonly span: Span;
}

/** `name~text` or `name~text{…}` */
export interface SearchSource {
  readonly kind: "SearchSource";
  readonly name: Name;
  readonly text: SearchText;
  readonly pred?: And;
  readonly span: Span;
}

export type Source = NameSource | KeySource | BraceSource | SearchSource | Bad;

/**
 * A heredoc after a chain. The span reaches from `<<` to the end of the closing tag; `body` is as
 * LANG-008 says. `heredocOffsets` turns offsets of the body into those of the program (ERR-002).
 */
export interface Template {
  readonly kind: "Template";
  readonly tag: string;
  readonly body: string;
  readonly span: Span;
}

import type { TextRange } from "../base/span.ts";
import type { FilterName } from "./filter-signatures.ts";

/**
 * One step of a path: into an item of a list (a loop turn, `[0]`, `first`, `last`), to a member by its key,
 * or by something computed. A quoted key, `x["a b"]`, is no name: it stands for itself.
 */
export type PathStep =
  | { readonly kind: "item" }
  | ({ readonly kind: "key"; readonly key: string; readonly quoted: boolean } & TextRange)
  | { readonly kind: "computed" };

/** Where a value comes from: a name from outside the template, and the steps from it. */
export interface TemplatePath {
  readonly root: string;
  readonly steps: readonly PathStep[];
}

/**
 * What becomes of a value: it is used itself (`whole`), `for` goes through it (`looped`), or it is only
 * tested, counted, or given a name that is traced on (`traced`).
 */
export type TemplateUse = "whole" | "looped" | "traced";

/** One place where a template reads a name, or a member of what a name holds. */
export interface TemplateName extends TemplatePath, TextRange {
  /** Whether the word is a name that the template gives itself, which stands for the path. */
  readonly local: boolean;
  /** How many steps of the path such a name brings along; those behind it are written here. */
  readonly inherited: number;
  readonly use: TemplateUse;
  /** Whether a `set` that may not have run gives the name, too; then it need not exist outside. */
  readonly maybeSet: boolean;
}

/** A mistake in a template: what was found and what is allowed, and where; offsets into the template. */
export interface TemplateProblem extends TextRange {
  readonly message: string;
}

/** Takes one problem. */
export type ReportProblem = (at: TextRange, message: string) => void;

/** A template that keeps to the subset of RUN-101; offsets count UTF-16 code units of its text. */
export interface TemplateTree {
  readonly body: readonly TemplateNode[];
}

export type TemplateNode =
  | ({ readonly kind: "text"; readonly text: string } & TextRange)
  | { readonly kind: "output"; readonly value: TemplateExpression }
  | { readonly kind: "set"; readonly name: string; readonly value: TemplateExpression }
  | {
      readonly kind: "if";
      readonly branches: readonly TemplateBranch[];
      readonly otherwise: readonly TemplateNode[];
    }
  | {
      readonly kind: "for";
      readonly variable: string;
      readonly over: TemplateExpression;
      readonly body: readonly TemplateNode[];
      /** What stands for a loop without turns. */
      readonly otherwise: readonly TemplateNode[];
    };

/** One `if` or `elif` with what it guards. */
export interface TemplateBranch {
  readonly condition: TemplateExpression;
  readonly body: readonly TemplateNode[];
}

export type Arithmetic = "+" | "-" | "*" | "/" | "//" | "%" | "~";
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
export type BinaryOperator = Arithmetic | Comparison | "and" | "or";

/** What `loop` tells inside a `for`. */
export type LoopPart =
  | "index"
  | "index0"
  | "revindex"
  | "revindex0"
  | "first"
  | "last"
  | "length"
  | "previtem"
  | "nextitem";

/** A literal; `float` is a number written with a point or an exponent. */
export type LiteralValue =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "text"; readonly value: string };

type ExpressionShape =
  | { readonly kind: "literal"; readonly value: LiteralValue }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "loop"; readonly part: LoopPart }
  | { readonly kind: "list"; readonly items: readonly TemplateExpression[] }
  | {
      readonly kind: "attribute";
      readonly of: TemplateExpression;
      readonly key: string;
      readonly keyAt: TextRange;
    }
  | { readonly kind: "index"; readonly of: TemplateExpression; readonly index: TemplateExpression }
  | {
      readonly kind: "filter";
      readonly of: TemplateExpression;
      readonly filter: FilterName;
      readonly arguments: readonly TemplateExpression[];
    }
  | {
      readonly kind: "test";
      readonly of: TemplateExpression;
      readonly test: "defined" | "none";
      readonly negated: boolean;
    }
  | { readonly kind: "not"; readonly of: TemplateExpression }
  | { readonly kind: "negate"; readonly of: TemplateExpression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: TemplateExpression;
      readonly right: TemplateExpression;
    }
  | {
      readonly kind: "choose";
      readonly condition: TemplateExpression;
      readonly chosen: TemplateExpression;
      readonly otherwise: TemplateExpression | null;
    };

/** An expression, where it stands, and how many levels of expressions it has. */
export type TemplateExpression = ExpressionShape & TextRange & { readonly depth: number };

/** An expression before its place and depth are known. */
export type NewExpression = ExpressionShape;

/** One more than the largest whole number that templates calculate with. */
export const INTEGER_LIMIT = 2n ** 127n;

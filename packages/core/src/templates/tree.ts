import type { TextRange } from "../base/span.ts";
import type { FilterName } from "./filter-signatures.ts";

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

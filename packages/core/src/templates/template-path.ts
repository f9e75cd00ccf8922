import type { TextRange } from "../base/span.ts";

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

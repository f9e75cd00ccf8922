import type { TextRange } from "../source/span.ts";

/** A mistake in a template: what was found and what is allowed, and where; offsets into the template. */
export interface TemplateProblem extends TextRange {
  readonly message: string;
}

/** Takes one problem. */
export type ReportProblem = (at: TextRange, message: string) => void;

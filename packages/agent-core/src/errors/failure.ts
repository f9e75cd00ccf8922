import { problem, type Problem, type ProblemDetail } from "./problem.ts";
import type { ProblemCode } from "./problem-codes.ts";

/** What a call throws when it answers with a problem instead of a result. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly problem: Problem;

  constructor(value: Problem, options?: ErrorOptions) {
    super(value.text, options);
    this.problem = value;
  }
}

/** Makes what a call throws that answers with a problem. */
export const fail = (code: ProblemCode, text: string, detail?: ProblemDetail): Failure =>
  new Failure(problem(code, text, detail));

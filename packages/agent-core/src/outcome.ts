import type { Problem } from "./errors/problem.ts";
import type { RunAnswer } from "./answer/answer.ts";

/** How a run with effects ended: what every later call under its ref is told again (OPS-3). */
export type EndedRun =
  | { readonly kind: "answer"; readonly answer: RunAnswer }
  | { readonly kind: "problem"; readonly problem: Problem };

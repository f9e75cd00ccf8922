import type { Plan } from "@plasm/core";
import { fail, type Failure } from "../errors/failure.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { BlockReason } from "./gate.ts";
import { reviewMeta } from "./plan-meta.ts";

const bracket = (reason: BlockReason, ref: string | null): string => {
  switch (reason) {
    case "none":
      return "no ref";
    case "unknown":
      return `unknown ref ${ref}`;
    case "expired":
      return `expired ref ${ref}`;
    case "mismatch":
      return `${ref} is of another program`;
  }
};

/** The answer of a plan that the gate held back: a live ref and how to use it (OPS-10). */
export function blockedFailure(
  plan: Plan,
  fresh: CommitRecord,
  reason: BlockReason,
  ref: string | null,
  reasonLines: readonly string[],
): Failure {
  const text = [
    `review ${fresh.ref}: not run (${bracket(reason, ref)})`,
    ...reasonLines,
    `Run again with plan_commit_ref=${fresh.ref}`,
  ].join("\n");
  return fail("plasm-review-required", text, {
    meta: { error: { code: "plasm-review-required", reason }, ...reviewMeta(plan, fresh) },
  });
}

/**
 * The same of a ref that came without a program, where there is none, or none that is the plan any more:
 * nothing is minted, for nobody has seen what it would run (OPS-7).
 */
export function blockedAlone(reason: "unknown" | "mismatch", ref: string): Failure {
  const why =
    reason === "unknown" ? bracket(reason, ref) : `the program of ${ref} is another plan by now`;
  const text = `not run (${why})\nPlan the program, and run the ref of that plan`;
  const code = "plasm-review-required";
  return fail(code, text, { meta: { error: { code, reason } } });
}

import { Failure, fail } from "../errors/failure.ts";
import type { Caller } from "../identity/caller.ts";
import type { Store } from "../ports.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { Located } from "../session/locate.ts";
import { approvalRejected } from "./approval-required.ts";
import { blockedAlone } from "./blocked.ts";
import { compile, type Compiled } from "./compile.ts";
import { isOfSession, knownCommit } from "./known-commit.ts";

const nothingToRun = () =>
  fail(
    "plasm-bad-request",
    "program is missing: one text, statements by line; or plan_commit_ref, the pcN of a plan, to run what was planned.",
  );

/**
 * The record of a ref that came without a program, which stands for the one that was planned under it (OPS-3).
 * Throws plasm-bad-request where neither came, plasm-review-required where nothing is known of it.
 */
export async function plannedUnder(
  store: Store,
  caller: Caller,
  at: Located,
  ref: string | null,
): Promise<CommitRecord> {
  if (ref === null) throw nothingToRun();
  const record = await knownCommit(store, caller, at, ref);
  if (record === null) throw blockedAlone("unknown", ref);
  return record;
}

/**
 * What was planned under a ref, through the same checks as a program that is sent; it is that plan, or nothing
 * runs, whatever its verdict and with `force`, too (OPS-4, PLAN-032). In a session that was opened anew its
 * symbols may mean nothing: then it is another plan. A rejection is final (OPS-36).
 */
export function compilePlanned(record: CommitRecord, at: Located): Compiled {
  const { ref, program, state, commit } = record;
  if (state === "rejected") throw approvalRejected();
  if (program === undefined) {
    throw fail("plasm-bad-request", `The program of ${ref} was not kept. Send it with its ref.`);
  }
  const compiled = compileAgain(program, record, at);
  if (compiled?.kind === "plan" && compiled.plan.commit === commit) return compiled;
  throw blockedAlone("mismatch", ref);
}

/** Null where it has errors in another session than its own. */
function compileAgain(program: string, record: CommitRecord, at: Located): Compiled | null {
  try {
    return compile(program, at.view);
  } catch (thrown) {
    if (thrown instanceof Failure && !isOfSession(record, at)) return null;
    throw thrown;
  }
}

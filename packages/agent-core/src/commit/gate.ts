import type { CommitRecord } from "../records/commit-record.ts";
import { outcomeOf, type GivenRef, type PolicyLevel } from "./gate-rows.ts";

/** Why a plan that needs review does not run (OPS-7). */
export type BlockReason = "none" | "unknown" | "expired" | "mismatch";

/** What let a plan run: that it needs no review, its ref, or `force`. */
export type PassedBy = "ok" | "ref" | "force";

export type GateOutcome =
  | { readonly kind: "run"; readonly by: PassedBy; readonly note: string | null }
  | { readonly kind: "blocked"; readonly reason: BlockReason }
  | { readonly kind: "repeat" }
  | { readonly kind: "force_denied" }
  /** it waits for an operator, or has to be sent with the ref that one approved */
  | { readonly kind: "approval_required" }
  /** an operator has rejected it in this session */
  | { readonly kind: "rejected" };

/** What the gate judges. `record` is the ref's, if the ref exists for this session and principal. */
export interface GateInput {
  readonly level: PolicyLevel;
  readonly verdict: "ok" | "review";
  readonly commit: string;
  readonly ref: string | null;
  readonly record: CommitRecord | null;
  /** whether an operator has rejected this commit in this session */
  readonly hashRejected: boolean;
  readonly force: boolean;
  readonly forceAllowed: boolean;
  readonly now: number;
}

/** What the ref is to this plan. That it has run, or was rejected, stays so beyond its time (OPS-3). */
function givenOf({ ref, record, commit, now }: GateInput): GivenRef {
  if (ref === null) return "none";
  if (record === null) return "unknown";
  if (record.commit !== commit) return "mismatch";
  if (record.state === "consumed" || record.state === "rejected") return record.state;
  return record.expiresAt <= now ? "expired" : record.state;
}

/** The reason of a block: what a ref may be that lets nothing run. */
function reasonOf(given: GivenRef): BlockReason {
  switch (given) {
    case "none":
    case "unknown":
    case "expired":
    case "mismatch":
      return given;
    case "live":
    case "waiting":
    case "approved":
    case "rejected":
    case "consumed":
      throw new Error(`A ref that is ${given} does not block`);
  }
}

/** The gate of PLAN-030, OPS-7 and OPS-36; what does not run sends no request at all. */
export function gate(input: GateInput): GateOutcome {
  const given = givenOf(input);
  const { ref, record, commit } = input;
  switch (outcomeOf({ ...input, given })) {
    case "run_ok": {
      const matches = ref === null || record?.commit === commit;
      return { kind: "run", by: "ok", note: matches ? null : `${ref} is not of this plan` };
    }
    case "run_ref":
      return { kind: "run", by: "ref", note: null };
    case "run_force":
      return { kind: "run", by: "force", note: null };
    case "repeat":
      return { kind: "repeat" };
    case "rejected":
      return { kind: "rejected" };
    case "approval_required":
      return { kind: "approval_required" };
    case "force_denied":
      return { kind: "force_denied" };
    case "blocked":
      return { kind: "blocked", reason: reasonOf(given) };
  }
}

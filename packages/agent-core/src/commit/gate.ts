import type { CommitRecord } from "../records/commit-record.ts";

/** Why a plan that needs review does not run (OPS-7). */
export type BlockReason = "none" | "unknown" | "expired" | "mismatch";

/** What let a plan run: that it needs no review, its ref, or `force`. */
export type PassedBy = "ok" | "ref" | "force";

export type GateOutcome =
  | { readonly kind: "run"; readonly by: PassedBy; readonly note: string | null }
  | { readonly kind: "blocked"; readonly reason: BlockReason }
  | { readonly kind: "repeat" }
  | { readonly kind: "force_denied" };

/** What the gate judges. `record` is the ref's, if the ref exists for this session and principal. */
export interface GateInput {
  readonly verdict: "ok" | "review";
  readonly commit: string;
  readonly ref: string | null;
  readonly record: CommitRecord | null;
  readonly force: boolean;
  readonly forceAllowed: boolean;
  readonly now: number;
}

function byRef(input: GateInput): GateOutcome {
  const { record } = input;
  if (input.ref === null) return { kind: "blocked", reason: "none" };
  if (record === null) return { kind: "blocked", reason: "unknown" };
  const same = record.commit === input.commit;
  if (record.state === "consumed" && same) return { kind: "repeat" };
  if (!same) return { kind: "blocked", reason: "mismatch" };
  if (record.state !== "live" || record.expiresAt <= input.now) {
    return { kind: "blocked", reason: "expired" };
  }
  return { kind: "run", by: "ref", note: null };
}

/** The gate of PLAN-030 and OPS-7: first matching row wins; blocked means no request at all. */
export function gate(input: GateInput): GateOutcome {
  if (input.verdict === "ok") {
    const matches = input.ref === null || input.record?.commit === input.commit;
    return { kind: "run", by: "ok", note: matches ? null : `${input.ref} is not of this plan` };
  }
  const outcome = byRef(input);
  if (outcome.kind !== "blocked" || !input.force) return outcome;
  if (!input.forceAllowed) return { kind: "force_denied" };
  return { kind: "run", by: "force", note: null };
}

import type { CommitRecord } from "../../records/commits.ts";

/** Why a plan that needs review does not run (OPS-7). */
export type BlockReason = "none" | "unknown" | "expired" | "mismatch";

/** What let a plan run: that it needs no review, its ref, or `force`. */
export type PassedBy = "ok" | "ref" | "force";

export type GateOutcome =
  | {
      readonly kind: "run";
      readonly by: PassedBy;
      /** its ref is of this plan and lives, so that it runs under that one */
      readonly stands: boolean;
      readonly note: string | null;
      /** whether its cost was accepted, by its ref or by `force`: else its reads may be bounded (PLAN-054) */
      readonly reviewed: boolean;
    }
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
      const stands = LIVE.includes(given);
      const reviewed = stands || (input.force && input.forceAllowed);
      return {
        kind: "run",
        by: "ok",
        stands,
        note: matches ? null : `${ref} is not of this plan`,
        reviewed,
      };
    }
    case "run_ref":
      return { kind: "run", by: "ref", stands: true, note: null, reviewed: true };
    case "run_force":
      return { kind: "run", by: "force", stands: false, note: null, reviewed: true };
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

/** Who lets a plan run that needs review: its agent, or an operator (OPS-36). */
export type PolicyLevel = "agent" | "operator";

/**
 * What a ref is to the plan sent with it: none given; not known to this session and principal; of another
 * program; out of time; else the state of its record.
 */
type GivenRef =
  | "none"
  | "unknown"
  | "mismatch"
  | "expired"
  | "live"
  | "waiting"
  | "approved"
  | "rejected"
  | "consumed";

/** What a ref is that stands for its plan. */
const LIVE: readonly GivenRef[] = ["live", "waiting", "approved"];

type GateOutcomeKind =
  | "run_ok"
  | "run_ref"
  | "run_force"
  | "repeat"
  | "rejected"
  | "approval_required"
  | "force_denied"
  | "blocked";

/** What the rows look at. */
interface GateFacts {
  readonly level: PolicyLevel;
  readonly verdict: "ok" | "review";
  readonly given: GivenRef;
  /** an operator has rejected this plan in this session */
  readonly hashRejected: boolean;
  readonly force: boolean;
  readonly forceAllowed: boolean;
}

/** A row of the table: it matches where all that it names is so. */
interface GateRow {
  readonly level?: PolicyLevel;
  readonly verdict: "ok" | "review";
  readonly given?: readonly GivenRef[];
  readonly hashRejected?: true;
  readonly force?: true;
  readonly forceAllowed?: boolean;
  readonly outcome: GateOutcomeKind;
}

/**
 * PLAN-030's table: the first row that matches wins. Its row of policy level `deny` is no row here: such
 * a program has errors, and never becomes a plan. A rejection holds whatever the level has become since,
 * and a ref that waits or is approved is as good as a live one where no operator is demanded any more.
 */
export const GATE_ROWS: readonly GateRow[] = Object.freeze<GateRow[]>([
  { verdict: "review", given: ["consumed"], outcome: "repeat" },
  { verdict: "review", given: ["rejected"], outcome: "rejected" },
  { verdict: "review", hashRejected: true, outcome: "rejected" },
  {
    level: "operator",
    verdict: "review",
    given: ["none", "unknown", "mismatch", "expired", "live", "waiting"],
    outcome: "approval_required",
  },
  { level: "operator", verdict: "review", force: true, outcome: "approval_required" },
  { level: "operator", verdict: "review", given: ["approved"], outcome: "run_ref" },
  { verdict: "ok", outcome: "run_ok" },
  { verdict: "review", given: LIVE, outcome: "run_ref" },
  { verdict: "review", force: true, forceAllowed: true, outcome: "run_force" },
  { verdict: "review", force: true, forceAllowed: false, outcome: "force_denied" },
  { verdict: "review", outcome: "blocked" },
]);

const matches = (row: GateRow, facts: GateFacts): boolean =>
  row.verdict === facts.verdict &&
  (row.level ?? facts.level) === facts.level &&
  (row.given?.includes(facts.given) ?? true) &&
  (row.hashRejected ?? facts.hashRejected) === facts.hashRejected &&
  (row.force ?? facts.force) === facts.force &&
  (row.forceAllowed ?? facts.forceAllowed) === facts.forceAllowed;

/** What the first matching row says. */
function outcomeOf(facts: GateFacts): GateOutcomeKind {
  const row = GATE_ROWS.find((one) => matches(one, facts));
  if (row === undefined) throw new Error("No row of the gate matches");
  return row.outcome;
}

/** Who lets a plan run that needs review: its agent, or an operator (OPS-36). */
export type PolicyLevel = "agent" | "operator";

/**
 * What a ref is to the plan sent with it: none given; not known to this session and principal; of another
 * program; out of time; else the state of its record.
 */
export type GivenRef =
  | "none"
  | "unknown"
  | "mismatch"
  | "expired"
  | "live"
  | "waiting"
  | "approved"
  | "rejected"
  | "consumed";

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
  { verdict: "review", given: ["live", "waiting", "approved"], outcome: "run_ref" },
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
export function outcomeOf(facts: GateFacts): GateOutcomeKind {
  const row = GATE_ROWS.find((one) => matches(one, facts));
  if (row === undefined) throw new Error("No row of the gate matches");
  return row.outcome;
}

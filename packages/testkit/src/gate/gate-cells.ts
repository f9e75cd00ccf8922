/** The policy levels of PLAN-030. */
export type CellLevel = "deny" | "agent" | "operator";

/** What is given with a program: a ref by what it is to that program, in the words of PLAN-030. */
export type CellGiven =
  | "none"
  | "unknown"
  | "expired"
  | "other plan's"
  | "other session's"
  | "other principal's"
  | "live"
  | "waiting"
  | "approved"
  | "rejected"
  | "none, hash rejected"
  | "consumed";

/** Whether `force` is given, and what policy says of it. */
export type CellForce = "none" | "allowed" | "forbidden";

export type CellOutcome =
  | "runs"
  | "runs, with a note"
  | "answers again"
  | "policy_denied"
  | "rejected"
  | "approval-required"
  | "force-denied"
  | "blocked: none"
  | "blocked: unknown"
  | "blocked: expired"
  | "blocked: mismatch";

/** One cell of the gate's table. */
export interface GateCell {
  readonly level: CellLevel;
  readonly verdict: "ok" | "review";
  readonly given: CellGiven;
  readonly force: CellForce;
  readonly outcome: CellOutcome;
}

interface Block {
  readonly level: CellLevel;
  readonly verdict: "ok" | "review";
  readonly given: readonly CellGiven[];
  readonly force: readonly CellForce[];
  readonly outcome: CellOutcome;
}

const ANY_FORCE = ["none", "allowed", "forbidden"] as const;
const FORCED = ["allowed", "forbidden"] as const;
const FOREIGN = ["unknown", "other session's", "other principal's"] as const;
const USELESS = ["none", ...FOREIGN, "expired", "other plan's"] as const;

const ok = (level: CellLevel): readonly Block[] => [
  { level, verdict: "ok", given: ["none", "live"], force: ANY_FORCE, outcome: "runs" },
  {
    level,
    verdict: "ok",
    given: ["unknown", "other plan's"],
    force: ANY_FORCE,
    outcome: "runs, with a note",
  },
];

/** PLAN-030's table as blocks of cells, in its order; no cell stands in two of them. */
const BLOCKS: readonly Block[] = [
  {
    level: "deny",
    verdict: "review",
    given: ["none", "live", "consumed"],
    force: ANY_FORCE,
    outcome: "policy_denied",
  },
  ...(["agent", "operator"] as const).map((level): Block => {
    const force = ANY_FORCE;
    return { level, verdict: "review", given: ["consumed"], force, outcome: "answers again" };
  }),
  ...(["operator", "agent"] as const).map((level): Block => {
    const given = ["rejected", "none, hash rejected"] as const;
    return { level, verdict: "review", given, force: ANY_FORCE, outcome: "rejected" };
  }),
  {
    level: "operator",
    verdict: "review",
    given: [...USELESS, "live", "waiting"],
    force: ANY_FORCE,
    outcome: "approval-required",
  },
  {
    level: "operator",
    verdict: "review",
    given: ["approved"],
    force: FORCED,
    outcome: "approval-required",
  },
  { level: "operator", verdict: "review", given: ["approved"], force: ["none"], outcome: "runs" },
  ...ok("operator"),
  ...ok("agent"),
  {
    level: "agent",
    verdict: "review",
    given: ["live", "waiting", "approved"],
    force: ANY_FORCE,
    outcome: "runs",
  },
  { level: "agent", verdict: "review", given: USELESS, force: ["allowed"], outcome: "runs" },
  {
    level: "agent",
    verdict: "review",
    given: USELESS,
    force: ["forbidden"],
    outcome: "force-denied",
  },
  { level: "agent", verdict: "review", given: ["none"], force: ["none"], outcome: "blocked: none" },
  {
    level: "agent",
    verdict: "review",
    given: FOREIGN,
    force: ["none"],
    outcome: "blocked: unknown",
  },
  {
    level: "agent",
    verdict: "review",
    given: ["expired"],
    force: ["none"],
    outcome: "blocked: expired",
  },
  {
    level: "agent",
    verdict: "review",
    given: ["other plan's"],
    force: ["none"],
    outcome: "blocked: mismatch",
  },
];

/** Every cell of the gate's table (PLAN-030, OPS-7, OPS-36): the one table that all tests of it walk. */
export const GATE_CELLS: readonly GateCell[] = Object.freeze(
  BLOCKS.flatMap(({ given, force, ...rest }) =>
    given.flatMap((one) => force.map((each) => ({ ...rest, given: one, force: each }))),
  ),
);

/** What is given without a program: another plan's ref is that plan's own. */
const isAlone = ({ given }: GateCell): boolean =>
  given !== "none" && given !== "none, hash rejected" && given !== "other plan's";

/**
 * The cells of a ref that comes without its program (OPS-3): the outcome is that of the program sent with it,
 * but where the ref names none, whatever else is given.
 */
export const ALONE_CELLS: readonly GateCell[] = Object.freeze(
  GATE_CELLS.filter(isAlone).map((cell) =>
    FOREIGN.some((given) => given === cell.given)
      ? { ...cell, outcome: "blocked: unknown" as const }
      : cell,
  ),
);

/** A cell as a test is named after it. */
export const cellName = ({ level, verdict, given, force, outcome }: GateCell): string =>
  `${level}, ${verdict}, ref: ${given}, force: ${force} → ${outcome}`;

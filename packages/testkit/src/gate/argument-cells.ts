/** Arguments of a program, in the words of OPS-34; `live` stands for the ref of the plan. */
export interface CellArguments {
  readonly mode?: "plan" | "explain" | "run";
  readonly explain?: boolean;
  readonly wait?: boolean;
  readonly force?: boolean;
  readonly plan_commit_ref?: "live";
}

/** Where arguments can be given (OPS-34); `tool plasm` is the other program tool of MCP. */
export type CellPlace = "plasm_run" | "tool plasm" | "query" | "body";

export type ArgumentOutcome =
  | "dry run"
  | "explained"
  | "blocked"
  | "answered"
  | "accepted"
  | "plasm-bad-request";

/** One call of a program with one effect, which the gate blocks if nothing lets it pass. */
export interface ArgumentCell {
  readonly place: CellPlace;
  readonly given: CellArguments;
  /** given in the body as well, where the place is the query */
  readonly also?: CellArguments;
  readonly outcome: ArgumentOutcome;
}

const RUNS: readonly (readonly [CellArguments, ArgumentOutcome])[] = [
  [{}, "blocked"],
  [{ mode: "run" }, "blocked"],
  [{ mode: "plan" }, "dry run"],
  [{ mode: "plan", wait: false, force: true }, "dry run"],
  [{ mode: "explain" }, "explained"],
  [{ wait: false }, "blocked"],
  [{ force: false }, "blocked"],
  [{ force: true }, "answered"],
  [{ force: true, wait: true }, "answered"],
  [{ force: true, wait: false }, "accepted"],
  [{ plan_commit_ref: "live" }, "answered"],
  [{ plan_commit_ref: "live", wait: false }, "accepted"],
];

/** `plasm` never runs live; what would say so is refused, the rest is ignored. */
const PLANS: readonly (readonly [CellArguments, ArgumentOutcome])[] = [
  [{}, "dry run"],
  [{ mode: "plan" }, "dry run"],
  [{ wait: false }, "dry run"],
  [{ force: true, wait: true }, "dry run"],
  [{ plan_commit_ref: "live" }, "dry run"],
  [{ explain: true }, "explained"],
  [{ explain: false }, "dry run"],
  [{ mode: "explain" }, "explained"],
  [{ mode: "run" }, "plasm-bad-request"],
  [{ mode: "run", force: true }, "plasm-bad-request"],
];

/** The same in query and body agree; anything else is refused. */
const TWICE: readonly (readonly [CellArguments, CellArguments, ArgumentOutcome])[] = [
  [{ force: true }, { force: true }, "answered"],
  [{ force: true }, { wait: false }, "accepted"],
  [{ force: true }, { force: false }, "plasm-bad-request"],
  [{ wait: true }, { wait: false, force: true }, "plasm-bad-request"],
  [{ mode: "plan" }, { mode: "run" }, "plasm-bad-request"],
];

/** Every cell of OPS-34's table: the one table that all tests of it walk. */
export const ARGUMENT_CELLS: readonly ArgumentCell[] = Object.freeze([
  ...(["plasm_run", "query", "body"] as const).flatMap((place) =>
    RUNS.map(([given, outcome]) => ({ place, given, outcome })),
  ),
  ...PLANS.map(([given, outcome]) => ({ place: "tool plasm" as const, given, outcome })),
  ...TWICE.map(([given, also, outcome]) => ({ place: "query" as const, given, also, outcome })),
]);

const shown = (given: CellArguments): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ") || "nothing";

/** A cell as a test is named after it. */
export const argumentName = ({ place, given, also, outcome }: ArgumentCell): string =>
  `${place}: ${shown(given)}${also === undefined ? "" : `, in the body ${shown(also)}`} → ${outcome}`;

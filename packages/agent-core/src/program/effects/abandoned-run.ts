import { type EffectEntry, type ExpectedEffect, whatToLookAt } from "@plasm/runtime";
import { runProblemCode, type ReportedError } from "../../errors/classify.ts";
import { problem, type Problem } from "../../errors/problem.ts";
import type { OperationRecord, RunEffect } from "../../records/operations.ts";
import { effectsMeta, failedEffectLines, undoOffer } from "../../answer/effects.ts";
import { advised, failureText, placedError, safeToRepeat } from "../run/failure-text.ts";

/** Why an operation cannot go on where it stands (OPS-32). */
export type Abandoned = "died" | "changed" | "set_aside";

const ENDED = "The process that ran this plan ended before the plan did.";

const notStarted = (effect: ExpectedEffect, seq: number): EffectEntry => ({
  seq,
  ...effect,
  args: {},
  fingerprint: "",
  idempotencyKey: null,
  status: "skipped",
  startedAt: null,
  endedAt: null,
  httpStatus: null,
  result: null,
  error: null,
});

/** An effect that never began, as the plan names it: of a for_each it knows no row. */
function expectedOf(effect: RunEffect): ExpectedEffect {
  const { node, entryId, entity, capability, label, target } = effect;
  return { node, row: null, entryId, entity, capability, label, target };
}

/** The effects that the log does not have, in plan order: those of a for_each by its items. */
function missing(
  run: OperationRecord,
  log: readonly EffectEntry[],
  items: readonly ExpectedEffect[],
): readonly ExpectedEffect[] {
  const reached = new Set(log.map(({ node, row }) => `${node}[${row}]`));
  return run.effects.flatMap((effect): readonly ExpectedEffect[] => {
    const of = items.filter(({ node }) => node === effect.node);
    if (of.length > 0) return of.filter(({ node, row }) => !reached.has(`${node}[${row}]`));
    return log.some(({ node }) => node === effect.node) ? [] : [expectedOf(effect)];
  });
}

/** The error of an effect that nobody saw the answer of, with what to look at (PLAN-073). */
function inDoubt(run: OperationRecord, entry: EffectEntry): ReportedError {
  const kind = run.effects.find(({ node }) => node === entry.node)?.kind ?? "action";
  const look = whatToLookAt({ ...entry, kind });
  const what = `${entry.label} ${entry.target ?? entry.entity}`;
  return {
    code: "effect_in_doubt",
    message: `Whether ${what} happened is unknown. ${ENDED}`,
    correction: `${look}; only then repeat what is missing, never the whole program`,
    node: entry.node,
    row: entry.row,
    retryable: false,
    retryAfter: null,
    request: null,
  };
}

function interrupted(first: ExpectedEffect | undefined, run: OperationRecord): ReportedError {
  const allDone = first === undefined;
  return {
    code: "interrupted",
    message: allDone ? `${ENDED} Every effect of it is done.` : ENDED,
    correction: allDone ? "read what you need of the result" : "plan what was not started",
    node: first?.node ?? run.effects.at(-1)?.node ?? "",
    row: null,
    retryable: false,
    retryAfter: null,
    request: null,
  };
}

/** The error of an operation that goes on with what is another plan by now (OPS-32). */
const changed = (first: ExpectedEffect | undefined): ReportedError => ({
  code: "catalog_changed",
  message: "What the program means has changed since the run was accepted.",
  correction: "plan again",
  node: first?.node ?? "",
  row: null,
  retryable: false,
  retryAfter: null,
  request: null,
});

/** The error of an operation that no process takes up by itself any more. */
const setAside = (first: ExpectedEffect | undefined, inDoubtToo: boolean): ReportedError => ({
  code: "set_aside",
  message: "Set aside: was under way when two processes ended.",
  correction: inDoubtToo
    ? "look at what is in doubt; an operator can tell why the processes ended"
    : "make it smaller, with .limit(n) or fewer columns, and plan again; or ask an operator to let it go on",
  node: first?.node ?? "",
  row: null,
  retryable: false,
  retryAfter: null,
  request: null,
});

/** The log with each effect in doubt saying what to look at. */
const explained = (run: OperationRecord, log: readonly EffectEntry[]): readonly EffectEntry[] =>
  log.map((entry) => {
    if (entry.status !== "in_doubt" || entry.error !== null) return entry;
    return { ...entry, error: { ...inDoubt(run, entry), code: "effect_in_doubt" } };
  });

/** What there is to say: the doubt about an effect before all, but for what set the whole aside. */
function errorsOf(
  run: OperationRecord,
  left: ExpectedEffect | undefined,
  doubt: EffectEntry | undefined,
  why: Abandoned,
): readonly [ReportedError, ...ReportedError[]] {
  const doubted = doubt === undefined ? [] : [inDoubt(run, doubt)];
  if (why === "set_aside") return [setAside(left, doubt !== undefined), ...doubted];
  const [first] = doubted;
  return [first ?? (why === "changed" ? changed(left) : interrupted(left, run))];
}

/**
 * What is told of a run whose process died (PLAN-072, PLAN-073): effects done, those in doubt with
 * what to look at, those not started. Nothing of it is ever sent again.
 */
export function abandonedRun(
  run: OperationRecord,
  log: readonly EffectEntry[],
  items: readonly ExpectedEffect[],
  why: Abandoned = "died",
): Problem {
  const left = missing(run, log, items);
  const effects = [
    ...explained(run, log),
    ...left.map((effect, index) => notStarted(effect, (log.at(-1)?.seq ?? 0) + index + 1)),
  ];
  const doubt = effects.find(({ status }) => status === "in_doubt");
  const errors = errorsOf(run, left[0], doubt, why);
  const [error] = errors;
  const spanOf = (id: string) => run.effects.find(({ node }) => node === id)?.span ?? null;
  const lineOf = (node: string): number | null => spanOf(node)?.line ?? null;
  const advice = effects.length === 0 ? null : safeToRepeat(effects, lineOf, doubt !== undefined);
  const shown = errors.map((each) =>
    advised(placedError(run.program, spanOf(each.node), each), advice),
  );
  const head =
    error.node === "" ? `failed: ${error.code}` : `failed at ${error.node}: ${error.code}`;
  return problem(
    runProblemCode(error.code),
    failureText(head, [...failedEffectLines(effects), ...undoOffer(run.ref, effects)], shown, null),
    {
      errors: shown,
      retryable: false,
      meta: {
        dry_run: false,
        commit: run.commit,
        plan_commit_ref: run.ref,
        steps: [],
        paging: [],
        effects: effectsMeta(effects),
      },
    },
  );
}

import { createHash } from "node:crypto";
import type { EndedRun, FinishedOutcome, LiveOutcome } from "../../outcome.ts";
import type { ProblemMeta, StatusMeta } from "../../answer/meta.ts";
import { Failure } from "../../errors/problem.ts";
import { isStoreFault } from "../../errors/store-faults.ts";
import type { OwnedRun, UnwrittenEnd } from "../effects/effect-log.ts";
import type { OperationRecord, OperationEnding } from "../../records/operations.ts";
import { tenantOfScope } from "../../identity/tenant-scope.ts";
import { noteNotice } from "../../notices/outbox.ts";
import type { StoreOps } from "../../store-port.ts";
import { traceOfKey } from "../../session/session-view.ts";
import { hasEnded } from "./find-operation.ts";
import { pinSession } from "./lease.ts";
import type { OperationDeps } from "../deps.ts";
import { leaveSeats } from "./seats.ts";
import { noteEnding } from "./ended-operations.ts";
import { noteEnded } from "./unfinished.ts";
import type { TraceFact } from "../../records/traces.ts";

/** A lease that is renewed meanwhile moves the record on; nothing else does for long. */
const ATTEMPTS = 50;

/** The stored end of an operation, or null if it is no longer kept. */
export async function readEnd(
  deps: OperationDeps,
  sha256: string | null,
): Promise<EndedRun | null> {
  const bytes = sha256 === null ? null : await deps.store.getBlob(sha256);
  if (bytes === null) return null;
  const end = JSON.parse(Buffer.from(bytes).toString("utf8")) as EndedRun;
  // An earlier program stored answers without their kind.
  return end.kind === "answer" ? { ...end, answer: { ...end.answer, kind: "finished" } } : end;
}

/** What an end says of results and effects. */
export const metaOf = (end: EndedRun): Pick<ProblemMeta, "steps" | "effects"> =>
  end.kind === "answer" ? end.answer.meta : end.problem.meta;

/** What an end amounts to; `labelOf` names the node that failed. */
function outcomeOf(end: EndedRun, labelOf: (node: string) => string | null): OperationEnding {
  const { effects = [], steps = [] } = metaOf(end);
  const statuses = effects.map(({ status }) => status);
  const rows = steps.map(({ row_count: count }) => count);
  const error = end.kind === "problem" ? end.problem.errors[0] : undefined;
  const other = end.kind === "problem" ? end.problem.code.replace(/^plasm-/, "") : null;
  return {
    rows: rows.reduce((sum, count) => sum + count, 0),
    code: error?.code ?? other,
    label: error?.node === undefined ? null : labelOf(error.node),
    effectsDone: statuses.filter((status) => status === "done").length,
    inDoubt: statuses.filter((status) => status === "in_doubt" || status === "started").length,
  };
}

function stateOf(end: EndedRun, { code }: OperationEnding): "succeeded" | "failed" | "cancelled" {
  if (end.kind === "answer") return "succeeded";
  return code === "cancelled" ? "cancelled" : "failed";
}

/** An end on its way into the record. */
interface Ending {
  readonly end: EndedRun;
  readonly outcome: OperationEnding;
  readonly step: OperationRecord["step"] | null;
}

async function keep(deps: OperationDeps, run: OwnedRun, ending: Ending): Promise<EndedRun | null> {
  const { store } = deps;
  const { end, outcome } = ending;
  const bytes = Buffer.from(JSON.stringify(end), "utf8");
  const answer = createHash("sha256").update(bytes).digest("hex");
  await store.putBlob(answer, bytes);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await store.get("operation", run.scope, run.id);
    if (found === null) return end;
    if (hasEnded(found.value.state)) return (await readEnd(deps, found.value.answer)) ?? end;
    if (found.value.owner !== run.owner) return null;
    const { event, seats } = found.value;
    const step = ending.step ?? found.value.step;
    const state = stateOf(end, outcome);
    const facts = { state, event: event + 1, step, outcome, seats: [], answer };
    const next = { ...found.value, ...facts, endedAt: store.now() };
    const kept = await store.transaction(async (tx) => {
      if (!(await tx.cas("operation", run.scope, run.id, found.version, next))) return false;
      await leaveSeats(tx, run.scope, seats);
      await noteEnded(tx, run);
      await noteEnding(tx, run, state, next);
      if (outcome.inDoubt > 0) await noteUncertain(deps, tx, run, next);
      return true;
    });
    if (!kept) continue;
    deps.queue.announce(run);
    await pinSession(deps, run.scope, next);
    await deps.news.tell(run, next);
    deps.trace.noteWhere(() => traceOfKey(store, run.scope, next.session), endedFact(next));
    return end;
  }
  throw new Error("The record of an operation kept changing");
}

/** People outside are told where nobody knows whether a change was made: somebody has to look (OPS-49). */
const noteUncertain = (
  { noticeTargets }: OperationDeps,
  tx: StoreOps,
  { scope }: OwnedRun,
  { uuid, ref, subject, effects, outcome }: OperationRecord,
): Promise<void> =>
  noteNotice(tx, noticeTargets, {
    type: "run.uncertain",
    tenant: tenantOfScope(scope),
    subject,
    plan_commit_ref: ref,
    operation_uuid: uuid,
    effects: effects.length,
    capabilities: effects.map(({ entryId, capability }) => `${entryId}.${capability}`),
    in_doubt: outcome?.inDoubt ?? 0,
  });

/** What is known of an end besides what it says. */
export interface EndingFacts {
  /** names the node that failed */
  readonly labelOf: (node: string) => string | null;
  readonly step?: OperationRecord["step"];
  /** what is told where the end cannot be kept */
  readonly undecided?: EndedRun | null;
  /** ends of effects that the store refused */
  readonly unwritten?: readonly UnwrittenEnd[];
}

/**
 * Keeps the end of an operation and gives the one that stands: the first one stored is final (OPS-12).
 * Null if another process has taken it over and goes on. An end that the store refuses is kept as soon as
 * it can be, unless another process is quicker; told is `undecided` then, else the end itself.
 */
export async function keepEnd(
  deps: OperationDeps,
  run: OwnedRun,
  end: EndedRun,
  how: EndingFacts,
): Promise<EndedRun | null> {
  const { labelOf, step = null, undecided = null, unwritten = [] } = how;
  const ending = { end, outcome: outcomeOf(end, labelOf), step };
  try {
    return await keep(deps, run, ending);
  } catch (cause) {
    // Whether what was refused stands is not known: the end that is found then is the one.
    const again = isStoreFault(cause) ? keep(deps, run, ending) : Promise.reject(cause);
    return again.catch((thrown: unknown) => {
      deps.warn("The answer of a run could not be kept", thrown);
      deps.unkept.set(run.id, { owner: run.owner, end, effects: unwritten });
      return undecided ?? end;
    });
  }
}

/** An answer with a remark of its own: in its text, and as data for those who do not read it. */
export const withNote = <Told extends LiveOutcome>(answer: Told, note: string): Told => ({
  ...answer,
  text: `${answer.text}\nnote: ${note}`,
  meta: { ...answer.meta, note },
});

/** Answers or throws as the run itself did, with a note where this is not the first time. */
export function tell(end: EndedRun, note: string | null): FinishedOutcome {
  if (end.kind === "answer") return note === null ? end.answer : withNote(end.answer, note);
  if (note === null) throw new Failure(end.problem);
  const { text, meta } = end.problem;
  throw new Failure({ ...end.problem, text: `${text}\nnote: ${note}`, meta: { ...meta, note } });
}

/** An end with the block of its operation (OPS-15). */
export function endWith(end: EndedRun, op: StatusMeta): EndedRun {
  if (end.kind === "answer") {
    return { ...end, answer: { ...end.answer, meta: { ...end.answer.meta, op } } };
  }
  return { ...end, problem: { ...end.problem, meta: { ...end.problem.meta, op } } };
}

/** A snapshot that an end left. */
export interface EndSnapshot {
  readonly n: number;
  readonly label: string;
  readonly uri: string | null;
}

/** The snapshots of an operation, in the order of its results. */
export function snapshotsOf(end: EndedRun): readonly EndSnapshot[] {
  const { steps = [] } = metaOf(end);
  return steps.flatMap(({ n, return_label: label, artifact_uri: uri }) =>
    n === null ? [] : [{ n, label, uri }],
  );
}

/** The end of an operation, for the trace of its session (SURF-29). */
const endedFact = (record: OperationRecord): TraceFact => ({
  type: "operation",
  run: record.run.id,
  plan_commit_ref: record.ref,
  operation: record.n,
  state: record.state,
  code: record.outcome?.code ?? null,
  rows: record.outcome?.rows ?? 0,
  ms: Math.max(0, (record.endedAt ?? record.startedAt) - record.startedAt),
});

import type { RunMemory } from "@plasm/runtime";
import { attemptRun, type EffectRun } from "../effects/attempt-run.ts";
import type { EndedRun } from "../../outcome.ts";
import { withRunMemory } from "../run/run-context.ts";
import type { OwnedRun } from "../effects/effect-log.ts";
import type { OperationRecord } from "../../records/operations.ts";
import { changeOperation } from "./find-operation.ts";
import { keepEnd } from "./operation-end.ts";
import { underLease } from "./lease.ts";
import { stepLine } from "./status.ts";
import type { OperationDeps } from "../deps.ts";
import { labelOfNode, ProgressReporter } from "./progress.ts";

/** One attempt at an operation, in the hands of this process. */
export interface Attempt {
  readonly run: OwnedRun;
  readonly record: OperationRecord;
  readonly effectRun: EffectRun;
}

/** Looks at a record after each change of it: a cancel, or a handle that somebody was told. */
function watchRecord(
  deps: OperationDeps,
  { run }: Attempt,
  reporter: ProgressReporter,
  cancel: AbortController,
): () => void {
  const look = async (): Promise<void> => {
    const found = await deps.store.get("operation", run.scope, run.id);
    if (found?.value.cancelRequested === true) cancel.abort();
    if (found !== null && found.value.n !== null) reporter.publish();
  };
  const heard = (): void => {
    if (reporter.announcing) return;
    look().catch((cause: unknown) => deps.warn("An operation could not be looked at", cause));
  };
  heard();
  return deps.queue.listen(run, heard);
}

/** Leaves an operation to whoever takes it up next: at the next start, or another process (OPS-32). */
async function leave(deps: OperationDeps, run: OwnedRun): Promise<null> {
  const mine = (record: OperationRecord): boolean =>
    record.owner === run.owner && record.state === "running";
  await changeOperation(deps.store, run, (record) =>
    mine(record) ? { ...record, leaseUntil: 0 } : null,
  );
  return null;
}

/** Whether a run ended of the store alone: that is no end of it, and it goes on when the store is back (OPS-12). */
const isRefusal = (end: EndedRun): boolean =>
  end.kind === "problem" && end.problem.code === "plasm-store-unavailable";

async function perform(
  deps: OperationDeps,
  attempt: Attempt,
  reporter: ProgressReporter,
  memory: RunMemory,
): Promise<EndedRun | null> {
  const { run, record, effectRun } = attempt;
  const cancel = new AbortController();
  const signals = [cancel.signal, effectRun.request.signal].filter((one) => one !== undefined);
  const request = { ...effectRun.request, signal: AbortSignal.any(signals) };
  const { onProgress } = effectRun.request;
  const { signIns } = record;
  const unlisten = watchRecord(deps, attempt, reporter, cancel);
  try {
    const ended = await underLease(deps, run, (lost) =>
      attemptRun(
        deps,
        {
          ...effectRun,
          setting: { ...effectRun.setting, memory, ...(signIns === undefined ? {} : { signIns }) },
          request,
          onProgress: (event) => {
            reporter.note(event);
            const { step } = reporter;
            onProgress?.({ k: step.k, of: step.of, line: stepLine(step) });
          },
        },
        run,
        lost,
      ),
    );
    await reporter.settle();
    if (ended === null) return await leave(deps, run);
    const { end, undecided, unwritten } = ended;
    if (isRefusal(end)) {
      deps.unkept.set(run.id, { owner: run.owner, end: null, effects: unwritten });
      await leave(deps, run).catch(() => null);
      return effectRun.resumable === true ? null : (undecided ?? end);
    }
    const { plan } = effectRun;
    const of = record.step.of;
    const step = end.kind === "answer" ? { ...reporter.step, k: of } : reporter.step;
    const labelOf = (node: string): string | null => labelOfNode(plan, node);
    return await keepEnd(deps, run, end, { labelOf, step, undecided, unwritten });
  } finally {
    unlisten();
  }
}

/**
 * Runs an operation to its end, whatever that is, and keeps that end before anybody is told (OPS-3,
 * OPS-28). Null where it was left to others.
 */
export async function executeOperation(
  deps: OperationDeps,
  attempt: Attempt,
): Promise<EndedRun | null> {
  const { run, record, effectRun } = attempt;
  const reporter = new ProgressReporter(deps, run, effectRun.plan, record);
  const end = withRunMemory(deps, run.scope, (memory) => perform(deps, attempt, reporter, memory));
  deps.running.set(run.id, { end, step: () => reporter.step });
  try {
    return await end;
  } finally {
    deps.running.delete(run.id);
  }
}

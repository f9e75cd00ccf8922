import { randomUUID } from "node:crypto";
import { mayCall } from "@plasm/core/internal";
import type { Limits, ProgressEvent, RunContext, RunMemory } from "@plasm/runtime";
import { keptValues } from "../../artifacts/kept-values.ts";
import { filesOfSession } from "../../artifacts/session-files.ts";
import type { Caller } from "../../identity/caller.ts";
import { secretsIn } from "../../session/accounts.ts";
import { traceOfSession } from "../../session/session-view.ts";
import type { OperationRecord } from "../../records/operations.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import type { LiveDeps } from "../deps.ts";
import { countedRun, observeBoth, spannedRun, tracedRun } from "./observers.ts";
import { type Used, whoUses } from "../../quotas/ledger.ts";
import { isStoreFault, storeProblem } from "../../errors/store-faults.ts";
import type { ReportedError } from "../../errors/classify.ts";

/** What one run has of its own. */
export interface RunSetting {
  readonly signal?: AbortSignal;
  /** in place of the session's, as an operation was accepted with */
  readonly limits?: Limits;
  /** of the first attempt, where this is another (PLAN-063) */
  readonly started?: { readonly at: number; readonly id: string };
  readonly onProgress?: (event: ProgressEvent) => void;
  /** see {@link withRunMemory} */
  readonly memory?: RunMemory;
  /** what an operation began with, whoever goes on with it (RUN-129) */
  readonly signIns?: OperationRecord["signIns"];
}

/**
 * Does work whose rows share this process's memory with those of other runs, and gives it back when nothing of
 * them is left: what is written of a run belongs to its work, too.
 */
export async function withRunMemory<T>(
  { rowMemory }: LiveDeps,
  scope: string,
  work: (memory: RunMemory) => Promise<T>,
): Promise<T> {
  const memory = rowMemory.open(scope);
  try {
    return await work(memory);
  } finally {
    memory.close();
  }
}

/** The limits of a run that somebody waits for (RUN-130, SURF-25). */
export const limitsOf = (deps: LiveDeps, at: ResolvedSession): Limits => ({
  ...deps.limits,
  ...at.view.exposure.policy.budgets,
});

/**
 * Counts a run that is about to begin, or a page, and ends it where a quota of its caller, tenant or catalogs is used up: before
 * anything is sent, and before its ref is consumed. Throws plasm-quota-exceeded (OPS-52).
 */
export async function admitRun(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  catalogs: readonly string[],
  planned: Used,
): Promise<void> {
  const { quotas } = at.view.exposure.policy;
  if (quotas !== undefined) await deps.quotas.admit(whoUses(caller), quotas, catalogs, planned);
}

/** A run's one clock reading, and its id (PLAN-063). */
export function startRun({ ports }: LiveDeps): { readonly at: number; readonly id: string } {
  return ports.runs?.start() ?? { at: ports.clock.now(), id: randomUUID() };
}

/** What every run of a session has in common: its catalogs, its limits, one clock reading (PLAN-063), its secrets. */
export function runContext(
  deps: LiveDeps,
  caller: Caller,
  at: ResolvedSession,
  defects: Defects,
  setting: RunSetting = {},
): RunContext {
  const { signal, onProgress, memory } = setting;
  const started = setting.started ?? startRun(deps);
  const { credentials: own, variables, keep } = secretsIn(deps, caller, at);
  const { signIns } = setting;
  const credentials =
    signIns === undefined ? own : { ...own, signIns: new Map(Object.entries(signIns)) };
  return {
    catalogs: at.view.exposure.catalogs,
    mayRead: (catalog, capability) => mayCall(at.view.exposure.policy, catalog, capability),
    backends: deps.backends,
    ports: deps.ports,
    limits: setting.limits ?? limitsOf(deps, at),
    origins: deps.origins,
    credentials,
    hosts: deps.hosts.of(credentials.tenant),
    session: at.view.session,
    kept: keptValues(deps.store, caller, at),
    artifacts: filesOfSession(deps.store, caller, at),
    ...(deps.files === undefined ? {} : { files: deps.files }),
    endpoints: deps.endpoints.of(at.view.session.sessionId),
    startedAt: started.at,
    runId: started.id,
    observer: countedRun(
      deps.quotas,
      caller,
      at.view.exposure.policy,
      observeBoth(
        tracedRun(deps.trace, traceOfSession(at.view.session), started.id),
        spannedRun(started.id, deps.propagate),
      ),
    ),
    onDefect: (thrown) => defects.note(thrown),
    ...(variables === undefined ? {} : { sessionVariables: variables }),
    ...(keep === undefined ? {} : { keepVariables: keep }),
    ...(memory === undefined ? {} : { memory }),
    ...(deps.spill === null ? {} : { spill: deps.spill }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
  };
}

/** The defects of one run: what a log says of them, and the id by which an answer names them. */
export interface Defects {
  /** the runtime's report of what an `internal` error was */
  note(thrown: unknown): void;
  /** An `internal` error with an id to report; its cause is in the log under that id (ERR section 4). */
  identified(error: ReportedError): ReportedError;
  /** whether all that was noted is that the store cannot be used: no defect, and it passes (ERR-030) */
  ofStore(): boolean;
}

/** Collects the defects of a run: `defect` logs a cause and gives its id, faults of the store are logged as such. */
export function collectDefects({
  defect: report,
  storeFaults,
}: Pick<LiveDeps, "defect" | "storeFaults">): Defects {
  const causes: unknown[] = [];
  const ofStore = (): boolean => causes.length > 0 && causes.every(isStoreFault);
  return {
    ofStore,
    note: (thrown) => {
      causes.push(thrown);
      storeFaults.note(thrown);
    },
    identified: (error) => {
      if (error.code !== "internal") return error;
      const [first] = causes;
      if (ofStore() && isStoreFault(first))
        return { ...error, correction: storeProblem(first).text };
      const what = `${error.node}: ${error.message}`;
      const cause = causes.length === 1 ? causes[0] : new AggregateError(causes, "several defects");
      const id = report(causes.length === 0 ? new Error(what) : new Error(what, { cause }));
      return { ...error, correction: `report the id ${id} to the operator` };
    },
  };
}

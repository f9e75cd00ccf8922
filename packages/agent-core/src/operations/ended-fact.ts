import type { OperationRecord } from "../records/operation-record.ts";
import type { TraceFact } from "../records/trace-record.ts";

/** The end of an operation, for the trace of its session (SURF-29). */
export const endedFact = (record: OperationRecord): TraceFact => ({
  type: "operation",
  run: record.run.id,
  plan_commit_ref: record.ref,
  operation: record.n,
  state: record.state,
  code: record.outcome?.code ?? null,
  rows: record.outcome?.rows ?? 0,
  ms: Math.max(0, (record.endedAt ?? record.startedAt) - record.startedAt),
});

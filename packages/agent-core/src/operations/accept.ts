import type { JsonObject } from "@plasm/core";
import type { RunAnswer } from "../answer.ts";
import type { OperationRecord } from "../records/operation-record.ts";
import { operationMeta, type Told } from "./lines.ts";
import { handleOf } from "./tell-operation.ts";

/** What an acceptance tells of: the first event, whatever has happened since. */
const accepted = (record: OperationRecord): Told => ({
  signal: "+",
  event: 1,
  record,
  step: record.step,
  moved: false,
});

/** The answer that hands out an operation's handle (OPS-13). */
export function acceptAnswer(
  ref: string | null,
  record: OperationRecord,
  told: Told = accepted(record),
): RunAnswer {
  const handle = handleOf(ref, record);
  const meta: JsonObject = {
    plan_commit_ref: record.ref,
    dry_verdict: record.verdict,
    op: operationMeta(told),
  };
  const text = `wait(${handle}) · verdict ${record.verdict} · plan \`${record.ref}\``;
  return { text, meta, results: [], accepted: handle };
}

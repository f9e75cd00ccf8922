import { fail } from "../../errors/problem.ts";
import type { OperationKey } from "../../ports.ts";
import type { OperationRecord } from "../../records/operations.ts";
import type { StoreOps } from "../../store-port.ts";

/** How far a run is: of its steps, and in words (OPS-25). */
export interface RunProgress {
  readonly k: number;
  readonly of: number;
  readonly line: string;
}

/** A live run as a surface hands it in, before any check (OPS-34). */
export interface RunArguments {
  /** may be left out with `planCommitRef`, which then runs what was planned under it */
  readonly program?: unknown;
  readonly planCommitRef?: unknown;
  readonly force?: unknown;
  readonly wait?: unknown;
  /** for answers that carry every row as data: no `rest` handles are made (SURF-30) */
  readonly complete?: boolean;
  readonly signal?: AbortSignal;
  /** told how far a run is that somebody waits for (OPS-25) */
  readonly onProgress?: (progress: RunProgress) => void;
  /** it is run by a schedule, with nobody to review it; no surface hands this in */
  readonly scheduled?: ScheduledBegin;
}

/** What a schedule's run notes in the transaction in which it begins: where it throws, nothing has begun (SAV-19). */
export interface ScheduledBegin {
  begins(tx: StoreOps, place: OperationKey, record: OperationRecord): Promise<void>;
}

const REF = /^pc(0|[1-9][0-9]{0,8})$/;

/** The arguments of a live run, checked (OPS-34). */
export interface CheckedArguments {
  readonly ref: string | null;
  readonly force: boolean;
  /** OPS-9; undefined where it was left out */
  readonly wait: boolean | undefined;
}

function optionalBoolean(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw fail("plasm-bad-request", `${name} is true or false.`);
}

/** Checks the arguments of a run; throws plasm-bad-request. */
export function checkArguments(request: {
  readonly planCommitRef?: unknown;
  readonly force?: unknown;
  readonly wait?: unknown;
}): CheckedArguments {
  const { planCommitRef: ref } = request;
  const wait = optionalBoolean("wait", request.wait);
  if (ref !== undefined && (typeof ref !== "string" || !REF.test(ref))) {
    throw fail("plasm-bad-request", "plan_commit_ref is the pcN of a plan, such as pc0.");
  }
  return { ref: ref ?? null, force: optionalBoolean("force", request.force) ?? false, wait };
}

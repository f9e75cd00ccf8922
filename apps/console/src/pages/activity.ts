import type { Approval, LogLine, LongRun } from "../records.ts";

/** What goes on of one catalog by one caller, in numbers. */
export interface Activity {
  /** null where a line of the audit log names none */
  readonly catalog: string | null;
  readonly caller: string | null;
  readonly runs: number;
  readonly waits: number;
  readonly failed: number;
}

/** How an effect ends that went well. */
const WELL: readonly (string | null)[] = ["done", "skipped"];

/** Whether a line of the audit log tells of something that was refused, or of an effect that did not go well. */
export const hasFailed = ({ kind, outcome }: LogLine): boolean =>
  kind === "refused" || (kind === "effect_ended" && !WELL.includes(outcome));

/** What {@link activities} counts. */
export interface Happening {
  /** operations that have not ended, and that have failed */
  readonly operations: readonly LongRun[];
  readonly approvals?: readonly Approval[];
  readonly lines?: readonly LogLine[];
}

type Count = "runs" | "waits" | "failed";

/**
 * Counts what runs, waits and failed lately by catalog and caller, the ones with the most failures first. What is on
 * several catalogs counts with each of them. An operation of which the audit log has lines counts by them alone.
 */
export function activities({
  operations,
  approvals = [],
  lines = [],
}: Happening): readonly Activity[] {
  const found = new Map<string, Activity>();
  const count = (catalogs: readonly (string | null)[], caller: string | null, what: Count) => {
    for (const catalog of new Set(catalogs.length === 0 ? [null] : catalogs)) {
      const key = JSON.stringify([catalog, caller]);
      const before = found.get(key) ?? { catalog, caller, runs: 0, waits: 0, failed: 0 };
      found.set(key, { ...before, [what]: before[what] + 1 });
    }
  };
  const failed = lines.filter(hasFailed);
  const told = new Set(failed.map((one) => one.operation_uuid));
  for (const { state, catalogs, subject, operation_uuid: uuid } of operations) {
    if (state === "accepted" || state === "running") count(catalogs, subject, "runs");
    else if (state === "failed" && !told.has(uuid)) count(catalogs, subject, "failed");
  }
  for (const { effects, subject } of approvals) {
    count(
      effects.map(({ catalog }) => catalog),
      subject,
      "waits",
    );
  }
  for (const { entry_id: catalog, subject } of failed) count([catalog], subject, "failed");
  return [...found.values()].toSorted(
    (a, b) =>
      b.failed - a.failed ||
      b.waits - a.waits ||
      b.runs - a.runs ||
      (a.catalog ?? "").localeCompare(b.catalog ?? "") ||
      (a.caller ?? "").localeCompare(b.caller ?? ""),
  );
}

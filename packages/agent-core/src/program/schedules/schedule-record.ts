import type { MissedRuns, ScheduledRun, ScheduleRecord } from "../../records/schedules.ts";
import type { StoreOps } from "../../store-port.ts";

/** A due time that is seen to later than this was missed, and is made up for. */
const ON_TIME_MS = 120_000;
/** Lists of due times that were missed. */
const MOST_MISSED = 10;
/** Ended runs that are kept. */
const MOST_RUNS = 20;
/** How often a run that waits, or has begun, is looked at, in ms. */
const FOLLOW_MS = 5_000;
/** Later than any look: what is not due. */
const NEVER = 8_640_000_000_000_000;

/** What reads times: few starts need it, so that it is loaded with the first schedule. */
export const timetables = () => import("./cron.ts");

/** Another version may give other columns: what it reads first is what the rest is compared with. */
export const rebased = (
  { version, watch }: ScheduleRecord,
  next: string,
): Pick<ScheduleRecord, "watch"> =>
  watch === undefined || version === next
    ? {}
    : { watch: { ...watch, fields: false, reading: 0, rows: 0 } };

/** A schedule that does nothing from now on. What has begun goes on; what waits for a person is given up. */
export function paused(record: ScheduleRecord, now: number): ScheduleRecord {
  const { current } = record;
  const goesOn = current === null || current.state === "started";
  const next = { ...record, paused: true, next: null };
  if (goesOn) return next;
  const message = "It was paused before it began.";
  return over(next, { ...current, state: "refused", message, endedAt: now });
}

/** A schedule whose run is over. */
export const over = (record: ScheduleRecord, run: ScheduledRun): ScheduleRecord => ({
  ...record,
  current: null,
  runs: [run, ...record.runs].slice(0, MOST_RUNS),
});

/** When a schedule is to be looked at next, by what it is. */
export function nextLook({ next, current }: ScheduleRecord, now = 0): number {
  const due = next ?? NEVER;
  return current === null ? due : Math.min(due, now + FOLLOW_MS);
}

/** Another process, or its owner, has changed the schedule meanwhile. */
export class TakenError extends Error {
  override readonly name = "TakenError";
}

/** Writes a schedule in place of the version that was read. Throws TakenError. */
export async function replaceSchedule(
  tx: StoreOps,
  scope: string,
  id: string,
  version: number,
  record: ScheduleRecord,
): Promise<void> {
  if (!(await tx.cas("schedule", scope, id, version, record))) {
    throw new TakenError("The schedule was changed meanwhile");
  }
  await tx.ageFrom("schedule", scope, id, nextLook(record, tx.now()));
}

/** A schedule with what has become due of it (SAV-21): one run at most, and the rest told as missed. */
export async function withDue(record: ScheduleRecord, now: number): Promise<ScheduleRecord> {
  const { dueNow, nextDue } = await timetables();
  const { next, current } = record;
  const due = next === null ? null : dueNow(record, next, now);
  if (due === null) return record;
  const after = { ...record, next: nextDue(record, now) };
  if (current !== null) {
    const { count, more, from } = due.missed ?? { count: 0, more: false, from: due.due };
    const skipped = { count: count + 1, more, from, to: due.due, why: "run_before" } as const;
    return { ...after, missed: withMissed(record.missed, skipped, current.due) };
  }
  const missed =
    due.missed === null
      ? record.missed
      : withMissed(record.missed, { ...due.missed, why: "nothing_ran" }, null);
  const late = now - due.due > ON_TIME_MS;
  return { ...after, missed, current: starting(due.due, late, now) };
}

/** A watch that its API has told to read, and that does nothing else. */
export const withWoken = (
  record: ScheduleRecord,
  since: number | null,
  now: number,
): ScheduleRecord =>
  since === null || record.current !== null
    ? record
    : { ...record, current: starting(since, false, now) };

const starting = (due: number, late: boolean, at: number): ScheduledRun => ({
  due,
  late,
  state: "starting",
  at,
  endedAt: null,
  ref: null,
  approval: null,
  operation: null,
  code: null,
  message: null,
  rows: null,
  effectsDone: null,
  inDoubt: null,
});

/** What was missed while one run was not over is one entry, however long that took. */
function withMissed(
  before: readonly MissedRuns[],
  missed: MissedRuns,
  during: number | null,
): readonly MissedRuns[] {
  const [last, ...others] = before;
  const goesOn = during !== null && last?.why === "run_before" && last.from > during;
  if (last === undefined || !goesOn) return [missed, ...before].slice(0, MOST_MISSED);
  const count = last.count + missed.count;
  return [{ ...last, count, more: last.more || missed.more, to: missed.to }, ...others];
}

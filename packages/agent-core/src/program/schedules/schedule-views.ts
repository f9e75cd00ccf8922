import type { Json, JsonObject } from "@plasm/core";
import type {
  MissedRuns,
  ScheduledRun,
  ScheduleRecord,
  WatchEventRecord,
  WatchState,
} from "../../records/schedules.ts";
import { isoTime, isoTimeOrNull } from "../../answer/times.ts";

/** One due time as a schedule shows what became of it. */
export type ScheduledRunView = {
  readonly due_at: string;
  readonly late: boolean;
  readonly state: ScheduledRun["state"];
  readonly ended_at: string | null;
  readonly plan_commit_ref: string | null;
  /** who decides on it does so by this uuid (OPS-36) */
  readonly commit_uuid: string | null;
  readonly waits_until: string | null;
  readonly operation_uuid: string | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly rows: number | null;
  readonly effects_done: number | null;
  readonly in_doubt: number | null;
};

/** Due times at which nothing was run. */
export type MissedView = {
  readonly count: number;
  /** there were more than are counted */
  readonly more: boolean;
  readonly from: string;
  readonly to: string;
  readonly why: MissedRuns["why"];
  /** the same in words */
  readonly text: string;
};

/** A schedule as it is shown (SAV-17). */
export type ScheduleView = {
  readonly schedule_uuid: string;
  readonly program: string;
  readonly version: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  readonly owner: string | null;
  readonly own: boolean;
  readonly created_at: string;
  readonly next_at: string | null;
  /** why the next run would be refused, as far as that is known now; null where nothing is */
  readonly problem: string | null;
  readonly current: ScheduledRunView | null;
  readonly runs: readonly ScheduledRunView[];
  readonly missed: readonly MissedView[];
  /** null where rows are not compared */
  readonly watch: {
    readonly key: readonly string[];
    readonly reading: number;
    readonly rows: number;
    readonly last_event_id: string | null;
    /** the webhook at which it reads, and where the API sends it; null without one */
    readonly webhook: { readonly name: string; readonly path: string } | null;
  } | null;
};

/** A row that appeared, changed or vanished, as readers get it (WATCH-03). */
export type WatchEventView = {
  readonly id: string;
  readonly at: string;
  readonly reading: number;
  readonly kind: WatchEventRecord["kind"];
  readonly key: JsonObject;
  readonly row: JsonObject | null;
  /** the row is too long to be here */
  readonly cut: boolean;
};

/** Events of a watch after one of them, in their order (WATCH-04). */
export type WatchEvents = {
  readonly events: readonly WatchEventView[];
  /** how many there were before these, after the one that was named, which are kept no longer */
  readonly forgotten: number;
  /** `after` of those that follow; null where there are none yet */
  readonly next: string | null;
};

/** The address at which a watch is told, on whatever server. */
const webhookPath = (scope: string, id: string): string =>
  `/v1/webhooks/${encodeURIComponent(scope)}/${id}`;

const WHY: Readonly<Record<MissedRuns["why"], string>> = {
  nothing_ran: "no server ran",
  run_before: "the run before was not over",
};

function missedView({ count, more, from, to, why }: MissedRuns): MissedView {
  const text = `missed ${more ? "more than " : ""}${count} from ${isoTime(from)} to ${isoTime(to)}: ${WHY[why]}`;
  return { count, more, from: isoTime(from), to: isoTime(to), why, text };
}

function runView(run: ScheduledRun): ScheduledRunView {
  const { due, late, state, endedAt, ref, approval, operation } = run;
  const { code, message, rows, effectsDone, inDoubt } = run;
  return {
    due_at: isoTime(due),
    late,
    state,
    ended_at: isoTimeOrNull(endedAt),
    plan_commit_ref: ref,
    commit_uuid: approval?.uuid ?? null,
    waits_until: isoTimeOrNull(approval?.until ?? null),
    operation_uuid: operation?.uuid ?? null,
    code,
    message,
    rows,
    effects_done: effectsDone,
    in_doubt: inDoubt,
  };
}

const watchView = (scope: string, id: string, watch: WatchState) => ({
  key: watch.key,
  reading: watch.reading,
  rows: watch.rows,
  last_event_id: watch.last,
  webhook:
    watch.webhook === undefined ? null : { name: watch.webhook, path: webhookPath(scope, id) },
});

export const eventView = ({
  id,
  at,
  reading,
  kind,
  key,
  row,
  cut,
}: WatchEventRecord): WatchEventView => ({
  id,
  at: isoTime(at),
  reading,
  kind,
  key,
  row,
  cut,
});

/** A schedule as it is shown: whether it is the caller's, and why its next run would be refused. */
export function scheduleView(
  one: ScheduleRecord,
  scope: string,
  own: boolean,
  problem: string | null,
): ScheduleView {
  const { id, name, version, cron, zone, paused, subject, next, current, runs, missed } = one;
  return {
    schedule_uuid: id,
    program: name,
    version,
    arguments: one.arguments,
    cron,
    zone,
    paused,
    owner: subject,
    own,
    created_at: isoTime(one.createdAt),
    next_at: isoTimeOrNull(next),
    problem,
    current: current === null ? null : runView(current),
    runs: runs.map(runView),
    missed: missed.map(missedView),
    watch: one.watch === undefined ? null : watchView(scope, id, one.watch),
  };
}

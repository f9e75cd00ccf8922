import { Cron } from "croner";
import { named } from "../../errors/arguments.ts";
import { fail } from "../../errors/problem.ts";
import type { MissedRuns } from "../../records/schedules.ts";

/** When something is due: five fields of cron, read in a zone. */
export interface Timetable {
  readonly cron: string;
  readonly zone: string;
}

/** How many due times are counted that were missed. */
const MOST_COUNTED = 1_000;

const MOST_CHARACTERS = 100;

/** Five fields, so that nothing is due more than once a minute; words such as `@daily` are none. */
const FIVE_FIELDS = /^\S+(?: \S+){4}$/u;

/**
 * Times of day in a gap are due at its end, and those of a doubled hour once; what comes by the hour or minute is due
 * whenever the clock shows it (SAV-22).
 */
const cronOf = ({ cron, zone }: Timetable): Cron =>
  new Cron(cron, { timezone: zone, mode: "5-part", fixedTimeRule: "no-wildcard", paused: true });

function zoneOf(zone: unknown): string {
  if (zone === undefined) return "UTC";
  const shown = typeof zone === "string" ? named(zone) : typeof zone;
  try {
    if (typeof zone !== "string" || !/^[A-Za-z]/u.test(zone)) throw new RangeError();
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw fail(
      "plasm-bad-request",
      `zone is ${shown}, and must be the name of a time zone, such as Europe/Berlin or UTC.`,
    );
  }
}

/** Reads when something is due. Throws plasm-bad-request where that is never, or cannot be read. */
export function readTimetable(given: unknown, givenZone: unknown, now: number): Timetable {
  const zone = zoneOf(givenZone);
  const cron = typeof given === "string" ? given.trim().replaceAll(/\s+/gu, " ") : "";
  if (cron.length > MOST_CHARACTERS || !FIVE_FIELDS.test(cron)) {
    const shown = typeof given === "string" ? named(given) : typeof given;
    throw fail(
      "plasm-bad-request",
      `cron is ${shown}, and must be five fields: minute, hour, day of the month, month and day of the week, as in 0 7 * * 1.`,
    );
  }
  const table = { cron, zone };
  try {
    if (nextDue(table, now) !== null) return table;
  } catch (thrown) {
    const why = (thrown as Error).message.replace(/^CronPattern: /u, "");
    throw fail("plasm-bad-request", `cron is ${named(cron)}: ${why}.`);
  }
  throw fail("plasm-bad-request", `cron is ${named(cron)}, which no day is. It would never run.`);
}

/** The first due time after a moment, in ms; null where there is none. */
export const nextDue = (table: Timetable, after: number): number | null =>
  cronOf(table).nextRun(new Date(after))?.getTime() ?? null;

/** What is due of a schedule: the last due time, and those before it at which nothing was run. */
export interface DueNow {
  readonly due: number;
  readonly missed: Pick<MissedRuns, "count" | "more" | "from" | "to"> | null;
}

/** What has become due since `next`, which is the first due time that was not seen to; null where that is yet to come. */
export function dueNow(table: Timetable, next: number, now: number): DueNow | null {
  if (next > now) return null;
  const cron = cronOf(table);
  const times = [next];
  for (;;) {
    const at = cron.nextRun(new Date(times.at(-1) ?? next))?.getTime();
    if (at === undefined || at > now) break;
    if (times.length > MOST_COUNTED) {
      // Backwards from now, since nobody counts a year of minutes one by one.
      const [due, before] = cron.previousRuns(2, new Date(now + 1)).map((one) => one.getTime());
      const missed = { count: MOST_COUNTED, more: true, from: next, to: before ?? next };
      return { due: due ?? next, missed };
    }
    times.push(at);
  }
  const due = times.at(-1) ?? next;
  const before = times.slice(0, -1);
  const to = before.at(-1);
  const missed = to === undefined ? null : { count: before.length, more: false, from: next, to };
  return { due, missed };
}

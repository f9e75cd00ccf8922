import { describe, expect, it } from "vitest";
import { Failure } from "../../errors/problem.ts";
import { dueNow, nextDue, readTimetable } from "./cron.ts";

const at = (text: string): number => Date.parse(text);
const NOW = at("2026-01-05T10:00:00Z");
const table = (cron: string, zone?: string) => readTimetable(cron, zone, NOW);

/** The due times after a moment, one after the other. */
function times(cron: string, zone: string, after: string, count: number): readonly string[] {
  const found: string[] = [];
  for (let from = at(after); found.length < count;) {
    const next = nextDue(table(cron, zone), from);
    if (next === null) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    from = next;
  }
  return found;
}

const refusal = (cron: unknown, zone?: unknown): string => {
  try {
    readTimetable(cron, zone, NOW);
    return "read";
  } catch (thrown) {
    return thrown instanceof Failure ? `${thrown.problem.code}: ${thrown.problem.text}` : "defect";
  }
};

describe("SAV-22 due times where clocks change", () => {
  it.each([
    // 02:30 is not there on the last Sunday of March: it is due when the gap ends, that day alone.
    ["30 2 * * *", "2027-03-27T02:00Z", ["2027-03-28T01:00", "2027-03-29T00:30"]],
    // 02:30 comes twice on the last Sunday of October: the first is meant.
    ["30 2 * * *", "2027-10-30T02:00Z", ["2027-10-31T00:30", "2027-11-01T01:30"]],
    // What comes by the half hour comes by the half hour.
    ["*/30 * * * *", "2027-03-28T00:15Z", ["2027-03-28T00:30", "2027-03-28T01:00"]],
    [
      "*/30 2 * * *",
      "2027-10-31T00:00Z",
      ["2027-10-31T00:30", "2027-10-31T01:00", "2027-10-31T01:30"],
    ],
    // A list of hours is times of day, too.
    ["0 2,14 * * *", "2027-03-27T20:00Z", ["2027-03-28T01:00", "2027-03-28T12:00"]],
    ["0 7 * * 1", "2027-03-22T12:00Z", ["2027-03-29T05:00", "2027-04-05T05:00"]],
  ])("%s in Berlin after %s", (cron, after, expected) => {
    expect(times(cron, "Europe/Berlin", after, expected.length)).toEqual(expected);
  });

  it("half an hour of gap, where clocks change by that", () => {
    const found = times("15 2 * * *", "Australia/Lord_Howe", "2027-10-01T16:00Z", 2);
    expect(found).toEqual(["2027-10-02T15:30", "2027-10-03T15:15"]);
  });
});

describe("SAV-17 what is read as a time", () => {
  it.each([
    ["0 7 * *", "must be five fields"],
    ["0 0 7 * * 1", "must be five fields"],
    ["@daily", "must be five fields"],
    ["", "must be five fields"],
    [7, "cron is number"],
    ["99 * * * *", "Invalid value for minute: 99"],
    ["0 7 * * 8", "Invalid value for dayOfWeek: 8"],
    ["0 7 * * 1\n0 8 * * 1", "must be five fields"],
    ["0 0 30 2 *", "would never run"],
  ])("%j is refused", (cron, why) => {
    expect(refusal(cron)).toMatch(/^plasm-bad-request: /);
    expect(refusal(cron)).toContain(why);
  });

  it.each(["Europe/Berlinn", "+02:00", "", 2, "Mars/Olympus"])("zone %j is refused", (zone) => {
    expect(refusal("0 7 * * 1", zone)).toContain("must be the name of a time zone");
  });

  it("zones have one spelling, blanks are one, and UTC is meant without one", () => {
    expect(table(" 0  7 * * 1 ", "europe/berlin")).toEqual({
      cron: "0 7 * * 1",
      zone: "Europe/Berlin",
    });
    expect(table("0 7 * * mon").zone).toBe("UTC");
  });
});

describe("SAV-21 what has become due", () => {
  const hourly = table("0 * * * *");
  const first = at("2026-01-05T11:00:00Z");

  it("is nothing before its time, the time itself when it comes, and the last of several", () => {
    expect(dueNow(hourly, first, first - 1)).toBeNull();
    expect(dueNow(hourly, first, first)).toEqual({ due: first, missed: null });
    expect(dueNow(hourly, first, at("2026-01-05T14:10:00Z"))).toEqual({
      due: at("2026-01-05T14:00:00Z"),
      missed: { count: 3, more: false, from: first, to: at("2026-01-05T13:00:00Z") },
    });
  });

  it("a year of minutes is not counted one by one", () => {
    const now = at("2027-01-05T10:00:30Z");
    expect(dueNow(table("* * * * *"), first, now)).toEqual({
      due: at("2027-01-05T10:00:00Z"),
      missed: { count: 1_000, more: true, from: first, to: at("2027-01-05T09:59:00Z") },
    });
  });
});

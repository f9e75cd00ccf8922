import type { RedmineRecords } from "./redmine-records.ts";

/** What one caller works on: a version of the project Harbour with three issues of its own. */
export interface Work {
  readonly caller: string;
  readonly version: number;
  /** by id */
  readonly issues: readonly [number, number, number];
}

export const HARBOUR = 1;
const ROLES = ["first", "second", "third"] as const;

/** The subject of the first, second or third of a caller's issues. */
export const subjectOf = (caller: string, at: number): string => `${ROLES[at]} of ${caller}`;

/** Makes a caller's issues; the second starts later than the others. */
export async function prepareWork(records: RedmineRecords, caller: string): Promise<Work> {
  const name = `Work of ${caller}`;
  const version = await records.add(`/projects/${HARBOUR}/versions.json`, "version", { name });
  const issue = (at: number): Promise<number> =>
    records.add("/issues.json", "issue", {
      project_id: HARBOUR,
      fixed_version_id: version,
      subject: subjectOf(caller, at),
      priority_id: 3,
      start_date: at === 1 ? "2027-06-01" : "2027-01-04",
    });
  return { caller, version, issues: [await issue(0), await issue(1), await issue(2)] };
}

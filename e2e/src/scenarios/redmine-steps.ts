import { expect } from "vitest";
import type { RedmineState } from "./redmine-records.ts";
import { HARBOUR, subjectOf, type Work } from "./redmine-work.ts";

/** One thing an agent does, and what Redmine must have recorded of it. */
export interface Step {
  readonly does: string;
  program(work: Work): string;
  /** the header of its plan, behind verdict and ref */
  readonly planned: string;
  /** one line an effect; `state` is Redmine's after it */
  done(work: Work, state: RedmineState): readonly string[];
  /** method and path of each request that changes something */
  writes(work: Work): readonly string[];
  recorded(work: Work, before: RedmineState, after: RedmineState): void;
}

interface Numbered {
  readonly id: number;
}

/** The id of the row that was made last. */
const newest = (rows: readonly Numbered[]): number => Math.max(...rows.map(({ id }) => id));

const noteOf = ({ caller }: Work): string => `Looked at by ${caller}.`;

const create: Step = {
  does: "create an issue by what was projected and rendered of another",
  program: ({
    version,
    caller,
  }) => `from = Issue{version=${version}}.sort(id, asc).limit(1)[subject, priority]
title = from <<T
{{ rows[0].subject }}, again
T
made = Issue.create(project=${HARBOUR}, subject=title.content, priority=from.priority, description="by ${caller}")
made[subject, description]`,
  planned: "7 nodes, 2 requests or more, 1 effect → Issue",
  done: (_, { issues }) => [`done create redmine.Issue ${newest(issues.latest)}`],
  writes: () => [`POST /projects/${HARBOUR}/issues.json`],
  recorded: ({ caller }, before, after) => {
    expect(after.times).toEqual(before.times);
    expect(after.issues.total).toBe(before.issues.total + 1);
    expect(after.issues.latest[0]).toMatchObject({
      subject: `${subjectOf(caller, 0)}, again`,
      priority: { id: 3 },
      description: `by ${caller}`,
    });
  },
};

const update: Step = {
  does: "update three issues with =>",
  program: (work) => `three = Issue{version=${work.version}}.sort(id, asc)
three => Issue(_.id).update(done_ratio=40, notes="${noteOf(work)}")`,
  planned: "3 nodes, 1 request or more, effects unknown → Issue",
  done: ({ issues }) => issues.map((id) => `done update redmine.Issue ${id}`),
  writes: ({ issues }) => issues.map((id) => `PUT /issues/${id}.json`),
  recorded: (work, before, after) => {
    expect(after.issues.total).toBe(before.issues.total);
    expect(after.times).toEqual(before.times);
    for (const id of work.issues) {
      expect(before.journals[id]).toEqual([]);
      expect(after.journals[id]).toMatchObject([
        { notes: noteOf(work), details: [{ name: "done_ratio", new_value: "40" }] },
      ]);
      expect(after.issues.latest.find((issue) => issue.id === id)).toMatchObject({
        done_ratio: 40,
      });
    }
  },
};

const logTime: Step = {
  does: "log time",
  program: ({ issues, caller }) =>
    `TimeEntry.create(issue=${issues[2]}, hours=1.25, activity=9, spent_on=2027-01-05, comments="${caller}")[hours, spent_on]`,
  planned: "2 nodes, 1 request, 1 effect → TimeEntry",
  done: (_, { times }) => [`done create redmine.TimeEntry ${newest(times.latest)}`],
  writes: ({ issues }) => [`POST /issues/${issues[2]}/time_entries.json`],
  recorded: ({ issues, caller }, before, after) => {
    expect(after.issues.total).toBe(before.issues.total);
    expect(after.times.total).toBe(before.times.total + 1);
    const logged = after.times.latest.find(({ id }) => id === newest(after.times.latest));
    expect(logged).toMatchObject({
      issue: { id: issues[2] },
      activity: { id: 9 },
      hours: 1.25,
      spent_on: "2027-01-05",
      comments: caller,
    });
  },
};

const remove: Step = {
  does: "delete an issue, and the time on it",
  program: ({ issues }) => `Issue(${issues[2]}).delete()`,
  planned: "1 node, 1 request, 1 effect → Issue",
  done: ({ issues }) => [`done delete redmine.Issue ${issues[2]}`],
  writes: ({ issues }) => [`DELETE /issues/${issues[2]}.json`],
  recorded: ({ issues }, before, after) => {
    expect(after.issues.total).toBe(before.issues.total - 1);
    expect(after.times.total).toBe(before.times.total - 1);
    expect(Object.keys(before.journals)).toEqual(issues.map(String));
    expect(Object.keys(after.journals)).toEqual(issues.slice(0, 2).map(String));
  },
};

/** In this order: later steps work on what earlier ones left. */
export const STEPS: readonly Step[] = [create, update, logTime, remove];

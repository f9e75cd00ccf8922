import { describe, expect, test } from "vitest";
import { openTalk, OWN_CALLERS } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import type { Talk } from "../harness/talk.ts";
import { expectHalfway, isWrite, type Halfway, type Witness } from "./halfway.ts";
import { HARBOUR, prepareWork, type Work } from "./redmine-work.ts";
import { useRedmineWorld } from "./use-redmine-world.ts";

const redmine = useRedmineWorld();
const seeds = seedsOf("redmine", "Issue", "TimeEntry");

const witness = (work: Work): Witness => {
  const { proxy, records } = redmine();
  return {
    forgetRequests: () => proxy.forgetRequests(),
    requests: () => proxy.requests.map((request) => request.replace(/\?.*$/, "")),
    state: () => records.state(work.issues),
  };
};

const named = (nodes: readonly string[], { issues }: Work) =>
  issues.map((id, at) => `${nodes[at]} update redmine.Issue ${id}`) as unknown as [
    string,
    string,
    string,
  ];

const writes = ({ issues: [first, second] }: Work): readonly string[] => [
  `PUT /issues/${first}.json`,
  `PUT /issues/${second}.json`,
];

/** The second issue starts after the day that all three are to be done by. */
const perRow = (work: Work): Halfway => ({
  catalog: "redmine",
  program: `three = Issue{version=${work.version}}.sort(id, asc)
three => Issue(_.id).update(due_date=2027-03-01, notes="Due.")`,
  effects: named(["n3[0]", "n3[1]", "n3[2]"], work),
  said: "Due date must be greater than start date",
  writes: writes(work),
});

const statements = (work: Work): Halfway => {
  const [first, second, third] = work.issues;
  return {
    catalog: "redmine",
    program: `Issue(${first}).update(notes="One.")
Issue(${second}).update(done_ratio=150)
Issue(${third}).update(notes="Three.")`,
    effects: named(["n1", "n2", "n3"], work),
    said: "% Done is not included in the list",
    writes: writes(work),
  };
};

/** Programs that Redmine answers with 422, and its words. */
const REFUSED: readonly (readonly [program: (work: Work) => string, said: string])[] = [
  [() => `Issue.create(project=${HARBOUR}, subject="")`, "Subject cannot be blank"],
  [({ issues }) => `Issue(${issues[0]}).update(assigned_to=99)`, "Assignee is invalid"],
  [
    ({ issues }) => `Issue(${issues[0]}).update(done_ratio=150)`,
    "% Done is not included in the list",
  ],
  [({ issues }) => `TimeEntry.create(issue=${issues[0]}, hours=1)`, "Activity cannot be blank"],
];

async function withTalk(
  caller: (typeof OWN_CALLERS)[number],
  what: string,
  work: (talk: Talk, made: Work) => Promise<void>,
): Promise<void> {
  const { world, records } = redmine();
  const made = await prepareWork(records, `${caller}, ${what}`);
  const talk = await openTalk(caller, world, { intent: `${caller}: ${what}`, seeds });
  try {
    await work(talk, made);
  } finally {
    await talk.close();
  }
}

describe.each(OWN_CALLERS)("%s, on a real Redmine", (caller) => {
  test.each([
    ["in =>", perRow],
    ["in three statements", statements],
  ])("F20 G1 P27 the second of three effects fails, %s", async (how, halfway) => {
    await withTalk(caller, how, async (talk, work) => {
      expect(await expectHalfway(talk, halfway(work), witness(work))).toBe("pc0");
    });
  });

  test("RUN-039 what Redmine says of a value it refuses reaches the agent", async () => {
    await withTalk(caller, "refusals", async (talk, work) => {
      const { proxy, records } = redmine();
      const before = await records.state(work.issues);
      for (const [program, said] of REFUSED) {
        proxy.forgetRequests();
        const refused = await talk.run(program(work), { force: true });
        expect(refused).toMatchObject({ outcome: "failed" });
        expect(refused.text).toContain("422");
        expect(refused.text).toContain(`"${said}"`);
        expect(proxy.requests.filter(isWrite)).toHaveLength(1);
      }
      expect(await records.state(work.issues)).toEqual(before);
    });
  });
});

import type { Json, JsonObject } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { useRedmineWorld } from "./use-redmine-world.ts";

const running = useRedmineWorld();

/** Ids of the seed: the project Harbour, a version and a category of it, three issues. */
const [HARBOUR, VERSION, CATEGORY, FIRST, SECOND, THIRD] = [1, 2, 1, 101, 102, 103];

const LISTS = [
  "/issues.json?status_id=*&limit=100&sort=id",
  "/issues.json?status_id=*&limit=100&sort=id&offset=100",
  "/time_entries.json?limit=100",
  `/projects/${HARBOUR}.json`,
  `/projects/${HARBOUR}/versions.json`,
  `/projects/${HARBOUR}/issue_categories.json`,
  `/issues/${FIRST}/relations.json`,
];

/** Redmine notes by itself when a row was changed. */
const NOTED = new Set(["updated_on"]);

function without(value: Json): Json {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([name]) => !NOTED.has(name))
      .map(([name, of]) => [name, without(of)]),
  );
}

/** All that the effects of these tests can touch, as Redmine's own API tells it. */
async function dump(): Promise<readonly Json[]> {
  const { url, adminKey } = running().redmine;
  const read = async (path: string): Promise<Json> => {
    const response = await fetch(url + path, { headers: { "X-Redmine-API-Key": adminKey } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return without((await response.json()) as Json);
  };
  return Promise.all(LISTS.map(read));
}

async function write(method: string, path: string, body: JsonObject): Promise<void> {
  const { url, adminKey } = running().redmine;
  const headers = { "X-Redmine-API-Key": adminKey, "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

async function open(what: string) {
  const agent = await running().world.agent("HTTP");
  const names = ["Issue", "Version", "Category", "TimeEntry", "IssueRelation", "Project"];
  const session = await openSession(agent, what, seedsOf("redmine", ...names));
  return { agent, ...session };
}

const CHANGES = `Issue(${FIRST}).update(subject="All boats leave", done_ratio=70, description="Today.")
Issue(${SECOND}).update(priority=3, due_date=2027-03-01)
Version(${VERSION}).update(name="Spring", description="As agreed")
Category(${CATEGORY}).update(name="Ropes")
Project(${HARBOUR}).update(description="Closed in winter")
TimeEntry.create(issue=${SECOND}, hours=1.5, activity=9, comments="knots")
IssueRelation.create(from_issue=${FIRST}, to_issue=${THIRD}, type=blocks)
Issue.create(project=${HARBOUR}, subject="Count the boats")`;

describe("a real Redmine", () => {
  test("UNDO-05 is as its own API says that it was before, whatever a program did to it", async () => {
    const { agent, ref } = await open("change and take back");
    const before = await dump();
    const plan = await agent.plan(ref, CHANGES);
    expect(plan.text.match(/undo by restore/g)).toHaveLength(5);
    const done = await agent.run(ref, CHANGES, { force: true, wait: true });
    expect(done.meta.effects).toHaveLength(8);
    expect(await dump()).not.toEqual(before);
    const undo = `undo(${done.meta.plan_commit_ref})`;
    const undone = await agent.run(ref, undo, { force: true, wait: true });
    expect(undone.meta.effects).toHaveLength(8);
    expect(await dump()).toEqual(before);
  });

  test("UNDO-06 is left as somebody else has changed it since", async () => {
    const { agent, ref } = await open("changed since");
    const program = `Issue(${FIRST}).update(subject="All boats leave")\nVersion(${VERSION}).update(name="Autumn")`;
    const done = await agent.run(ref, program, { force: true, wait: true });
    await write("PUT", `/issues/${FIRST}.json`, { issue: { subject: "All boats stay" } });
    const undo = `undo(${done.meta.plan_commit_ref})`;
    const refused = await agent.run(ref, undo, { force: true, wait: true }).then(
      ({ text }) => text,
      (thrown: unknown) => String(thrown),
    );
    expect(refused).toMatch(/done .*update redmine\.Version 2/);
    expect(refused).toMatch(/precondition_failed[^]*subject/);
    const [, further, , , versions] = (await dump()).map((one) => JSON.stringify(one));
    expect(further).toContain("All boats stay");
    expect(versions).not.toContain("Autumn");
  });
});

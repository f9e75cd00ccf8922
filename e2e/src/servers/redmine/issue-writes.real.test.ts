import type { Json, JsonObject } from "@plasm/core";
import { expect, test } from "vitest";
import { redmineCatalog, requestOf } from "./catalog-call.ts";
import type { Row } from "./redmine-client.ts";
import { useRedmine } from "./use-redmine.ts";

/** Ids of the seed: people, statuses, versions and categories of the project Harbour. */
const HARBOUR = 1;
const ANN = 5;
const BJORN = 6;
const CARLA = 7;
const FINN_LOCKED = 10;
const VERSION_1_1 = 2;
const HARDWARE = 1;
const [CLOSED, SUPPORT, HIGH, SEVERITY] = [5, 3, 3, 1];

const redmine = useRedmine();

const issue = (args: JsonObject = {}): Promise<Row> =>
  redmine().create("issue_create", { project: HARBOUR, subject: "Rope is wet", ...args });

const recordOf = (id: number, include = "journals,watchers"): Promise<JsonObject> =>
  redmine().record(`/issues/${id}.json?include=${include}`);

const everything: JsonObject = {
  description: "Since *Monday*.\n\nTwice.",
  tracker: SUPPORT,
  priority: HIGH,
  assigned_to: ANN,
  category: HARDWARE,
  version: VERSION_1_1,
  parent: 1,
  start_date: "2027-01-04",
  due_date: "2027-02-01",
  estimated_hours: 2.5,
  done_ratio: 10,
  is_private: true,
  watchers: [BJORN, CARLA],
  custom_fields: [{ id: SEVERITY, value: "major" }],
};

/** The same as Redmine records it, which ends lines in its own way. */
const everythingRecorded = {
  project: { id: HARBOUR },
  description: "Since *Monday*.\r\n\r\nTwice.",
  tracker: { id: SUPPORT },
  priority: { id: HIGH },
  assigned_to: { id: ANN },
  category: { id: HARDWARE },
  fixed_version: { id: VERSION_1_1 },
  parent: { id: 1 },
  start_date: "2027-01-04",
  due_date: "2027-02-01",
  estimated_hours: 2.5,
  done_ratio: 10,
  is_private: true,
  custom_fields: [{ id: SEVERITY, value: "major" }],
};

test("create answers with the issue, spent hours included, and Redmine has it", async () => {
  const made = await issue(everything);
  const expected = { subject: "Rope is wet", ...everythingRecorded, spent_hours: 0 };
  expect(made).toMatchObject(expected);
  const found = await recordOf(made.id);
  expect(found).toMatchObject(expected);
  expect(found["watchers"]).toMatchObject([{ id: BJORN }, { id: CARLA }]);
});

test("create takes the nulls of a copied row; a start date of null is none", async () => {
  const nulls = Object.fromEntries(
    Object.keys(everything)
      .filter((name) => name !== "priority" && name !== "is_private")
      .map((name) => [name, null]),
  );
  const made = await issue(nulls);
  expect(made["start_date"]).toBeNull();
  expect(made).toMatchObject({ tracker: { id: 1 }, done_ratio: 0 });
  expect((await issue())["start_date"]).not.toBeNull();
});

test("create takes custom fields as rows have them, their names beside their values", async () => {
  const made = await issue({ custom_fields: [{ id: SEVERITY, name: "Severity", value: "minor" }] });
  expect(made).toMatchObject({ custom_fields: [{ id: SEVERITY, value: "minor" }] });
});

test("update sets every argument at once and comments on it", async () => {
  const { id } = await issue();
  const { watchers: _, ...args } = everything;
  const update = { ...args, subject: "Rope is dry", status: CLOSED, notes: "Dried." };
  const answer = await redmine().call({ capability: "issue_update", on: id, args: update });
  expect(answer).toStrictEqual({ status: 204, body: null });
  const found = await recordOf(id);
  expect(found).toMatchObject({ ...everythingRecorded, subject: "Rope is dry" });
  expect(found["status"]).toMatchObject({ id: CLOSED, is_closed: true });
  expect(found["journals"]).toMatchObject([{ notes: "Dried.", private_notes: false }]);
});

test.each<[string, string, Json | undefined]>([
  ["description", "description", null],
  ["assigned_to", "assigned_to", undefined],
  ["category", "category", undefined],
  ["version", "fixed_version", undefined],
  ["parent", "parent", undefined],
  ["start_date", "start_date", null],
  ["due_date", "due_date", null],
  ["estimated_hours", "estimated_hours", null],
  ["done_ratio", "done_ratio", 0],
])("update clears %s by null (MAP-022)", async (argument, member, cleared) => {
  const { id } = await issue(everything);
  expect((await recordOf(id))[member]).toBeTruthy();
  const answer = await redmine().call({
    capability: "issue_update",
    on: id,
    args: { [argument]: null },
  });
  expect(answer.status).toBe(204);
  expect((await recordOf(id))[member]).toStrictEqual(cleared);
});

test.each(["project", "tracker", "status"])(
  "update refuses null for %s, which Redmine would ignore, before anything is sent",
  (argument) => {
    const asked = { capability: "issue_update", on: 1, args: { [argument]: null } };
    const request = requestOf(redmineCatalog(), asked);
    expect(request).toMatchObject({ ok: false, errors: [{ variable: argument }] });
  },
);

test("update moves an issue to another project", async () => {
  const { id } = await issue();
  await redmine().call({ capability: "issue_update", on: id, args: { project: 2 } });
  expect(await recordOf(id)).toMatchObject({ project: { id: 2 } });
});

test("comment adds one note, private if so asked", async () => {
  const { id } = await issue();
  const comment = (args: JsonObject) =>
    redmine().call({ capability: "issue_comment", on: id, args });
  expect((await comment({ notes: "Seen." })).status).toBe(204);
  expect((await comment({ notes: "Hush.", private_notes: true })).status).toBe(204);
  expect((await recordOf(id))["journals"]).toMatchObject([
    { notes: "Seen.", private_notes: false, details: [] },
    { notes: "Hush.", private_notes: true },
  ]);
});

test("a comment is edited, and deleted by null", async () => {
  const { id } = await issue();
  await redmine().call({ capability: "issue_comment", on: id, args: { notes: "Sene." } });
  const journals = async () => (await recordOf(id))["journals"] as readonly Row[];
  const [first] = await journals();
  const edit = (args: JsonObject) =>
    redmine().call({ capability: "journal_update", on: first?.id ?? 0, args });
  expect((await edit({ notes: "Seen.", private_notes: true })).status).toBe(204);
  expect(await journals()).toMatchObject([{ notes: "Seen.", private_notes: true }]);
  expect((await edit({ notes: null })).status).toBe(204);
  expect(await journals()).toStrictEqual([]);
});

test("watchers come and go, each once", async () => {
  const { id } = await issue();
  const watch = (capability: string) => redmine().call({ capability, on: id, args: { user: ANN } });
  const watchers = async () => (await recordOf(id))["watchers"];
  for (const _ of [1, 2]) expect((await watch("issue_add_watcher")).status).toBe(204);
  expect(await watchers()).toMatchObject([{ id: ANN }]);
  expect((await watch("issue_remove_watcher")).status).toBe(204);
  expect(await watchers()).toStrictEqual([]);
});

test("delete takes subtasks and booked time with it", async () => {
  const parent = await issue();
  const child = await issue({ parent: parent.id });
  const time = await redmine().create("timeentry_create", {
    issue: child.id,
    hours: 1,
    activity: 9,
  });
  const gone = await redmine().call({ capability: "issue_delete", on: parent.id });
  expect(gone).toStrictEqual({ status: 204, body: null });
  for (const path of [`issues/${parent.id}`, `issues/${child.id}`, `time_entries/${time.id}`]) {
    expect(await redmine().statusOf(`/${path}.json`), path).toBe(404);
  }
});

test.each<[JsonObject, string]>([
  [{ subject: "" }, "Subject cannot be blank"],
  [{ assigned_to: 99 }, "Assignee is invalid"],
  [{ assigned_to: FINN_LOCKED }, "Assignee is invalid"],
  [{ category: 4 }, "Category is not included in the list"],
  [{ version: 5 }, "Target version is not included in the list"],
  [{ parent: 9999 }, "Parent task is invalid"],
  [{ priority: 999 }, "Priority cannot be blank"],
  [
    { start_date: "2027-05-05", due_date: "2027-05-01" },
    "Due date must be greater than start date",
  ],
  [{ done_ratio: 150 }, "% Done is not included in the list"],
  [{ custom_fields: [{ id: SEVERITY, value: "zz" }] }, "Severity is not included in the list"],
])("create and update with %j are refused in Redmine's words (RUN-039)", async (args, said) => {
  const { id } = await issue();
  const before = await recordOf(id);
  const create = { project: HARBOUR, subject: "x", ...args };
  const refusal = { status: 422, body: { errors: [said] } };
  expect(await redmine().call({ capability: "issue_create", args: create })).toStrictEqual(refusal);
  const answer = await redmine().call({ capability: "issue_update", on: id, args });
  expect(answer).toStrictEqual(refusal);
  expect(await recordOf(id)).toStrictEqual(before);
});

test("a project that is unknown is 404, one that is not the user's 403", async () => {
  const inProject = (project: number) =>
    redmine().call({ capability: "issue_create", args: { project, subject: "x" } }, "ann");
  expect((await inProject(999)).status).toBe(404);
  expect((await inProject(3)).status).toBe(403);
});

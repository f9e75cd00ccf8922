import type { JsonObject } from "@plasm/core";
import { expect, test } from "vitest";
import type { Answer } from "./redmine-client.ts";
import { useRedmine } from "./use-redmine.ts";

/** Ids of the seed. */
const [HARBOUR, WORKSHOP] = [1, 2];
const [ADMIN, ANN, BJORN, DAN] = [1, 5, 6, 8];
const [MANAGER, DEVELOPER, REPORTER] = [3, 4, 5];
const [DESIGN, DEVELOPMENT] = [8, 9];
const VERSION_1_1 = 2;
const HARDWARE = 1;
const DONE: Answer = { status: 204, body: null };

const redmine = useRedmine();

const refused = (...errors: readonly string[]): Answer => ({ status: 422, body: { errors } });

const create = (capability: string, args: JsonObject, login?: string) =>
  redmine().create(capability, args, login);

const call = (capability: string, args: JsonObject, on?: number, login?: string) =>
  redmine().call({ capability, args, ...(on === undefined ? {} : { on }) }, login);

const issue = async (): Promise<number> =>
  (await create("issue_create", { project: HARBOUR, subject: "Rope is wet" })).id;

test("time is booked on an issue, changed, and deleted", async () => {
  const on = await issue();
  const told = { activity: DEVELOPMENT, comments: "Wrung.", spent_on: "2026-03-03", user: ANN };
  const made = await create("timeentry_create", { issue: on, hours: 1.5, ...told });
  const recorded = {
    project: { id: HARBOUR },
    issue: { id: on },
    hours: 1.5,
    activity: { id: DEVELOPMENT },
    comments: "Wrung.",
    spent_on: "2026-03-03",
    user: { id: ANN },
  };
  expect(made).toMatchObject(recorded);
  const path = `/time_entries/${made.id}.json`;
  expect(await redmine().record(path)).toMatchObject(recorded);

  const change = {
    hours: 2,
    activity: DESIGN,
    comments: null,
    spent_on: "2026-03-04",
    user: BJORN,
  };
  expect(await call("timeentry_update", change, made.id)).toStrictEqual(DONE);
  expect(await redmine().record(path)).toMatchObject({
    hours: 2,
    activity: { id: DESIGN },
    comments: null,
    spent_on: "2026-03-04",
    user: { id: BJORN },
  });
  const moved = { issue: null, project: WORKSHOP };
  expect(await call("timeentry_update", moved, made.id)).toStrictEqual(DONE);
  const elsewhere = await redmine().record(path);
  expect(elsewhere["project"]).toMatchObject({ id: WORKSHOP });
  expect(elsewhere).not.toHaveProperty("issue");

  expect(await call("timeentry_delete", {}, made.id)).toStrictEqual(DONE);
  expect(await redmine().statusOf(path)).toBe(404);
});

test("time is booked on a project; day and user default to today and the key's user", async () => {
  const args = { project: HARBOUR, hours: 0.25, activity: DESIGN, custom_fields: null };
  const made = await create("timeentry_create_on_project", args, "ann");
  expect(made).toMatchObject({ project: { id: HARBOUR }, user: { id: ANN }, hours: 0.25 });
  expect(made).not.toHaveProperty("issue");
});

test.each<[JsonObject, string]>([
  [{}, "Activity cannot be blank"],
  [{ activity: 99 }, "Activity is not included in the list"],
  [{ activity: DESIGN, hours: -1 }, "Hours is invalid"],
  [{ activity: DESIGN, user: 99 }, "User is invalid"],
])("time with %j is refused in Redmine's words (RUN-039)", async (args, said) => {
  const on = await issue();
  expect(await call("timeentry_create", { issue: on, hours: 1, ...args })).toStrictEqual(
    refused(said),
  );
});

test("a version is made, changed, cleared, and deleted unless issues target it", async () => {
  const told = { description: "Ropes", status: "locked", due_date: "2027-01-01" };
  const made = await create("version_create", {
    project: HARBOUR,
    name: "3.0",
    ...told,
    sharing: "system",
    wiki_page_title: "Mooring_rules",
  });
  const path = `/versions/${made.id}.json`;
  const recorded = { name: "3.0", ...told, sharing: "system", wiki_page_title: "Mooring_rules" };
  expect(made).toMatchObject({ project: { id: HARBOUR }, ...recorded });
  expect(await redmine().record(path)).toMatchObject(recorded);

  const change = { name: "3.1", status: "closed", due_date: "2027-02-02" };
  expect(await call("version_update", change, made.id)).toStrictEqual(DONE);
  expect(await redmine().record(path)).toMatchObject({ ...recorded, ...change });

  const cleared = { description: null, due_date: null, wiki_page_title: null };
  const nulls = { ...cleared, sharing: null, custom_fields: null };
  expect(await call("version_update", nulls, made.id)).toStrictEqual(DONE);
  expect(await redmine().record(path)).toMatchObject({ ...cleared, name: "3.1", sharing: "none" });

  expect(await call("version_update", { name: "1.0" }, made.id)).toStrictEqual(
    refused("Name has already been taken"),
  );
  expect(await call("version_delete", {}, made.id)).toStrictEqual(DONE);
  expect(await redmine().statusOf(path)).toBe(404);
  expect((await call("version_delete", {}, VERSION_1_1)).status).toBe(422);
});

test("a category is made, changed, and deleted in favour of another", async () => {
  const made = await create("category_create", {
    project: HARBOUR,
    name: "Ropes",
    assigned_to: ANN,
  });
  expect(made).toMatchObject({ name: "Ropes", assigned_to: { id: ANN } });
  const path = `/issue_categories/${made.id}.json`;
  expect(
    await call("category_update", { name: "Lines", assigned_to: null }, made.id),
  ).toStrictEqual(DONE);
  const changed = await redmine().record(path);
  expect(changed["name"]).toBe("Lines");
  expect(changed).not.toHaveProperty("assigned_to");
  expect(await call("category_create", { project: HARBOUR, name: "Lines" })).toStrictEqual(
    refused("Name has already been taken"),
  );

  const on = await create("issue_create", { project: HARBOUR, subject: "x", category: made.id });
  expect(await call("category_delete", { reassign_to: HARDWARE }, made.id)).toStrictEqual(DONE);
  expect(await redmine().record(`/issues/${on.id}.json`)).toMatchObject({
    category: { id: HARDWARE },
  });
  const bare = await create("category_create", { project: HARBOUR, name: "Lines" });
  expect(await call("category_delete", {}, bare.id)).toStrictEqual(DONE);
});

test("a member comes with roles, gets others, and leaves", async () => {
  const roles = [DEVELOPER, REPORTER];
  const made = await create("membership_create", { project: HARBOUR, user: DAN, roles });
  expect(made).toMatchObject({ user: { id: DAN }, roles: roles.map((id) => ({ id })) });
  const path = `/memberships/${made.id}.json`;
  expect(await call("membership_update", { roles: [MANAGER] }, made.id)).toStrictEqual(DONE);
  expect((await redmine().record(path))["roles"]).toMatchObject([{ id: MANAGER }]);
  expect(await call("membership_delete", {}, made.id)).toStrictEqual(DONE);
  expect(await redmine().statusOf(path)).toBe(404);
});

test.each<[JsonObject, string]>([
  [{ user: ANN, roles: [DEVELOPER] }, "User has already been taken"],
  [{ user: 999, roles: [DEVELOPER] }, "Principal cannot be blank"],
  [{ user: ADMIN, roles: [99] }, "Role cannot be empty"],
])("a member with %j is refused in Redmine's words (RUN-039)", async (args, said) => {
  expect(await call("membership_create", { project: HARBOUR, ...args })).toStrictEqual(
    refused(said),
  );
});

test("issues are linked, in Redmine's direction, and unlinked", async () => {
  const [first, second] = [await issue(), await issue()];
  const made = await create("issuerelation_create", {
    from_issue: second,
    to_issue: first,
    type: "follows",
    delay: 2,
  });
  const turned = { issue_id: first, issue_to_id: second, relation_type: "precedes", delay: 2 };
  expect(made).toMatchObject(turned);
  expect(await redmine().record(`/relations/${made.id}.json`)).toMatchObject(turned);
  expect(await call("issuerelation_delete", {}, made.id)).toStrictEqual(DONE);
  expect(await redmine().statusOf(`/relations/${made.id}.json`)).toBe(404);

  const plain = await create("issuerelation_create", { from_issue: first, to_issue: second });
  expect(plain).toMatchObject({ relation_type: "relates", delay: null });
  const again = { from_issue: first, to_issue: second };
  expect(await call("issuerelation_create", again)).toStrictEqual(
    refused("Related issue has already been taken"),
  );
  expect(await call("issuerelation_create", { from_issue: first, to_issue: 99999 })).toStrictEqual(
    refused("Related issue cannot be blank"),
  );
});

test("a project is made, changed, and cleared", async () => {
  const made = await create("project_create", {
    name: "Pier",
    identifier: "pier",
    description: "d",
    homepage: "https://pier.example",
    parent: WORKSHOP,
    is_public: false,
    inherit_members: true,
    trackers: [1, 2],
    custom_fields: null,
  });
  const recorded = {
    name: "Pier",
    identifier: "pier",
    description: "d",
    homepage: "https://pier.example",
    parent: { id: WORKSHOP },
    is_public: false,
    inherit_members: true,
  };
  expect(made).toMatchObject(recorded);
  const path = `/projects/${made.id}.json?include=trackers`;
  expect(await redmine().record(path)).toMatchObject({
    ...recorded,
    trackers: [{ id: 1 }, { id: 2 }],
  });

  const change = { name: "Pier 2", is_public: true, inherit_members: false, trackers: [3] };
  expect(await call("project_update", change, made.id)).toStrictEqual(DONE);
  expect(await redmine().record(path)).toMatchObject({ ...change, trackers: [{ id: 3 }] });
  const cleared = { description: null, homepage: null };
  expect(await call("project_update", { ...cleared, parent: null }, made.id)).toStrictEqual(DONE);
  const bare = await redmine().record(path);
  expect(bare).toMatchObject(cleared);
  expect(bare).not.toHaveProperty("parent");
  expect(await call("project_create", { name: "x", identifier: "pier" })).toStrictEqual(
    refused("Identifier has already been taken"),
  );
});

test("a project is closed and reopened, archived and brought back", async () => {
  const { id } = await create("project_create", { name: "Quay", identifier: "quay" });
  const status = async () => (await redmine().record(`/projects/${id}.json`))["status"];
  expect(await call("project_close", {}, id)).toStrictEqual(DONE);
  expect(await status()).toBe(5);
  expect((await call("issue_create", { project: id, subject: "x" })).status).toBe(403);
  expect(await call("project_reopen", {}, id)).toStrictEqual(DONE);
  expect(await status()).toBe(1);
  expect((await call("project_archive", {}, id, "bjorn")).status).toBe(403);
  expect(await call("project_archive", {}, id)).toStrictEqual(DONE);
  expect(await redmine().statusOf(`/projects/${id}.json`)).toBe(403);
  expect(await call("project_unarchive", {}, id)).toStrictEqual(DONE);
  expect(await status()).toBe(1);
});

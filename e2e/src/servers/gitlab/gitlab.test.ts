import type { JsonObject } from "@plasm/core";
import { afterEach, expect, test } from "vitest";
import { openCatalogEngine } from "../catalog-engine.ts";
import { useStarted } from "../endings.ts";
import { startGitlab, TOKEN } from "./gitlab-api.ts";

const world = useStarted(async (endings) => {
  const api = await startGitlab(endings);
  const open = async (token: string) => {
    const data = await endings.directory("gitlab");
    const env = { GITLAB_TOKEN: token };
    const plasm = await openCatalogEngine("gitlab", `${api.url}/api/v4`, data, { env });
    endings.add(() => plasm.close());
    return plasm;
  };
  return { api, open, plasm: await open(TOKEN) };
});
afterEach(() => void world().api.taken());

/** The rows of the last result of a program. */
async function rows(program: string): Promise<readonly JsonObject[]> {
  const { results } = await world().plasm.run(program);
  return results.at(-1) ?? [];
}

/** A number or text of a row, as programs and paths have it. */
function part(row: JsonObject | undefined, name: string): string {
  const value = row?.[name];
  if (typeof value !== "string" && typeof value !== "number") throw new Error(`no ${name}`);
  return String(value);
}

/** The writes that the API was asked for: method, path and body of each. */
const writes = () =>
  world()
    .api.requests.filter(({ line }) => !line.startsWith("GET"))
    .map(({ line, body }) => [line.replace("/api/v4", ""), body === "" ? null : JSON.parse(body)]);

const APP = 'Project("garden/app")';

test("a list is read page by page, by the links of its answers", async () => {
  expect(await rows(`${APP}.issues[iid].aggregate(n=count)`)).toEqual([{ n: 120 }]);
  const [first, second, ...more] = world().api.taken();
  expect(more).toEqual([]);
  expect(first).toBe("GET /api/v4/projects/garden/app/issues?per_page=100");
  expect(second).toContain("page=2");
});

test("filters are the API's own, and a list without a project is of all", async () => {
  const bugs = `Issue{project=${APP}, labels=bug, state=opened}[iid, title, author_username]`;
  expect(await rows(bugs)).toHaveLength(12);
  expect(await rows('Issue{milestone="1.0"}[iid, project]')).toHaveLength(2);
  expect(await rows("Issue{scope=assigned_to_me}")).toEqual([]);
  const [project, all, mine] = world().api.taken();
  expect(project).toMatch(/issues\?labels=bug&state=opened/);
  expect(all).toMatch(/^GET \/api\/v4\/issues\?milestone=1\.0&scope=all/);
  expect(mine).toMatch(/\?scope=assigned_to_me/);
});

test("the first rows by a time are asked of the API, which sorts (ADR 0158)", async () => {
  const last = await rows(`Issue{project=${APP}}.sort(created_at desc).limit(2)[iid]`);
  expect(world().api.taken()).toEqual([
    "GET /api/v4/projects/garden/app/issues?order_by=created_at&sort=desc&per_page=100",
  ]);
  // Among other steps all are read and sorted here.
  const every = await rows(`Issue{project=${APP}}.sort(created_at desc)[iid].limit(2)`);
  expect(world().api.taken().length).toBeGreaterThan(1);
  expect(last).toEqual(every);
});

test("a project is found by its path, and leads to what it holds", async () => {
  expect(await rows(`${APP}[name, namespace, default_branch]`)).toEqual([
    { name: "App", namespace: "garden", default_branch: "main" },
  ]);
  expect(await rows(`${APP}.milestones[title, due_date]`)).toEqual([
    { title: "1.0", due_date: "2026-04-01" },
  ]);
  expect(await rows(`${APP}.branches[name, commit]`)).toHaveLength(2);
  expect(await rows(`${APP}.members[username, access_level]`)).toHaveLength(3);
  expect(await rows('Group("garden").projects[path_with_namespace]')).toEqual([
    { path_with_namespace: "garden/app" },
  ]);
  expect(await rows('Group("garden").subgroups[full_path]')).toEqual([
    { full_path: "garden/tools" },
  ]);
});

test("an issue is opened, changed, commented on, closed and deleted", async () => {
  const create = `Issue.create(project=${APP}, title="Knot is loose", labels="bug,idea", assignee_ids=[2])[project, iid, state]`;
  const [made] = await rows(create);
  const issue = `Issue(project="garden/app", iid=${part(made, "iid")})`;
  await rows(`${issue}.update(due_date=2026-05-01, remove_labels="idea")`);
  await rows(`Note.create(project=${APP}, iid=${part(made, "iid")}, body="Tied it.")`);
  expect(await rows(`${issue}.notes[body, author_username]`)).toEqual([
    { body: "Tied it.", author_username: "ann" },
  ]);
  expect(await rows(`${issue}.update(state_event=close)[state, labels, due_date]`)).toEqual([
    { state: "closed", labels: ["bug"], due_date: "2026-05-01" },
  ]);
  expect(await rows(`${issue}.assignees[username]`)).toEqual([{ username: "bob" }]);
  const path = `/projects/garden/app/issues/${part(made, "iid")}`;
  await rows(`${issue}.delete()`);
  await expect(rows(issue)).rejects.toThrow("not_found");
  expect(writes()).toEqual([
    [
      "POST /projects/garden/app/issues",
      { title: "Knot is loose", labels: "bug,idea", assignee_ids: [2] },
    ],
    [`PUT ${path}`, { due_date: "2026-05-01", remove_labels: "idea" }],
    [`POST ${path}/notes`, { body: "Tied it." }],
    [`PUT ${path}`, { state_event: "close" }],
    [`DELETE ${path}`, null],
  ]);
});

test("rows of a list of all lead to their projects, and each is changed where it is", async () => {
  expect(await rows('i = Issue{milestone="1.0"}\ni.project[name]')).toEqual([{ name: "App" }]);
  await rows(
    'i = Issue{milestone="1.0"}\ni => Issue(project=_.project, iid=_.iid).update(weight=3)',
  );
  const changed = new Set(writes().map(([line]) => /issues\/\d+$/.exec(String(line))?.[0]));
  expect(changed).toEqual(new Set(["issues/1", "issues/2"]));
});

test("a branch becomes a merge request that is reviewed and merged", async () => {
  await rows(`Branch.create(project=${APP}, branch="dry", ref="main")`);
  const create = `MergeRequest.create(project=${APP}, source_branch="dry", target_branch="main", title="Dry", reviewer_ids=[3])[iid, detailed_merge_status]`;
  const [made] = await rows(create);
  const request = `MergeRequest(project="garden/app", iid=${part(made, "iid")})`;
  expect(await rows(`${request}.reviewers[username]`)).toEqual([{ username: "cleo" }]);
  expect(await rows(`${request}.diffs[new_path]`)).toEqual([{ new_path: "rope.md" }]);
  expect(await rows(`${request}.commits[title]`)).toEqual([{ title: "Change 3" }]);
  await rows(`${request}.approve()`);
  expect(await rows(`${request}.merge(squash=true)[state]`)).toEqual([{ state: "merged" }]);
  await expect(rows(`${request}.merge()`)).rejects.toThrow("405");
  await rows(`Branch(project="garden/app", name="dry").delete()`);
  const path = `/projects/garden/app/merge_requests/${part(made, "iid")}`;
  expect(writes().map(([line]) => line)).toEqual([
    "POST /projects/garden/app/repository/branches",
    "POST /projects/garden/app/merge_requests",
    `POST ${path}/approve`,
    `PUT ${path}/merge`,
    `PUT ${path}/merge`,
    "DELETE /projects/garden/app/repository/branches/dry",
  ]);
  const drafts = `MergeRequest{project=${APP}, state=opened}[title, draft, source_branch]`;
  expect(await rows(drafts)).toEqual([
    { title: "Dry the rope", draft: false, source_branch: "feature/rope" },
  ]);
});

test("a pipeline that failed: its jobs, the log of one, and again", async () => {
  const [failed] = await rows(`Pipeline{project=${APP}, status=failed}[id, ref]`);
  const pipeline = `Pipeline(project="garden/app", id=${part(failed, "id")})`;
  const jobs = await rows(`${pipeline}.jobs[id, name, status]`);
  expect(jobs.map(({ name, status }) => [name, status])).toEqual([
    ["build", "success"],
    ["unit", "failed"],
  ]);
  const job = `Job(project="garden/app", id=${part(jobs[1], "id")})`;
  const bytes_base64 = Buffer.from("$ npm test\n1 failed\n").toString("base64");
  expect(await rows(`${job}.log[file]`)).toEqual([
    { file: { __plasm_attachment: { bytes_base64, mime_type: "text/plain" } } },
  ]);
  expect(await rows(`${job}.run[ref]`)).toEqual([{ ref: "main" }]);
  expect(await rows(`${job}.retry()[status]`)).toEqual([{ status: "pending" }]);
  const [next] = await rows(`Pipeline.create(project=${APP}, ref="main")[id, status]`);
  expect(next).toMatchObject({ status: "pending" });
  const other = `Pipeline(project="garden/app", id=${part(next, "id")})`;
  expect(await rows(`${other}.cancel()[status]`)).toEqual([{ status: "canceled" }]);
  expect(await rows(`${other}.retry()[status]`)).toEqual([{ status: "running" }]);
});

test("labels, milestones, commits, projects, groups, people", async () => {
  const [label] = await rows(`Label.create(project=${APP}, name="wet", color="#00f")[id]`);
  const wet = `Label(project="garden/app", id=${part(label, "id")})`;
  expect(await rows(`${wet}.update(new_name="damp")[name]`)).toEqual([{ name: "damp" }]);
  await rows(`${wet}.delete()`);
  const [milestone] = await rows(`Milestone.create(project=${APP}, title="1.1")[id]`);
  const next = `Milestone(project="garden/app", id=${part(milestone, "id")})`;
  expect(await rows(`${next}.update(state_event=close)[state]`)).toEqual([{ state: "closed" }]);
  expect(await rows(`${next}.issues`)).toEqual([]);
  const [commit] = await rows(`Commit{project=${APP}}.limit(1)[id, title]`);
  const at = `Commit(project="garden/app", id="${part(commit, "id")}")`;
  expect(await rows(`${at}.diffs[new_path]`)).toEqual([{ new_path: "rope.md" }]);
  expect(await rows(`Branch(project="garden/app", name="main").head[title]`)).toEqual([
    { title: "Change 3" },
  ]);
  const [group] = await rows('Group.create(name="Shed", path="shed")[id, full_path]');
  const [made] = await rows(
    `Project.create(name="Saw", namespace_id=${part(group, "id")})[id, path_with_namespace]`,
  );
  expect(made?.["path_with_namespace"]).toBe("shed/saw");
  const saw = `Project("${part(made, "id")}")`;
  expect(await rows(`${saw}.update(description="cuts")[description]`)).toEqual([
    { description: "cuts" },
  ]);
  expect(await rows(`${saw}.star()[star_count]`)).toEqual([{ star_count: 1 }]);
  expect(await rows(`${saw}.archive()[archived]`)).toEqual([{ archived: true }]);
  await rows(`${saw}.delete()`);
  expect(await rows('User{username="bob"}[id, name]')).toEqual([{ id: 2, name: "Bob" }]);
  expect(await rows("User.me()[username]")).toEqual([{ username: "ann" }]);
});

test("what the API refuses is told in its own words", async () => {
  await expect(rows(`Label.create(project=${APP}, name="bug", color="red")`)).rejects.toThrow(
    "Label already exists",
  );
  await expect(rows(`Pipeline.create(project=${APP}, ref="none")`)).rejects.toThrow(
    "Reference not found",
  );
  await expect(rows('Project("garden/none")')).rejects.toThrow("not_found");
  const stranger = await world().open("glpat-of-nobody");
  await expect(stranger.run("User.me()")).rejects.toThrow("401 Unauthorized");
});

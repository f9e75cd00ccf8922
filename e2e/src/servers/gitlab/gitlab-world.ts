import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Row } from "../vendor-api.ts";

/** A refusal: `message` for most, `error` where the request itself is at fault. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Row;

  constructor(status: ContentfulStatusCode, body: Row) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}

export const notFound = (what: string): Refusal =>
  new Refusal(404, { message: `404 ${what} Not Found` });
export const missing = (name: string): Refusal => new Refusal(400, { error: `${name} is missing` });

const AT = "2026-03-01T10:00:00.000Z";
const at = (minute: number): string => new Date(Date.parse(AT) + minute * 60_000).toISOString();

export const PEOPLE = ["ann", "bob", "cleo"].map((username, index) => ({
  id: index + 1,
  username,
  name: username.slice(0, 1).toUpperCase() + username.slice(1),
  state: "active",
  avatar_url: null,
  web_url: `https://gitlab.com/${username}`,
}));
export const ANN: Row = PEOPLE[0] ?? {};

export const person = (id: unknown): Row => {
  const found = PEOPLE.find((one) => String(one.id) === String(id));
  if (found === undefined) throw notFound("User");
  return found;
};

/** A project with all that it holds, by the numbers that its paths have. */
export interface Repository {
  readonly project: Row;
  readonly issues: Map<string, Row>;
  readonly mergeRequests: Map<string, Row>;
  /** comments by what they are on: `issues/3` */
  readonly notes: Map<string, Map<string, Row>>;
  readonly labels: Map<string, Row>;
  readonly milestones: Map<string, Row>;
  readonly pipelines: Map<string, Row>;
  readonly jobs: Map<string, Row>;
  readonly branches: Map<string, Row>;
  readonly commits: Map<string, Row>;
}

const headOf = (branch: Row | undefined): unknown =>
  (branch?.["commit"] as Row | undefined)?.["id"];

/** What the API knows. */
export class World {
  #last = 5000;
  #minute = 0;
  readonly groups = new Map<string, Row>();
  readonly repositories = new Map<string, Repository>();

  next(): number {
    this.#last += 1;
    return this.#last;
  }

  now(): string {
    this.#minute += 1;
    return at(this.#minute);
  }

  /** by id or by whole path, as in every address of the API */
  repository(id: string): Repository {
    const found =
      this.repositories.get(id) ??
      [...this.repositories.values()].find(({ project }) => project["path_with_namespace"] === id);
    if (found === undefined) throw notFound("Project");
    return found;
  }

  group(id: string): Row {
    const found =
      this.groups.get(id) ?? [...this.groups.values()].find((one) => one["full_path"] === id);
    if (found === undefined) throw notFound("Group");
    return found;
  }

  addGroup(asked: Row): Row {
    const { name, path } = asked;
    const parent = asked["parent_id"] as number | null | undefined;
    const above =
      parent === null || parent === undefined
        ? ""
        : `${String(this.group(String(parent))["full_path"])}/`;
    const full = `${above}${String(path)}`;
    if ([...this.groups.values()].some((one) => one["full_path"] === full))
      throw new Refusal(400, {
        message: 'Failed to save group {:path=>["has already been taken"]}',
      });
    const group = {
      id: this.next(),
      description: "",
      visibility: "private",
      created_at: this.now(),
      ...asked,
      name,
      path,
      parent_id: parent ?? null,
      full_name: full,
      full_path: full,
      web_url: `https://gitlab.com/groups/${full}`,
    };
    this.groups.set(String(group.id), group);
    return group;
  }

  addProject(asked: Row): Repository {
    const { name, namespace_id: _, initialize_with_readme: __, ...more } = asked;
    const namespace = asked["namespace_id"] as number | undefined;
    const group = namespace === undefined ? null : this.group(String(namespace));
    const path =
      (asked["path"] as string | undefined) ??
      String(name)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-");
    const above = group === null ? "ann" : String(group["full_path"]);
    const whole = `${above}/${path}`;
    if (
      [...this.repositories.values()].some(
        ({ project }) => project["path_with_namespace"] === whole,
      )
    )
      throw new Refusal(400, { message: { path: ["has already been taken"] } });
    const project = {
      id: this.next(),
      description: null,
      default_branch: "main",
      visibility: "private",
      topics: [],
      archived: false,
      star_count: 0,
      forks_count: 0,
      open_issues_count: 0,
      ...more,
      name,
      path,
      path_with_namespace: whole,
      namespace: {
        id: group?.["id"] ?? 90,
        kind: group === null ? "user" : "group",
        full_path: above,
      },
      creator_id: 1,
      created_at: this.now(),
      last_activity_at: this.now(),
      http_url_to_repo: `https://gitlab.com/${whole}.git`,
      ssh_url_to_repo: `git@gitlab.com:${whole}.git`,
      web_url: `https://gitlab.com/${whole}`,
    };
    const repository: Repository = {
      project,
      issues: new Map(),
      mergeRequests: new Map(),
      notes: new Map(),
      labels: new Map(),
      milestones: new Map(),
      pipelines: new Map(),
      jobs: new Map(),
      branches: new Map(),
      commits: new Map(),
    };
    this.repositories.set(String(project.id), repository);
    return repository;
  }

  /** What issues and merge requests have in common when they are asked for: names become objects. */
  #written(repository: Repository, asked: Row): Row {
    const { labels, assignee_ids: assignees, reviewer_ids: reviewers, ...more } = asked;
    const { milestone_id: milestone, ...fields } = more;
    const split = (names: unknown): string[] =>
      String(names)
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
    const all = (ids: unknown): Row[] => (ids as unknown[]).map(person);
    const found = repository.milestones.get(String(milestone));
    if (milestone !== undefined && milestone !== null && found === undefined)
      throw notFound("Milestone");
    return {
      ...fields,
      ...(labels === undefined ? {} : { labels: split(labels) }),
      ...(assignees === undefined ? {} : { assignees: all(assignees) }),
      ...(reviewers === undefined ? {} : { reviewers: all(reviewers) }),
      ...(milestone === undefined ? {} : { milestone: found ?? null }),
    };
  }

  addIssue(repository: Repository, asked: Row): Row {
    const { project, issues } = repository;
    const iid = issues.size + 1;
    const now = this.now();
    const issue = {
      id: this.next(),
      iid,
      project_id: project["id"],
      description: null,
      state: "opened",
      labels: [],
      assignees: [],
      author: ANN,
      milestone: null,
      due_date: null,
      weight: null,
      confidential: false,
      issue_type: "issue",
      created_at: now,
      updated_at: now,
      closed_at: null,
      closed_by: null,
      user_notes_count: 0,
      upvotes: 0,
      web_url: `${String(project["web_url"])}/-/issues/${iid}`,
      ...this.#written(repository, asked),
    };
    issues.set(String(iid), issue);
    return issue;
  }

  addMergeRequest(repository: Repository, asked: Row): Row {
    const { project, mergeRequests, branches } = repository;
    for (const name of [asked["source_branch"], asked["target_branch"]])
      if (!branches.has(String(name)))
        throw new Refusal(400, { message: [`Branch ${String(name)} does not exist`] });
    const iid = mergeRequests.size + 1;
    const now = this.now();
    const made = {
      id: this.next(),
      iid,
      project_id: project["id"],
      description: null,
      state: "opened",
      draft: String(asked["title"]).startsWith("Draft:"),
      labels: [],
      assignees: [],
      reviewers: [],
      author: ANN,
      milestone: null,
      detailed_merge_status: "mergeable",
      has_conflicts: false,
      sha: headOf(branches.get(String(asked["source_branch"]))),
      merge_commit_sha: null,
      created_at: now,
      updated_at: now,
      merged_at: null,
      closed_at: null,
      user_notes_count: 0,
      changes_count: "1",
      web_url: `${String(project["web_url"])}/-/merge_requests/${iid}`,
      ...this.#written(repository, asked),
    };
    mergeRequests.set(String(iid), made);
    return made;
  }

  /** Changes, closes or reopens an issue or a merge request. */
  change(repository: Repository, row: Row, asked: Row): Row {
    const { state_event: event, add_labels: added, remove_labels: removed, ...fields } = asked;
    Object.assign(row, this.#written(repository, fields), { updated_at: this.now() });
    const names = (text: unknown): string[] => (typeof text === "string" ? text.split(",") : []);
    const kept = (row["labels"] as string[]).filter((name) => !names(removed).includes(name));
    row["labels"] = [...new Set([...kept, ...names(added)])];
    if (event === "close") Object.assign(row, { state: "closed", closed_at: this.now() });
    if (event === "reopen") Object.assign(row, { state: "opened", closed_at: null });
    return row;
  }

  addNote({ notes, project }: Repository, on: Row, kind: string, body: unknown): Row {
    const place = `${kind}/${String(on["iid"])}`;
    const now = this.now();
    const note = {
      id: this.next(),
      body,
      author: ANN,
      created_at: now,
      updated_at: now,
      system: false,
      internal: false,
      noteable_id: on["id"],
      noteable_type: kind === "issues" ? "Issue" : "MergeRequest",
      noteable_iid: on["iid"],
      project_id: project["id"],
      resolvable: false,
    };
    notes.set(place, (notes.get(place) ?? new Map<string, Row>()).set(String(note.id), note));
    on["user_notes_count"] = Number(on["user_notes_count"]) + 1;
    return note;
  }

  addBranch({ branches, commits, project }: Repository, name: string, ref: string): Row {
    const commit = (branches.get(ref)?.["commit"] as Row | undefined) ?? commits.get(ref);
    if (branches.has(name)) throw new Refusal(400, { message: "Branch already exists" });
    if (commit === undefined) throw new Refusal(400, { message: `Invalid reference name: ${ref}` });
    const branch = {
      name,
      commit,
      merged: false,
      protected: name === "main",
      default: name === "main",
      web_url: `${String(project["web_url"])}/-/tree/${name}`,
    };
    branches.set(name, branch);
    return branch;
  }

  addPipeline(repository: Repository, ref: string, source: string, status: string): Row {
    const { pipelines, jobs, branches, project } = repository;
    const branch = branches.get(ref);
    if (branch === undefined)
      throw new Refusal(400, { message: { base: ["Reference not found"] } });
    const pipeline = {
      id: this.next(),
      iid: pipelines.size + 1,
      project_id: project["id"],
      status,
      source,
      ref,
      sha: (branch["commit"] as Row)["id"],
      user: ANN,
      created_at: this.now(),
      updated_at: this.now(),
      started_at: null,
      finished_at: null,
      duration: null,
      coverage: null,
      web_url: `${String(project["web_url"])}/-/pipelines/1`,
    };
    pipelines.set(String(pipeline.id), pipeline);
    for (const [name, stage] of [
      ["build", "build"],
      ["unit", "test"],
    ] as const) {
      const job = {
        id: this.next(),
        name,
        stage,
        status: name === "unit" ? status : status === "failed" ? "success" : status,
        ref,
        pipeline: { id: pipeline.id, project_id: project["id"], ref, sha: pipeline.sha, status },
        user: ANN,
        allow_failure: false,
        created_at: this.now(),
        started_at: null,
        finished_at: null,
        duration: null,
        coverage: null,
        web_url: `${String(project["web_url"])}/-/jobs/1`,
      };
      jobs.set(String(job.id), job);
    }
    return pipeline;
  }
}

export const sha = (number: number): string => number.toString(16).padStart(40, "c");

export function seeded(): World {
  const world = new World();
  const group = world.addGroup({ name: "Garden", path: "garden" });
  world.addGroup({ name: "Tools", path: "tools", parent_id: group["id"] });
  const app = world.addProject({ name: "App", namespace_id: group["id"], visibility: "public" });
  world.addProject({ name: "Notes" });
  for (let number = 1; number <= 3; number += 1) {
    const id = sha(number);
    app.commits.set(id, {
      id,
      short_id: id.slice(0, 8),
      title: `Change ${number}`,
      message: `Change ${number}\n`,
      author_name: "Ann",
      author_email: "ann@example.com",
      authored_date: at(number),
      committer_name: "Ann",
      created_at: at(number),
      parent_ids: number === 1 ? [] : [sha(number - 1)],
      web_url: `https://gitlab.com/garden/app/-/commit/${id}`,
    });
  }
  world.addBranch(app, "main", sha(3));
  world.addBranch(app, "feature/rope", sha(2));
  const label = (name: string): void => {
    const id = world.next();
    app.labels.set(String(id), { id, name, color: "#d9534f", description: null, priority: null });
  };
  for (const name of ["bug", "idea"]) label(name);
  const milestone = {
    id: world.next(),
    iid: 1,
    project_id: app.project["id"],
    title: "1.0",
    description: "",
    state: "active",
    due_date: "2026-04-01",
    start_date: null,
    expired: false,
    created_at: AT,
    updated_at: AT,
    web_url: "https://gitlab.com/garden/app/-/milestones/1",
  };
  app.milestones.set(String(milestone.id), milestone);
  for (let number = 1; number <= 120; number += 1) {
    world.addIssue(app, {
      title: `Rope ${number} is wet`,
      labels: number % 10 === 0 ? "bug" : "",
      ...(number <= 2 ? { milestone_id: milestone.id, assignee_ids: [2] } : {}),
    });
  }
  world.addMergeRequest(app, {
    title: "Dry the rope",
    source_branch: "feature/rope",
    target_branch: "main",
    reviewer_ids: [3],
  });
  world.addPipeline(app, "main", "push", "failed");
  return world;
}

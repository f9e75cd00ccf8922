import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Issue } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import {
  accountOf,
  type Api,
  type Env,
  foundIn,
  maySee,
  repositoryOf,
  writableRepositoryOf,
} from "../http/api.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { type Body, filled, integer, oneOf, orNull, readBody, text, texts } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireIssue } from "../wire/issue.ts";
import { addMissingLabels } from "./labels.ts";
import { matchesList, sortIssues, wordOf } from "./issue-filters.ts";

export function issueOf(repository: Repository, c: Context<Env>): Issue {
  const number = Number(c.req.param("number"));
  return foundIn(repository.issues, (issue) => issue.number === number);
}

const OPTIONAL = {
  body: orNull(text),
  milestone: orNull((value) => integer(value) || text(value)),
  labels: texts,
  assignees: texts,
  assignee: orNull(text),
  type: orNull(text),
};

function milestoneOf(repository: Repository, value: unknown): number | null {
  if (value === null) return null;
  const number = Number(value);
  if (repository.milestones.some((milestone) => milestone.number === number)) return number;
  throw invalid({ resource: "Issue", field: "milestone", code: "invalid", value });
}

/** Those who may be assigned; GitHub refuses others on create and update. */
function assigneesOf(repository: Repository, value: unknown): string[] {
  const logins = value as readonly string[];
  const stranger = logins.find(
    (login) => login !== repository.owner && !repository.collaborators.includes(login),
  );
  if (stranger === undefined) return [...new Set(logins)];
  throw invalid({ resource: "Issue", field: "assignees", code: "invalid", value: stranger });
}

/** What of a body both create and update take. */
function sharedChange(api: Api, repository: Repository, given: Body): Partial<Issue> {
  const labels = given["labels"] as readonly string[] | undefined;
  if (labels !== undefined) addMissingLabels(api, repository, labels);
  const { title, body, milestone, assignees } = given;
  return {
    ...(title === undefined ? {} : { title: title as string }),
    ...(body === undefined ? {} : { body: body as string | null }),
    ...(labels === undefined ? {} : { labels: [...new Set(labels)] }),
    ...(milestone === undefined ? {} : { milestone: milestoneOf(repository, milestone) }),
    ...(assignees === undefined ? {} : { assignees: assigneesOf(repository, assignees) }),
  };
}

/** The next number of a repository: issues and pull requests share them. */
export const nextNumber = (repository: Repository): number =>
  1 + Math.max(0, ...repository.issues.map(({ number }) => number));

function addCreate(api: Api): void {
  const shape = { resource: "Issue", required: { title: filled }, optional: OPTIONAL };
  api.app.post("/repos/:owner/:repo/issues", async (c) => {
    const repository = repositoryOf(api.data, c);
    if (repository.archived) throw new ApiError(410, "Issues are disabled for this repo");
    const given = await readBody(c, shape);
    const now = api.now();
    const change = sharedChange(api, repository, given);
    const issue: Issue = {
      id: takeId(api.data),
      number: nextNumber(repository),
      author: c.get("login"),
      title: "",
      body: null,
      state: "open",
      stateReason: null,
      assignees: [],
      labels: [],
      milestone: null,
      locked: false,
      createdAt: now,
      updatedAt: now,
      closedAt: null,
      closedBy: null,
      pull: null,
      ...change,
    };
    repository.issues.push(issue);
    const wire = wireIssue(api, repository, issue);
    return c.json(wire, 201);
  });
}

/** Closes or opens as a body says; nothing if it says nothing. */
export function stateChange(issue: Issue, given: Body, login: string, now: string): Partial<Issue> {
  const state = given["state"] ?? issue.state;
  const reason = (given["state_reason"] ?? null) as Issue["stateReason"];
  if (state === issue.state) return reason === null ? {} : { stateReason: reason };
  return state === "closed"
    ? { state, closedAt: now, closedBy: login, stateReason: reason ?? "completed" }
    : { state: "open", closedAt: null, closedBy: null, stateReason: "reopened" };
}

function addUpdate(api: Api): void {
  const optional = {
    ...OPTIONAL,
    title: filled,
    state: oneOf("open", "closed"),
    state_reason: orNull(oneOf("completed", "not_planned", "duplicate", "reopened")),
  };
  api.app.patch("/repos/:owner/:repo/issues/:number{[0-9]+}", async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const issue = issueOf(repository, c);
    const given = await readBody(c, { resource: "Issue", optional });
    const now = api.now();
    Object.assign(
      issue,
      sharedChange(api, repository, given),
      stateChange(issue, given, c.get("login"), now),
      { updatedAt: now },
    );
    return c.json(wireIssue(api, repository, issue));
  });
}

function addLock(api: Api): void {
  const path = "/repos/:owner/:repo/issues/:number{[0-9]+}/lock";
  api.app.put(path, async (c) => {
    const optional = { lock_reason: oneOf("off-topic", "too heated", "resolved", "spam") };
    await readBody(c, { resource: "Issue", optional });
    issueOf(writableRepositoryOf(api.data, c), c).locked = true;
    return c.body(null, 204);
  });
  api.app.delete(path, (c) => {
    issueOf(writableRepositoryOf(api.data, c), c).locked = false;
    return c.body(null, 204);
  });
}

/** Those of an organization's repositories: the caller's own unless all are asked for. */
function addOfOrganization(api: Api): void {
  const { app, data, origin } = api;
  app.get("/orgs/:org/issues", (c) => {
    const { login } = accountOf(data, c.req.param("org"));
    const query = c.req.query();
    const filter = wordOf(query, "filter", ["assigned", "created", "all"]);
    const isMine = ({ assignees, author }: Issue): boolean =>
      filter === "all" ||
      (filter === "created" ? author === c.get("login") : assignees.includes(c.get("login")));
    const rows = data.repositories
      .filter((one) => one.owner === login && maySee(data, one, c.get("login")))
      .flatMap((repository) =>
        repository.issues
          .filter((issue) => isMine(issue) && matchesList(issue, query))
          .map((issue) => ({ repository, issue })),
      );
    const sign = wordOf(query, "direction", ["desc", "asc"]) === "asc" ? 1 : -1;
    const by = wordOf(query, "sort", ["created", "updated"]) === "updated";
    const at = ({ issue }: (typeof rows)[number]): number =>
      Date.parse(by ? issue.updatedAt : issue.createdAt);
    const sorted = rows.toSorted((a, b) => sign * (at(a) - at(b)));
    return answerPage(c, origin(), sorted, ({ repository, issue }) =>
      wireIssue(api, repository, issue),
    );
  });
}

/** Issues, pull requests among them, as GitHub's issue routes have them. */
export function addIssues(api: Api): void {
  api.app.get("/repos/:owner/:repo/issues", (c) => {
    const repository = repositoryOf(api.data, c);
    const rows = repository.issues.filter((issue) => matchesList(issue, c.req.query()));
    const sorted = sortIssues(rows, repository, c.req.query());
    return answerPage(c, api.origin(), sorted, (issue) => wireIssue(api, repository, issue));
  });
  api.app.get("/repos/:owner/:repo/issues/:number{[0-9]+}", (c) => {
    const repository = repositoryOf(api.data, c);
    return c.json(wireIssue(api, repository, issueOf(repository, c)));
  });
  addOfOrganization(api);
  addCreate(api);
  addUpdate(api);
  addLock(api);
}

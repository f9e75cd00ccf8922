import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import { newCommits } from "../data/history.ts";
import type { Issue } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { invalid } from "../http/api-error.ts";
import { filled, flag, integer, oneOf, orNull, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { isPull, type Pull, simplePull, wholePull } from "../wire/pull.ts";
import { sortIssues, wordOf } from "./issue-filters.ts";
import { nextNumber, stateChange } from "./issues.ts";

const ALL = "/repos/:owner/:repo/pulls";
export const ONE_PULL = `${ALL}/:number{[0-9]+}`;

/** The pull request the path names; an issue of that number is none. */
export function pullOf(repository: Repository, c: Context<Env>): Pull {
  const number = Number(c.req.param("number"));
  return foundIn(repository.issues.filter(isPull), (pull) => pull.number === number);
}

function branchOf(repository: Repository, field: "head" | "base", given: unknown) {
  const ref = String(given).replace(`${repository.owner}:`, "");
  const branch = repository.branches.find(({ name }) => name === ref);
  if (branch !== undefined) return { ref, sha: branch.sha };
  throw invalid({ resource: "PullRequest", field, code: "invalid", value: given });
}

function refuseUseless(repository: Repository, head: string, base: string, commits: number): void {
  const taken = repository.issues.some(
    (issue) => isPull(issue) && issue.state === "open" && issue.pull.head.ref === head,
  );
  const resource = "PullRequest";
  const custom = (message: string) => invalid({ resource, field: "head", code: "custom", message });
  if (taken) throw custom(`A pull request already exists for ${repository.owner}:${head}.`);
  if (commits === 0) throw custom(`No commits between ${base} and ${head}`);
}

function addCreate(api: Api): void {
  const optional = {
    title: filled,
    body: orNull(text),
    draft: flag,
    maintainer_can_modify: flag,
    issue: integer,
  };
  api.app.post(ALL, async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const required = { head: filled, base: filled };
    const given = await readBody(c, { resource: "PullRequest", required, optional });
    if (given["title"] === undefined && given["issue"] === undefined) {
      throw invalid({ resource: "PullRequest", field: "title", code: "missing_field" });
    }
    const head = branchOf(repository, "head", given["head"]);
    const base = branchOf(repository, "base", given["base"]);
    const commits = newCommits(repository, head.sha, base.sha).map(({ sha }) => sha);
    refuseUseless(repository, head.ref, base.ref, commits.length);
    const now = api.now();
    const issue: Pull = {
      id: takeId(api.data),
      number: nextNumber(repository),
      author: c.get("login"),
      title: given["title"] as string,
      body: (given["body"] ?? null) as string | null,
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
      pull: {
        draft: given["draft"] === true,
        head,
        base,
        mergedAt: null,
        mergedBy: null,
        mergeSha: null,
        requestedReviewers: [],
        commits,
      },
    };
    repository.issues.push(issue);
    return c.json(wholePull(api, repository, issue), 201);
  });
}

function addUpdate(api: Api): void {
  const optional = {
    title: filled,
    body: orNull(text),
    state: oneOf("open", "closed"),
    base: filled,
    maintainer_can_modify: flag,
  };
  api.app.patch(ONE_PULL, async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const issue = pullOf(repository, c);
    const given = await readBody(c, { resource: "PullRequest", optional });
    if (given["base"] !== undefined) issue.pull.base = branchOf(repository, "base", given["base"]);
    const now = api.now();
    const { title = issue.title, body = issue.body } = given as Partial<
      Pick<Issue, "title" | "body">
    >;
    const { stateReason: _, ...change } = stateChange(issue, given, c.get("login"), now);
    Object.assign(issue, { title, body }, change, { updatedAt: now });
    return c.json(wholePull(api, repository, issue));
  });
}

/** Pull requests: list, one, open, change. */
export function addPulls(api: Api): void {
  api.app.get(ALL, (c) => {
    const repository = repositoryOf(api.data, c);
    const query = c.req.query();
    const state = wordOf(query, "state", ["open", "closed", "all"]);
    const head = query["head"]?.replace(`${repository.owner}:`, "");
    const rows = repository.issues
      .filter(isPull)
      .filter((pull) => state === "all" || pull.state === state)
      .filter(({ pull }) => head === undefined || pull.head.ref === head)
      .filter(({ pull }) => query["base"] === undefined || pull.base.ref === query["base"]);
    const { sort, ...rest } = query;
    const sorted = sortIssues(rows, repository, {
      ...rest,
      ...(sort === undefined || sort === "popularity" ? {} : { sort }),
    });
    return answerPage(c, api.origin(), sorted.filter(isPull), (pull) =>
      simplePull(api, repository, pull),
    );
  });
  api.app.get(ONE_PULL, (c) => {
    const repository = repositoryOf(api.data, c);
    return c.json(wholePull(api, repository, pullOf(repository, c)));
  });
  addCreate(api);
  addUpdate(api);
}

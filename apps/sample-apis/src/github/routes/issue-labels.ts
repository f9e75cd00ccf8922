import type { Context } from "hono";
import type { Issue } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { readBody, texts } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireIssue, wireLabel } from "../wire/issue.ts";
import { issueOf } from "./issues.ts";
import { addMissingLabels } from "./labels.ts";

const PATH = "/repos/:owner/:repo/issues/:number{[0-9]+}";

const answer = (api: Api, repository: Repository, issue: Issue): Response =>
  Response.json(
    repository.labels
      .filter(({ name }) => issue.labels.includes(name))
      .map((label) => wireLabel(api, repository, label)),
  );

async function namesIn(c: Context<Env>): Promise<readonly string[]> {
  const given = await readBody(c, { resource: "Label", required: { labels: texts } });
  return given["labels"] as readonly string[];
}

function addLabelWrites(api: Api): void {
  const { app, data } = api;
  app.post(`${PATH}/labels`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const issue = issueOf(repository, c);
    const names = await namesIn(c);
    addMissingLabels(api, repository, names);
    issue.labels = [...new Set([...issue.labels, ...names])];
    issue.updatedAt = api.now();
    return answer(api, repository, issue);
  });
  app.put(`${PATH}/labels`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const issue = issueOf(repository, c);
    const names = await namesIn(c);
    addMissingLabels(api, repository, names);
    issue.labels = [...new Set(names)];
    return answer(api, repository, issue);
  });
  app.delete(`${PATH}/labels`, (c) => {
    issueOf(writableRepositoryOf(data, c), c).labels = [];
    return c.body(null, 204);
  });
  app.delete(`${PATH}/labels/:name`, (c) => {
    const repository = writableRepositoryOf(data, c);
    const issue = issueOf(repository, c);
    const name = c.req.param("name");
    if (!issue.labels.includes(name)) throw new ApiError(404, "Label does not exist");
    issue.labels = issue.labels.filter((each) => each !== name);
    issue.updatedAt = api.now();
    return answer(api, repository, issue);
  });
}

function addAssigneeWrites(api: Api): void {
  const { app, data } = api;
  const shape = { resource: "Issue", required: { assignees: texts } };
  app.post(`${PATH}/assignees`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const issue = issueOf(repository, c);
    const { assignees } = (await readBody(c, shape)) as { readonly assignees: readonly string[] };
    // Who may not be assigned is left out in silence.
    const known = assignees.filter((login) => repository.collaborators.includes(login));
    issue.assignees = [...new Set([...issue.assignees, ...known])].slice(0, 10);
    issue.updatedAt = api.now();
    return c.json(wireIssue(api, repository, issue), 201);
  });
  app.delete(`${PATH}/assignees`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const issue = issueOf(repository, c);
    const { assignees } = (await readBody(c, shape)) as { readonly assignees: readonly string[] };
    issue.assignees = issue.assignees.filter((login) => !assignees.includes(login));
    issue.updatedAt = api.now();
    return c.json(wireIssue(api, repository, issue));
  });
  app.get("/repos/:owner/:repo/assignees/:login", (c) => {
    const { collaborators, owner } = repositoryOf(data, c);
    const login = c.req.param("login");
    if (login !== owner && !collaborators.includes(login)) throw notFound();
    return c.body(null, 204);
  });
}

/** The labels and assignees that an issue has. */
export function addIssueLabels(api: Api): void {
  api.app.get(`${PATH}/labels`, (c) => {
    const repository = repositoryOf(api.data, c);
    const { labels } = issueOf(repository, c);
    const rows = repository.labels.filter(({ name }) => labels.includes(name));
    return answerPage(c, api.origin(), rows, (label) => wireLabel(api, repository, label));
  });
  addLabelWrites(api);
  addAssigneeWrites(api);
}

import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Comment } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError } from "../http/api-error.ts";
import { filled, readBody } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireComment } from "../wire/issue.ts";
import { wordOf } from "./issue-filters.ts";
import { issueOf } from "./issues.ts";

const ONE = "/repos/:owner/:repo/issues/comments/:id{[0-9]+}";
const SHAPE = { resource: "IssueComment", required: { body: filled } };

const commentOf = (repository: Repository, c: Context<Env>): Comment =>
  foundIn(repository.comments, ({ id }) => id === Number(c.req.param("id")));

const since = (c: Context<Env>, comments: readonly Comment[]): readonly Comment[] => {
  const from = c.req.query("since");
  if (from === undefined) return comments;
  return comments.filter(({ updatedAt }) => Date.parse(updatedAt) >= Date.parse(from));
};

function addReads(api: Api): void {
  const { app, data, origin } = api;
  app.get("/repos/:owner/:repo/issues/:number{[0-9]+}/comments", (c) => {
    const repository = repositoryOf(data, c);
    const { number } = issueOf(repository, c);
    const rows = since(c, repository.comments).filter((comment) => comment.number === number);
    return answerPage(c, origin(), rows, (comment) => wireComment(api, repository, comment));
  });
  app.get("/repos/:owner/:repo/issues/comments", (c) => {
    const repository = repositoryOf(data, c);
    const turned = wordOf(c.req.query(), "direction", ["asc", "desc"]) === "desc";
    const rows = since(c, repository.comments);
    const ordered = turned ? rows.toReversed() : rows;
    return answerPage(c, origin(), ordered, (comment) => wireComment(api, repository, comment));
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireComment(api, repository, commentOf(repository, c)));
  });
}

function addWrites(api: Api): void {
  const { app, data } = api;
  app.post("/repos/:owner/:repo/issues/:number{[0-9]+}/comments", async (c) => {
    const repository = repositoryOf(data, c);
    const issue = issueOf(repository, c);
    const { body } = (await readBody(c, SHAPE)) as { readonly body: string };
    if (issue.locked && !repository.collaborators.includes(c.get("login"))) {
      throw new ApiError(403, "Unable to create comment because issue is locked.");
    }
    const now = api.now();
    const comment: Comment = {
      id: takeId(data),
      number: issue.number,
      author: c.get("login"),
      body,
      createdAt: now,
      updatedAt: now,
    };
    repository.comments.push(comment);
    issue.updatedAt = now;
    return c.json(wireComment(api, repository, comment), 201);
  });
  app.patch(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const comment = commentOf(repository, c);
    const { body } = (await readBody(c, SHAPE)) as { readonly body: string };
    Object.assign(comment, { body, updatedAt: api.now() });
    return c.json(wireComment(api, repository, comment));
  });
  app.delete(ONE, (c) => {
    const repository = writableRepositoryOf(data, c);
    repository.comments.splice(repository.comments.indexOf(commentOf(repository, c)), 1);
    return c.body(null, 204);
  });
}

/** Comments on issues and pull requests. */
export function addComments(api: Api): void {
  addReads(api);
  addWrites(api);
}

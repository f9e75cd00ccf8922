import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { ReviewComment } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { filled, integer, oneOf, readBody } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireReviewComment } from "../wire/pull.ts";
import { ONE_PULL, pullOf } from "./pulls.ts";

const ONE = "/repos/:owner/:repo/pulls/comments/:id{[0-9]+}";

const commentOf = (repository: Repository, c: Context<Env>): ReviewComment =>
  foundIn(repository.reviewComments, ({ id }) => id === Number(c.req.param("id")));

function addCreate(api: Api): void {
  const { app, data } = api;
  const add = (repository: Repository, comment: Omit<ReviewComment, "id" | "review">): Response => {
    const whole: ReviewComment = { id: takeId(data), review: null, ...comment };
    repository.reviewComments.push(whole);
    return Response.json(wireReviewComment(api, repository, whole), { status: 201 });
  };
  app.post(`${ONE_PULL}/comments`, async (c) => {
    const repository = repositoryOf(data, c);
    const { number } = pullOf(repository, c);
    const given = (await readBody(c, {
      resource: "PullRequestReviewComment",
      required: { body: filled, commit_id: filled, path: filled },
      optional: { line: integer, side: oneOf("LEFT", "RIGHT"), in_reply_to: integer },
    })) as { body: string; commit_id: string; path: string; line?: number; in_reply_to?: number };
    const { body, commit_id: sha, path, line = 1, in_reply_to: inReplyTo = null } = given;
    const now = api.now();
    const author = c.get("login");
    return add(repository, {
      number,
      author,
      body,
      sha,
      path,
      line,
      inReplyTo,
      createdAt: now,
      updatedAt: now,
    });
  });
  app.post(`${ONE_PULL}/comments/:id{[0-9]+}/replies`, async (c) => {
    const repository = repositoryOf(data, c);
    pullOf(repository, c);
    const { id, review: _, ...first } = commentOf(repository, c);
    const shape = { resource: "PullRequestReviewComment", required: { body: filled } };
    const { body } = (await readBody(c, shape)) as { readonly body: string };
    const now = api.now();
    const author = c.get("login");
    return add(repository, {
      ...first,
      author,
      body,
      inReplyTo: id,
      createdAt: now,
      updatedAt: now,
    });
  });
}

/** Remarks on lines of pull requests. */
export function addReviewComments(api: Api): void {
  const { app, data, origin } = api;
  app.get(`${ONE_PULL}/comments`, (c) => {
    const repository = repositoryOf(data, c);
    const { number } = pullOf(repository, c);
    const rows = repository.reviewComments.filter((comment) => comment.number === number);
    return answerPage(c, origin(), rows, (each) => wireReviewComment(api, repository, each));
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireReviewComment(api, repository, commentOf(repository, c)));
  });
  app.patch(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const comment = commentOf(repository, c);
    const shape = { resource: "PullRequestReviewComment", required: { body: filled } };
    const { body } = (await readBody(c, shape)) as { readonly body: string };
    Object.assign(comment, { body, updatedAt: api.now() });
    return c.json(wireReviewComment(api, repository, comment));
  });
  app.delete(ONE, (c) => {
    const { reviewComments, ...rest } = writableRepositoryOf(data, c);
    reviewComments.splice(reviewComments.indexOf(commentOf({ reviewComments, ...rest }, c)), 1);
    return c.body(null, 204);
  });
  addCreate(api);
}

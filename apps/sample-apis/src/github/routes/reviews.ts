import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Review, ReviewState } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError } from "../http/api-error.ts";
import { filled, oneOf, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { type Pull, wireReview } from "../wire/pull.ts";
import { ONE_PULL, pullOf } from "./pulls.ts";

const ONE = `${ONE_PULL}/reviews/:id{[0-9]+}`;
const EVENTS = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" };
type Event = keyof typeof EVENTS;
const event = oneOf(...Object.keys(EVENTS));

function reviewOf(repository: Repository, pull: Pull, c: Context<Env>): Review {
  const id = Number(c.req.param("id"));
  return foundIn(repository.reviews, (each) => each.id === id && each.number === pull.number);
}

function refuseOwn(pull: Pull, login: string, state: ReviewState): void {
  if (state === "APPROVED" && pull.author === login) {
    throw new ApiError(422, "Can not approve your own pull request");
  }
}

function addWrites(api: Api): void {
  const { app, data } = api;
  app.post(`${ONE_PULL}/reviews`, async (c) => {
    const repository = repositoryOf(data, c);
    const pull = pullOf(repository, c);
    const optional = { body: text, commit_id: text, event, comments: Array.isArray };
    const given = await readBody(c, { resource: "PullRequestReview", optional });
    const state = given["event"] === undefined ? "PENDING" : EVENTS[given["event"] as Event];
    refuseOwn(pull, c.get("login"), state as ReviewState);
    if (state !== "APPROVED" && state !== "PENDING" && !filled(given["body"])) {
      throw new ApiError(422, "Unprocessable Entity: body is required");
    }
    const review: Review = {
      id: takeId(data),
      number: pull.number,
      author: c.get("login"),
      body: (given["body"] ?? "") as string,
      state: state as ReviewState,
      sha: pull.pull.head.sha,
      submittedAt: state === "PENDING" ? null : api.now(),
    };
    repository.reviews.push(review);
    return c.json(wireReview(api, repository, review));
  });
  app.post(`${ONE}/events`, async (c) => {
    const repository = repositoryOf(data, c);
    const review = reviewOf(repository, pullOf(repository, c), c);
    const shape = { resource: "PullRequestReview", required: { event }, optional: { body: text } };
    const given = await readBody(c, shape);
    review.state = EVENTS[given["event"] as Event] as ReviewState;
    review.submittedAt = api.now();
    if (given["body"] !== undefined) review.body = given["body"] as string;
    return c.json(wireReview(api, repository, review));
  });
  app.put(`${ONE}/dismissals`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const review = reviewOf(repository, pullOf(repository, c), c);
    await readBody(c, { resource: "PullRequestReview", required: { message: filled } });
    review.state = "DISMISSED";
    return c.json(wireReview(api, repository, review));
  });
}

/** Reviews of pull requests. */
export function addReviews(api: Api): void {
  const { app, data, origin } = api;
  app.get(`${ONE_PULL}/reviews`, (c) => {
    const repository = repositoryOf(data, c);
    const { number } = pullOf(repository, c);
    const rows = repository.reviews.filter((review) => review.number === number);
    return answerPage(c, origin(), rows, (review) => wireReview(api, repository, review));
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireReview(api, repository, reviewOf(repository, pullOf(repository, c), c)));
  });
  addWrites(api);
}

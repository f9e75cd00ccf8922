import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Milestone, State } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { invalid } from "../http/api-error.ts";
import { filled, oneOf, orNull, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireMilestone } from "../wire/issue.ts";
import { wordOf } from "./issue-filters.ts";

const ALL = "/repos/:owner/:repo/milestones";
const ONE = `${ALL}/:number{[0-9]+}`;

const milestoneOf = (repository: Repository, c: Context<Env>): Milestone =>
  foundIn(repository.milestones, ({ number }) => number === Number(c.req.param("number")));

const instant = (value: unknown): boolean =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

const OPTIONAL = {
  state: oneOf("open", "closed"),
  description: orNull(text),
  due_on: orNull(instant),
};

interface Given {
  readonly title?: string;
  readonly state?: State;
  readonly description?: string | null;
  readonly due_on?: string | null;
}

function apply(milestone: Milestone, given: Given, now: string): void {
  const { title, state, description, due_on: dueOn } = given;
  if (title !== undefined) milestone.title = title;
  if (description !== undefined) milestone.description = description;
  if (dueOn !== undefined) milestone.dueOn = dueOn;
  if (state !== undefined && state !== milestone.state) {
    milestone.state = state;
    milestone.closedAt = state === "closed" ? now : null;
  }
  milestone.updatedAt = now;
}

function addWrites(api: Api): void {
  const { app, data } = api;
  app.post(ALL, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const shape = { resource: "Milestone", required: { title: filled }, optional: OPTIONAL };
    const given: Given = await readBody(c, shape);
    const { title = "" } = given;
    if (repository.milestones.some((each) => each.title === title)) {
      throw invalid({ resource: "Milestone", field: "title", code: "already_exists" });
    }
    const now = api.now();
    const milestone: Milestone = {
      id: takeId(data),
      number: 1 + Math.max(0, ...repository.milestones.map(({ number }) => number)),
      title,
      description: null,
      state: "open",
      creator: c.get("login"),
      dueOn: null,
      createdAt: now,
      updatedAt: now,
      closedAt: null,
    };
    apply(milestone, given, now);
    repository.milestones.push(milestone);
    return c.json(wireMilestone(api, repository, milestone), 201);
  });
  app.patch(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const milestone = milestoneOf(repository, c);
    const optional = { ...OPTIONAL, title: filled };
    apply(milestone, await readBody(c, { resource: "Milestone", optional }), api.now());
    return c.json(wireMilestone(api, repository, milestone));
  });
  app.delete(ONE, (c) => {
    const repository = writableRepositoryOf(data, c);
    const milestone = milestoneOf(repository, c);
    repository.milestones.splice(repository.milestones.indexOf(milestone), 1);
    for (const issue of repository.issues) {
      if (issue.milestone === milestone.number) issue.milestone = null;
    }
    return c.body(null, 204);
  });
}

/** The milestones of a repository. */
export function addMilestones(api: Api): void {
  const { app, data, origin } = api;
  app.get(ALL, (c) => {
    const repository = repositoryOf(data, c);
    const state = wordOf(c.req.query(), "state", ["open", "closed", "all"]);
    const turned = wordOf(c.req.query(), "direction", ["asc", "desc"]) === "desc";
    const rows = repository.milestones.filter((each) => state === "all" || each.state === state);
    const due = ({ dueOn }: Milestone): number => (dueOn === null ? Infinity : Date.parse(dueOn));
    const sorted = rows.toSorted((a, b) => (due(a) < due(b) ? -1 : 1));
    const ordered = turned ? sorted.toReversed() : sorted;
    return answerPage(c, origin(), ordered, (each) => wireMilestone(api, repository, each));
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireMilestone(api, repository, milestoneOf(repository, c)));
  });
  addWrites(api);
}

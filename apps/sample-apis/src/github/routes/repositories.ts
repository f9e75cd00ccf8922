import type { Context } from "hono";
import type { Api, Env } from "../http/api.ts";
import { accountOf, maySee, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { fullName, type Repository } from "../data/repository.ts";
import { takeId } from "../data/data.ts";
import { makeSha } from "../data/make-sha.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { type Body, filled, flag, orNull, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { simpleAccount } from "../wire/account.ts";
import { wireRepository } from "../wire/repository.ts";
import { wordOf } from "./issue-filters.ts";

const OPTIONAL = {
  description: orNull(text),
  homepage: orNull(text),
  private: flag,
  auto_init: flag,
  has_issues: flag,
  has_wiki: flag,
  has_projects: flag,
};

const SORTS = ["full_name", "created", "updated", "pushed"] as const;

/** In the order that `sort` and `direction` of the query name: names upwards, times downwards. */
function sorted(c: Context<Env>, rows: readonly Repository[]): readonly Repository[] {
  const by = wordOf(c.req.query(), "sort", [...SORTS]);
  const usual = by === "full_name" ? "asc" : "desc";
  const turned = (c.req.query("direction") ?? usual) === "desc";
  const of = (repository: Repository): string => {
    if (by === "created") return repository.createdAt;
    if (by === "updated") return repository.updatedAt;
    return by === "pushed" ? repository.pushedAt : fullName(repository);
  };
  const upwards = rows.toSorted((a, b) => (of(a) < of(b) ? -1 : 1));
  return turned ? upwards.toReversed() : upwards;
}

function answerList(api: Api, c: Context<Env>, of: (repository: Repository) => boolean): Response {
  const login = c.get("login");
  const rows = api.data.repositories.filter((each) => of(each) && maySee(api.data, each, login));
  return answerPage(c, api.origin(), sorted(c, rows), (each) => wireRepository(api, each));
}

function newRepository(api: Api, owner: string, given: Body, login: string): Repository {
  const { data } = api;
  const { name, description = null } = given as { name: string; description?: string | null };
  if (data.repositories.some((each) => fullName(each) === `${owner}/${name}`)) {
    throw invalid({
      resource: "Repository",
      field: "name",
      code: "custom",
      message: "name already exists on this account",
    });
  }
  const now = api.now();
  const sha = makeSha(`${owner}/${name} first`);
  const repository: Repository = {
    id: takeId(data),
    owner,
    name,
    description,
    private: given["private"] === true,
    fork: false,
    archived: false,
    language: null,
    topics: [],
    stars: 0,
    forks: 0,
    defaultBranch: "main",
    createdAt: now,
    updatedAt: now,
    pushedAt: now,
    collaborators: [login],
    labels: [],
    milestones: [],
    issues: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    commits: [{ sha, message: "Initial commit", author: login, date: now, parents: [], files: [] }],
    branches: [{ name: "main", sha, protected: false }],
    tags: [],
    releases: [],
    workflows: [],
    runs: [],
    checks: [],
    files: new Map([["README.md", `# ${name}\n`]]),
  };
  data.repositories.push(repository);
  return repository;
}

function addWrites(api: Api): void {
  const { app, data } = api;
  const shape = { resource: "Repository", required: { name: filled }, optional: OPTIONAL };
  app.post("/user/repos", async (c) => {
    const login = c.get("login");
    const made = newRepository(api, login, await readBody(c, shape), login);
    return c.json(wireRepository(api, made), 201);
  });
  app.post("/orgs/:org/repos", async (c) => {
    const { login: org, members } = accountOf(data, c.req.param("org"));
    if (!members.includes(c.get("login"))) throw new ApiError(403, "You must be a member.");
    const made = newRepository(api, org, await readBody(c, shape), c.get("login"));
    return c.json(wireRepository(api, made), 201);
  });
  app.patch("/repos/:owner/:repo", async (c) => {
    const repository = writableRepositoryOf(data, c);
    const optional = { ...OPTIONAL, name: filled, archived: flag, default_branch: filled };
    const given = await readBody(c, { resource: "Repository", optional });
    const { name, description, private: hidden, archived, default_branch: branch } = given;
    const change = { name, description, private: hidden, archived, defaultBranch: branch };
    const given_ = Object.entries(change).filter(([, value]) => value !== undefined);
    Object.assign(repository, Object.fromEntries(given_), { updatedAt: api.now() });
    return c.json(wireRepository(api, repository));
  });
  app.delete("/repos/:owner/:repo", (c) => {
    const repository = writableRepositoryOf(data, c);
    data.repositories.splice(data.repositories.indexOf(repository), 1);
    return c.body(null, 204);
  });
}

/** Repositories, and who works on them. */
export function addRepositories(api: Api): void {
  const { app, data, origin } = api;
  app.get("/repos/:owner/:repo", (c) => c.json(wireRepository(api, repositoryOf(data, c))));
  app.get("/user/repos", (c) =>
    answerList(api, c, (each) => {
      const login = c.get("login");
      return each.owner === login || each.collaborators.includes(login);
    }),
  );
  for (const path of ["/users/:login/repos", "/orgs/:login/repos"]) {
    app.get(path, (c) => {
      const { login } = accountOf(data, c.req.param("login") ?? "");
      return answerList(api, c, ({ owner }) => owner === login);
    });
  }
  for (const kind of ["collaborators", "assignees", "contributors"] as const) {
    app.get(`/repos/:owner/:repo/${kind}`, (c) => {
      const repository = repositoryOf(data, c);
      const count = (login: string): number =>
        repository.commits.filter(({ author }) => author === login).length;
      return answerPage(c, origin(), repository.collaborators, (login) => ({
        ...simpleAccount(api, login),
        ...(kind === "contributors" ? { contributions: count(login) } : {}),
      }));
    });
  }
  app.get("/repos/:owner/:repo/topics", (c) => c.json({ names: repositoryOf(data, c).topics }));
  addWrites(api);
}

import type { Context } from "hono";
import { reachedFrom } from "../data/history.ts";
import type { CheckRun, Commit, Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf } from "../http/api.ts";
import { answerCounted, answerPage } from "../http/paging.ts";
import { wireCheck } from "../wire/delivery.ts";
import { isPull, simplePull } from "../wire/pull.ts";
import { wholeCommit, wireBranch, wireCommit } from "../wire/repository.ts";

const HOME = "/repos/:owner/:repo";

/** The commit that a sha, its beginning, a branch or a tag names. */
export function commitAt(repository: Repository, ref: string): Commit {
  const named = [...repository.branches, ...repository.tags].find(({ name }) => name === ref);
  const sha = named?.sha ?? ref;
  return foundIn(repository.commits, (commit) => sha.length >= 7 && commit.sha.startsWith(sha));
}

/** What leads to a commit, itself first, newest first. */
function history(repository: Repository, from: Commit): readonly Commit[] {
  const seen = reachedFrom(repository, from.sha);
  return repository.commits
    .filter(({ sha }) => seen.has(sha))
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
}

function matches(commit: Commit, c: Context<Env>): boolean {
  const { author, committer, path, since, until } = c.req.query();
  const person = author ?? committer;
  if (person !== undefined && commit.author !== person) return false;
  if (path !== undefined && !commit.files.some((file) => file.path.startsWith(path))) return false;
  if (since !== undefined && Date.parse(commit.date) < Date.parse(since)) return false;
  return until === undefined || Date.parse(commit.date) <= Date.parse(until);
}

/** What was checked of a commit. No other system reports statuses here. */
function addChecks(api: Api): void {
  const { app, data, origin } = api;
  app.get(`${HOME}/commits/:ref{.+}/check-runs`, (c) => {
    const repository = repositoryOf(data, c);
    const { sha } = commitAt(repository, c.req.param("ref"));
    const { check_name: name, status } = c.req.query();
    const rows = repository.checks.filter(
      (check) =>
        check.sha === sha &&
        (name === undefined || check.name === name) &&
        (status === undefined || status === "completed"),
    );
    const wire = (check: CheckRun): object => wireCheck(api, repository, check);
    return answerCounted(c, origin(), rows, { under: "check_runs", wire });
  });
  app.get(`${HOME}/check-runs/:id{[0-9]+}`, (c) => {
    const repository = repositoryOf(data, c);
    const check = foundIn(repository.checks, ({ id }) => id === Number(c.req.param("id")));
    return c.json(wireCheck(api, repository, check));
  });
  app.get(`${HOME}/commits/:ref{.+}/statuses`, (c) => {
    commitAt(repositoryOf(data, c), c.req.param("ref"));
    return answerPage<object>(c, origin(), [], (status) => status);
  });
}

/** Commits, branches and tags. */
export function addCommits(api: Api): void {
  const { app, data, origin } = api;
  app.get(`${HOME}/commits`, (c) => {
    const repository = repositoryOf(data, c);
    const start = commitAt(repository, c.req.query("sha") ?? repository.defaultBranch);
    const rows = history(repository, start).filter((commit) => matches(commit, c));
    return answerPage(c, origin(), rows, (commit) => wireCommit(api, repository, commit));
  });
  app.get(`${HOME}/commits/:ref/pulls`, (c) => {
    const repository = repositoryOf(data, c);
    const { sha } = commitAt(repository, c.req.param("ref"));
    const rows = repository.issues
      .filter(isPull)
      .filter(({ pull }) => pull.mergeSha === sha || pull.commits.includes(sha));
    return answerPage(c, origin(), rows, (pull) => simplePull(api, repository, pull));
  });
  addChecks(api);
  app.get(`${HOME}/commits/:ref{.+}`, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wholeCommit(api, repository, commitAt(repository, c.req.param("ref"))));
  });
  app.get(`${HOME}/branches`, (c) => {
    const repository = repositoryOf(data, c);
    const wanted = c.req.query("protected");
    const rows = repository.branches.filter(
      (branch) => wanted === undefined || String(branch.protected) === wanted,
    );
    return answerPage(c, origin(), rows, (branch) => wireBranch(api, repository, branch));
  });
  app.get(`${HOME}/branches/:branch{.+}`, (c) => {
    const repository = repositoryOf(data, c);
    const branch = foundIn(repository.branches, ({ name }) => name === c.req.param("branch"));
    const commit = wireCommit(api, repository, commitAt(repository, branch.sha));
    return c.json({ ...wireBranch(api, repository, branch), commit });
  });
  app.get(`${HOME}/tags`, (c) => {
    const repository = repositoryOf(data, c);
    return answerPage(c, origin(), repository.tags, ({ name, sha }) => ({
      name,
      commit: { sha, url: "" },
      node_id: `TAG_${name}`,
      tarball_url: "",
      zipball_url: "",
    }));
  });
}

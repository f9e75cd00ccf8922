import type { ChangedFile, Commit } from "../data/repository.ts";
import { type Api, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { oneOf, readBody, text, texts } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { simpleAccounts } from "../wire/account.ts";
import { commitsOf, simplePull } from "../wire/pull.ts";
import { wireCommit, wireFile } from "../wire/repository.ts";
import { makeSha } from "../data/make-sha.ts";
import { ONE_PULL, pullOf } from "./pulls.ts";

function addMerge(api: Api): void {
  const optional = {
    commit_title: text,
    commit_message: text,
    sha: text,
    merge_method: oneOf("merge", "squash", "rebase"),
  };
  api.app.put(`${ONE_PULL}/merge`, async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const issue = pullOf(repository, c);
    const given = await readBody(c, { resource: "PullRequest", optional });
    const { pull } = issue;
    if (issue.state === "closed" || pull.draft) {
      throw new ApiError(405, "Pull Request is not mergeable");
    }
    if (given["sha"] !== undefined && given["sha"] !== pull.head.sha) {
      throw new ApiError(409, "Head branch was modified. Review and try the merge again.");
    }
    const now = api.now();
    const { commit_title: title = `${issue.title} (#${issue.number})` } = given as {
      readonly commit_title?: string;
    };
    const sha = makeSha(`${repository.id} merge ${issue.number}`);
    const base = repository.branches.find(({ name }) => name === pull.base.ref);
    repository.commits.push({
      sha,
      message: title,
      author: c.get("login"),
      date: now,
      parents: [base?.sha ?? pull.base.sha, pull.head.sha],
      files: [],
    });
    if (base !== undefined) base.sha = sha;
    Object.assign(issue, {
      state: "closed",
      closedAt: now,
      closedBy: c.get("login"),
      updatedAt: now,
    });
    Object.assign(pull, { mergedAt: now, mergedBy: c.get("login"), mergeSha: sha });
    return c.json({ sha, merged: true, message: "Pull Request successfully merged" });
  });
  api.app.get(`${ONE_PULL}/merge`, (c) => {
    const { pull } = pullOf(repositoryOf(api.data, c), c);
    if (pull.mergedAt === null) throw notFound();
    return c.body(null, 204);
  });
}

function addReviewers(api: Api): void {
  const path = `${ONE_PULL}/requested_reviewers`;
  const shape = { resource: "PullRequest", optional: { reviewers: texts, team_reviewers: texts } };
  api.app.get(path, (c) => {
    const { pull } = pullOf(repositoryOf(api.data, c), c);
    return c.json({ users: simpleAccounts(api, pull.requestedReviewers), teams: [] });
  });
  api.app.post(path, async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const issue = pullOf(repository, c);
    const { reviewers = [] } = (await readBody(c, shape)) as { reviewers?: readonly string[] };
    const stranger = reviewers.find((login) => !repository.collaborators.includes(login));
    if (stranger !== undefined) {
      throw new ApiError(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator.",
      );
    }
    issue.pull.requestedReviewers = [...new Set([...issue.pull.requestedReviewers, ...reviewers])];
    return c.json(simplePull(api, repository, issue), 201);
  });
  api.app.delete(path, async (c) => {
    const repository = writableRepositoryOf(api.data, c);
    const issue = pullOf(repository, c);
    const { reviewers = [] } = (await readBody(c, shape)) as { reviewers?: readonly string[] };
    issue.pull.requestedReviewers = issue.pull.requestedReviewers.filter(
      (login) => !reviewers.includes(login),
    );
    return c.json(simplePull(api, repository, issue));
  });
}

/** Each file once, with all that commits change of it. */
function changedFiles(commits: readonly Commit[]) {
  const found = new Map<string, { readonly sha: string; readonly file: ChangedFile }>();
  for (const { sha, files } of commits)
    for (const file of files) {
      const before = found.get(file.path)?.file;
      found.set(file.path, {
        sha,
        file: {
          path: file.path,
          status: before?.status ?? file.status,
          additions: (before?.additions ?? 0) + file.additions,
          deletions: (before?.deletions ?? 0) + file.deletions,
        },
      });
    }
  return [...found.values()];
}

/** What a pull request brings, its merge, and who is to review it. */
export function addPullWork(api: Api): void {
  api.app.get(`${ONE_PULL}/commits`, (c) => {
    const repository = repositoryOf(api.data, c);
    const rows = commitsOf(repository, pullOf(repository, c));
    return answerPage(c, api.origin(), rows, (commit) => wireCommit(api, repository, commit));
  });
  api.app.get(`${ONE_PULL}/files`, (c) => {
    const repository = repositoryOf(api.data, c);
    const rows = changedFiles(commitsOf(repository, pullOf(repository, c)));
    return answerPage(c, api.origin(), rows, ({ sha, file }) => wireFile(sha, file));
  });
  addMerge(api);
  addReviewers(api);
}

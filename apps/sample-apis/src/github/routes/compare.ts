import { newCommits } from "../data/history.ts";
import { type Api, repositoryOf } from "../http/api.ts";
import { notFound } from "../http/api-error.ts";
import { repositoryUrl, siteUrl, wireCommit, wireFile } from "../wire/repository.ts";
import { commitAt } from "./commits.ts";

function statusOf(ahead: number, behind: number): string {
  if (ahead > 0) return behind > 0 ? "diverged" : "ahead";
  return behind > 0 ? "behind" : "identical";
}

/** What one commit has and another has not. */
export function addCompare(api: Api): void {
  api.app.get("/repos/:owner/:repo/compare/:basehead{.+}", (c) => {
    const repository = repositoryOf(api.data, c);
    const [from, to] = c.req.param("basehead").split("...");
    if (from === undefined || to === undefined) throw notFound();
    const [base, head] = [commitAt(repository, from), commitAt(repository, to)];
    const commits = newCommits(repository, head.sha, base.sha);
    const behind = newCommits(repository, base.sha, head.sha).length;
    const first = commits[0]?.parents[0] ?? head.sha;
    const url = `${repositoryUrl(api, repository)}/compare/${from}...${to}`;
    return c.json({
      url,
      html_url: `${siteUrl(repository)}/compare/${from}...${to}`,
      permalink_url: `${siteUrl(repository)}/compare/${base.sha}...${head.sha}`,
      diff_url: `${siteUrl(repository)}/compare/${from}...${to}.diff`,
      patch_url: `${siteUrl(repository)}/compare/${from}...${to}.patch`,
      base_commit: wireCommit(api, repository, base),
      merge_base_commit: wireCommit(api, repository, commitAt(repository, first)),
      status: statusOf(commits.length, behind),
      ahead_by: commits.length,
      behind_by: behind,
      total_commits: commits.length,
      commits: commits.map((commit) => wireCommit(api, repository, commit)),
      files: commits.flatMap(({ sha, files }) => files.map((file) => wireFile(sha, file))),
    });
  });
}

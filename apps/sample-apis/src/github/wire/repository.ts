import { fullName, type Branch, type Commit, type Repository } from "../data/repository.ts";
import type { Api } from "../http/api.ts";
import { simpleAccount } from "./account.ts";

const SITE = "https://github.com";

export const repositoryUrl = (api: Api, repository: Repository): string =>
  `${api.origin()}/repos/${fullName(repository)}`;

export const siteUrl = (repository: Repository): string => `${SITE}/${fullName(repository)}`;

export function wireRepository(api: Api, repository: Repository): object {
  const { id, name, description, fork, language, topics, stars, forks, archived } = repository;
  const open = repository.issues.filter(({ state }) => state === "open").length;
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: fullName(repository),
    private: repository.private,
    visibility: repository.private ? "private" : "public",
    owner: simpleAccount(api, repository.owner),
    html_url: siteUrl(repository),
    url: repositoryUrl(api, repository),
    clone_url: `${siteUrl(repository)}.git`,
    ssh_url: `git@github.com:${fullName(repository)}.git`,
    description,
    fork,
    homepage: null,
    language,
    topics,
    size: repository.files.size,
    stargazers_count: stars,
    watchers_count: stars,
    watchers: stars,
    forks_count: forks,
    forks,
    open_issues_count: open,
    open_issues: open,
    default_branch: repository.defaultBranch,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    archived,
    disabled: false,
    license: null,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
  };
}

export function wireCommit(api: Api, repository: Repository, commit: Commit): object {
  const { sha, message, author, date, parents } = commit;
  const name = api.data.accounts.find(({ login }) => login === author)?.name ?? author;
  const signature = { name, email: `${author}@example.org`, date };
  const url = `${repositoryUrl(api, repository)}/commits/${sha}`;
  return {
    sha,
    node_id: `C_${sha}`,
    url,
    html_url: `${siteUrl(repository)}/commit/${sha}`,
    comments_url: `${url}/comments`,
    commit: { message, author: signature, committer: signature, comment_count: 0, url },
    author: simpleAccount(api, author),
    committer: simpleAccount(api, author),
    parents: parents.map((parent) => ({ sha: parent, url: url.replace(sha, parent) })),
  };
}

/** A commit asked for alone: with what it changed. */
export function wholeCommit(api: Api, repository: Repository, commit: Commit): object {
  const additions = commit.files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = commit.files.reduce((sum, file) => sum + file.deletions, 0);
  return {
    ...wireCommit(api, repository, commit),
    stats: { additions, deletions, total: additions + deletions },
    files: commit.files.map((file) => wireFile(commit.sha, file)),
  };
}

export function wireFile(sha: string, file: Commit["files"][number]): object {
  const { path, status, additions, deletions } = file;
  return {
    sha,
    filename: path,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    patch: `@@ -1,${deletions} +1,${additions} @@`,
  };
}

export function wireBranch(api: Api, repository: Repository, branch: Branch): object {
  const { name, sha } = branch;
  return {
    name,
    commit: { sha, url: `${repositoryUrl(api, repository)}/commits/${sha}` },
    protected: branch.protected,
  };
}

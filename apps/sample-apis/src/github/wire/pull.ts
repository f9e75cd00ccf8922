import type { Issue, PullPart, Review, ReviewComment } from "../data/issue.ts";
import type { Commit, Repository } from "../data/repository.ts";
import type { Api } from "../http/api.ts";
import { simpleAccount, simpleAccounts } from "./account.ts";
import { sharedPart } from "./issue.ts";
import { repositoryUrl, siteUrl, wireRepository } from "./repository.ts";

/** An issue that is a pull request. */
export type Pull = Issue & { readonly pull: PullPart };

export const isPull = (issue: Issue): issue is Pull => issue.pull !== null;

const side = (api: Api, repository: Repository, { ref, sha }: PullPart["head"]): object => ({
  label: `${repository.owner}:${ref}`,
  ref,
  sha,
  user: simpleAccount(api, repository.owner),
  repo: wireRepository(api, repository),
});

/** A pull request as lists have it. */
export function simplePull(api: Api, repository: Repository, issue: Pull): object {
  const { pull, number } = issue;
  const home = repositoryUrl(api, repository);
  return {
    ...sharedPart(api, repository, issue),
    url: `${home}/pulls/${number}`,
    issue_url: `${home}/issues/${number}`,
    diff_url: `${siteUrl(repository)}/pull/${number}.diff`,
    draft: pull.draft,
    head: side(api, repository, pull.head),
    base: side(api, repository, pull.base),
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeSha,
    requested_reviewers: simpleAccounts(api, pull.requestedReviewers),
    requested_teams: [],
    auto_merge: null,
  };
}

export const commitsOf = (repository: Repository, { pull }: Pull): readonly Commit[] =>
  repository.commits.filter(({ sha }) => pull.commits.includes(sha));

/** A pull request asked for alone. */
export function wholePull(api: Api, repository: Repository, issue: Pull): object {
  const { pull, number } = issue;
  const files = commitsOf(repository, issue).flatMap((commit) => commit.files);
  return {
    ...simplePull(api, repository, issue),
    merged: pull.mergedAt !== null,
    mergeable: issue.state === "open" ? true : null,
    rebaseable: issue.state === "open" ? true : null,
    mergeable_state: issue.state === "open" ? "clean" : "unknown",
    merged_by: pull.mergedBy === null ? null : simpleAccount(api, pull.mergedBy),
    maintainer_can_modify: false,
    comments: repository.comments.filter((each) => each.number === number).length,
    review_comments: repository.reviewComments.filter((each) => each.number === number).length,
    commits: pull.commits.length,
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changed_files: new Set(files.map(({ path }) => path)).size,
  };
}

export function wireReview(api: Api, repository: Repository, review: Review): object {
  const { id, number, author, body, state, sha, submittedAt } = review;
  const site = `${siteUrl(repository)}/pull/${number}#pullrequestreview-${id}`;
  return {
    id,
    node_id: `PRR_${id}`,
    user: simpleAccount(api, author),
    body,
    state,
    html_url: site,
    pull_request_url: `${repositoryUrl(api, repository)}/pulls/${number}`,
    author_association: repository.collaborators.includes(author) ? "COLLABORATOR" : "NONE",
    commit_id: sha,
    ...(submittedAt === null ? {} : { submitted_at: submittedAt }),
  };
}

export function wireReviewComment(
  api: Api,
  repository: Repository,
  comment: ReviewComment,
): object {
  const { id, number, author, body, path, line, sha, inReplyTo } = comment;
  const home = repositoryUrl(api, repository);
  return {
    id,
    node_id: `PRRC_${id}`,
    url: `${home}/pulls/comments/${id}`,
    html_url: `${siteUrl(repository)}/pull/${number}#discussion_r${id}`,
    pull_request_url: `${home}/pulls/${number}`,
    pull_request_review_id: comment.review,
    ...(inReplyTo === null ? {} : { in_reply_to_id: inReplyTo }),
    diff_hunk: `@@ -${line} +${line} @@`,
    path,
    line,
    original_line: line,
    side: "RIGHT",
    subject_type: "line",
    commit_id: sha,
    original_commit_id: sha,
    user: simpleAccount(api, author),
    body,
    author_association: repository.collaborators.includes(author) ? "COLLABORATOR" : "NONE",
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  };
}

import type { Comment, Issue, Label, Milestone } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import type { Api } from "../http/api.ts";
import { simpleAccount, simpleAccounts } from "./account.ts";
import { repositoryUrl, siteUrl } from "./repository.ts";

export function wireLabel(api: Api, repository: Repository, label: Label): object {
  const { id, name, color, description } = label;
  const url = `${repositoryUrl(api, repository)}/labels/${encodeURIComponent(name)}`;
  return { id, node_id: `L_${id}`, url, name, color, description, default: false };
}

export function wireMilestone(api: Api, repository: Repository, milestone: Milestone): object {
  const { id, number, title, description, state, creator } = milestone;
  const of = repository.issues.filter((issue) => issue.milestone === number);
  return {
    id,
    node_id: `M_${id}`,
    number,
    title,
    description,
    state,
    creator: simpleAccount(api, creator),
    open_issues: of.filter((issue) => issue.state === "open").length,
    closed_issues: of.filter((issue) => issue.state === "closed").length,
    due_on: milestone.dueOn,
    created_at: milestone.createdAt,
    updated_at: milestone.updatedAt,
    closed_at: milestone.closedAt,
    url: `${repositoryUrl(api, repository)}/milestones/${number}`,
    html_url: `${siteUrl(repository)}/milestone/${number}`,
  };
}

const sitePath = (issue: Issue): string =>
  `${issue.pull === null ? "issues" : "pull"}/${issue.number}`;

/** The members that issues and pull requests share. */
export function sharedPart(api: Api, repository: Repository, issue: Issue): object {
  const { id, number, title, body, state, locked } = issue;
  const milestone = repository.milestones.find((each) => each.number === issue.milestone);
  return {
    id,
    node_id: `I_${id}`,
    number,
    title,
    body,
    state,
    locked,
    active_lock_reason: null,
    user: simpleAccount(api, issue.author),
    labels: repository.labels
      .filter(({ name }) => issue.labels.includes(name))
      .map((label) => wireLabel(api, repository, label)),
    assignee: issue.assignees[0] === undefined ? null : simpleAccount(api, issue.assignees[0]),
    assignees: simpleAccounts(api, issue.assignees),
    milestone: milestone === undefined ? null : wireMilestone(api, repository, milestone),
    author_association: repository.collaborators.includes(issue.author) ? "COLLABORATOR" : "NONE",
    html_url: `${siteUrl(repository)}/${sitePath(issue)}`,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
  };
}

/** An issue in a list of issues or alone; search leaves out who closed it. */
export function wireIssue(api: Api, repository: Repository, issue: Issue): object {
  const { closedBy } = issue;
  return {
    ...foundIssue(api, repository, issue),
    closed_by: closedBy === null ? null : simpleAccount(api, closedBy),
  };
}

/** An issue as search has it. */
export function foundIssue(api: Api, repository: Repository, issue: Issue): object {
  const { number, pull } = issue;
  const home = repositoryUrl(api, repository);
  const url = `${home}/issues/${number}`;
  const pulls = `${home}/pulls/${number}`;
  return {
    ...sharedPart(api, repository, issue),
    url,
    repository_url: home,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    comments: repository.comments.filter((each) => each.number === number).length,
    state_reason: issue.stateReason,
    ...(pull === null
      ? {}
      : {
          draft: pull.draft,
          pull_request: {
            url: pulls,
            html_url: `${siteUrl(repository)}/pull/${number}`,
            diff_url: null,
            patch_url: null,
            merged_at: pull.mergedAt,
          },
        }),
  };
}

export function wireComment(api: Api, repository: Repository, comment: Comment): object {
  const { id, number, author, body } = comment;
  const home = repositoryUrl(api, repository);
  return {
    id,
    node_id: `IC_${id}`,
    url: `${home}/issues/comments/${id}`,
    html_url: `${siteUrl(repository)}/issues/${number}#issuecomment-${id}`,
    issue_url: `${home}/issues/${number}`,
    body,
    user: simpleAccount(api, author),
    author_association: repository.collaborators.includes(author) ? "COLLABORATOR" : "NONE",
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
  };
}

import type { Issue } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { invalid } from "../http/api-error.ts";

type Query = Readonly<Record<string, string>>;

/** A word of a query, its usual one if it is absent; 422 for any other. */
export function wordOf(query: Query, name: string, words: readonly [string, ...string[]]): string {
  const value = query[name] ?? words[0];
  if (words.includes(value)) return value;
  throw invalid({ resource: "Issue", field: name, code: "invalid", value });
}

function matchesPeople(issue: Issue, query: Query): boolean {
  const { assignee, creator, mentioned } = query;
  if (assignee === "none" && issue.assignees.length > 0) return false;
  if (assignee === "*" && issue.assignees.length === 0) return false;
  const named = assignee !== undefined && assignee !== "none" && assignee !== "*";
  if (named && !issue.assignees.includes(assignee)) return false;
  if (creator !== undefined && issue.author !== creator) return false;
  return mentioned === undefined || (issue.body ?? "").includes(`@${mentioned}`);
}

function matchesMilestone(issue: Issue, milestone: string | undefined): boolean {
  if (milestone === undefined) return true;
  if (milestone === "*") return issue.milestone !== null;
  if (milestone === "none") return issue.milestone === null;
  return issue.milestone === Number(milestone);
}

/** Whether a list of a repository's issues with that query has it. */
export function matchesList(issue: Issue, query: Query): boolean {
  const state = wordOf(query, "state", ["open", "closed", "all"]);
  if (state !== "all" && issue.state !== state) return false;
  const labels = (query["labels"] ?? "").split(",").filter((label) => label !== "");
  if (!labels.every((label) => issue.labels.includes(label))) return false;
  if (!matchesPeople(issue, query) || !matchesMilestone(issue, query["milestone"])) return false;
  const { since } = query;
  return since === undefined || Date.parse(issue.updatedAt) >= Date.parse(since);
}

/** In the order the query asks for, newest first unless it does. */
export function sortIssues(
  issues: readonly Issue[],
  repository: Repository,
  query: Query,
): readonly Issue[] {
  const by = wordOf(query, "sort", ["created", "updated", "comments"]);
  const direction = wordOf(query, "direction", ["desc", "asc"]) === "asc" ? 1 : -1;
  const comments = (issue: Issue): number =>
    repository.comments.filter(({ number }) => number === issue.number).length;
  const of = (issue: Issue): number => {
    if (by === "comments") return comments(issue);
    return Date.parse(by === "updated" ? issue.updatedAt : issue.createdAt);
  };
  return issues.toSorted((a, b) => direction * (of(a) - of(b) || a.number - b.number));
}

import type { Issue } from "../data/issue.ts";
import { fullName, type Repository } from "../data/repository.ts";
import { inRange, type ParsedSearch, type Qualifier } from "./parse-search.ts";

/** An issue with where it is. */
export interface Placed {
  readonly repository: Repository;
  readonly issue: Issue;
}

function matchesIs({ issue, repository }: Placed, word: string): boolean {
  switch (word) {
    case "issue":
      return issue.pull === null;
    case "pr":
    case "pull-request":
      return issue.pull !== null;
    case "open":
    case "closed":
      return issue.state === word;
    case "merged":
      return issue.pull !== null && issue.pull.mergedAt !== null;
    case "unmerged":
      return issue.pull !== null && issue.pull.mergedAt === null;
    case "draft":
      return issue.pull?.draft === true;
    case "locked":
      return issue.locked;
    case "public":
    case "private":
      return repository.private === (word === "private");
    default:
      return false;
  }
}

function matchesNo({ issue }: Placed, word: string): boolean {
  switch (word) {
    case "label":
      return issue.labels.length === 0;
    case "assignee":
      return issue.assignees.length === 0;
    case "milestone":
      return issue.milestone === null;
    default:
      return false;
  }
}

const during = (instant: string | null | undefined, asked: string): boolean =>
  instant !== null && instant !== undefined && inRange(instant, asked, Date.parse);

const milestoneTitle = ({ repository, issue }: Placed): string | undefined =>
  repository.milestones.find(({ number }) => number === issue.milestone)?.title;

const commentsOf = ({ repository, issue }: Placed) =>
  repository.comments.filter(({ number }) => number === issue.number);

const involved = (placed: Placed, login: string): boolean => {
  const { issue } = placed;
  const people = [
    issue.author,
    ...issue.assignees,
    ...commentsOf(placed).map(({ author }) => author),
  ];
  return people.includes(login) || (issue.body ?? "").includes(`@${login}`);
};

/** By qualifier; those that GitHub has and this server does not match nothing. */
const RULES: Readonly<Record<string, (placed: Placed, value: string) => boolean>> = {
  is: matchesIs,
  type: matchesIs,
  state: matchesIs,
  no: matchesNo,
  repo: ({ repository }, value) => fullName(repository) === value,
  org: ({ repository }, value) => repository.owner === value,
  user: ({ repository }, value) => repository.owner === value,
  author: ({ issue }, value) => issue.author === value,
  assignee: ({ issue }, value) =>
    value === "*" ? issue.assignees.length > 0 : issue.assignees.includes(value),
  label: ({ issue }, value) => value.split(",").some((name) => issue.labels.includes(name)),
  milestone: (placed, value) => milestoneTitle(placed) === value,
  mentions: ({ issue }, value) => (issue.body ?? "").includes(`@${value}`),
  commenter: (placed, value) => commentsOf(placed).some(({ author }) => author === value),
  involves: involved,
  draft: ({ issue }, value) => String(issue.pull?.draft ?? false) === value,
  base: ({ issue }, value) => issue.pull?.base.ref === value,
  head: ({ issue }, value) => issue.pull?.head.ref === value,
  reason: ({ issue }, value) => issue.stateReason === value.replace(" ", "_"),
  "review-requested": ({ issue }, value) => issue.pull?.requestedReviewers.includes(value) === true,
  "reviewed-by": ({ repository, issue }, value) =>
    repository.reviews.some(({ number, author }) => number === issue.number && author === value),
  language: ({ repository }, value) => repository.language?.toLowerCase() === value.toLowerCase(),
  comments: (placed, value) => inRange(String(commentsOf(placed).length), value, Number),
  created: ({ issue }, value) => during(issue.createdAt, value),
  updated: ({ issue }, value) => during(issue.updatedAt, value),
  closed: ({ issue }, value) => during(issue.closedAt, value),
  merged: ({ issue }, value) => during(issue.pull?.mergedAt, value),
};

const OWNERS = new Set(["repo", "org", "user"]);

const WHERE = ["title", "body", "comments"] as const;

function texts(placed: Placed, places: readonly string[]): string {
  const { title, body } = placed.issue;
  const wanted = places.length === 0 ? WHERE : places;
  return [
    ...(wanted.includes("title") ? [title] : []),
    ...(wanted.includes("body") ? [body ?? ""] : []),
    ...(wanted.includes("comments") ? commentsOf(placed).map((comment) => comment.body) : []),
  ]
    .join("\n")
    .toLowerCase();
}

/** Those of `all` that a search finds. `@me` stands for `login`. */
export function searchIssues(
  all: readonly Placed[],
  search: ParsedSearch,
  login: string,
): readonly Placed[] {
  const isPlace = ({ name }: Qualifier): boolean => name === "in";
  const places = search.qualifiers.filter(isPlace).flatMap(({ value }) => value.split(","));
  // Several repositories or owners are alternatives; all else must hold together.
  const rest = search.qualifiers.filter((each) => !isPlace(each));
  const isOwner = ({ name, not }: Qualifier): boolean => OWNERS.has(name) && !not;
  const owners = rest.filter(isOwner);
  const others = rest.filter((each) => !isOwner(each));
  const holds = (placed: Placed, { name, value, not }: Qualifier): boolean =>
    (RULES[name]?.(placed, value === "@me" ? login : value) ?? false) !== not;
  return all.filter((placed) => {
    const text = texts(placed, places);
    if (!search.words.every((word) => text.includes(word))) return false;
    if (owners.length > 0 && !owners.some((each) => holds(placed, each))) return false;
    return others.every((each) => holds(placed, each));
  });
}

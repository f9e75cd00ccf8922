import type { Issue, Label, Milestone, PullPart } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { BRANCHES, day, person } from "./seed-repository.ts";

const LABELS = [
  ["bug", "d73a4a", "Something does not work"],
  ["feature", "a2eeef", "Something new"],
  ["docs", "0075ca", "What is written about it"],
  ["tide", "5319e7", null],
] as const;

const TITLES = [
  "Tide table is an hour late",
  "Mooring line chafes",
  "Berth plan lacks a legend",
  "Radio log loses its last line",
  "Crane jams in frost",
  "Harbour master cannot log in",
  "Fog horn sounds twice",
];

/** How many issues each repository has; those of the fullest take three pages of 100. */
const COUNTS: Readonly<Record<string, number>> = { quay: 250, crane: 40, vault: 12, dotfiles: 3 };
const MERGED = 8;

const labelsAt = (at: number): string[] => [
  ...(at % 3 === 0 ? ["bug"] : []),
  ...(at % 5 === 0 ? ["feature"] : []),
  ...(at % 7 === 0 ? ["tide"] : []),
];

const blank = (repository: Repository, number: number): Issue => ({
  id: repository.id * 10_000 + number,
  number,
  author: person(number % 9),
  title: `${TITLES[number % TITLES.length]} (${number})`,
  body: `Seen on day ${number} at berth ${number % 40}.`,
  state: "open",
  stateReason: null,
  assignees: [],
  labels: [],
  milestone: null,
  locked: false,
  createdAt: day(number % 50),
  updatedAt: day(number % 50),
  closedAt: null,
  closedBy: null,
  pull: null,
});

function plainIssue(repository: Repository, number: number): Issue {
  const closed = number % 4 === 0;
  return {
    ...blank(repository, number),
    labels: labelsAt(number),
    assignees: number % 6 === 0 ? [person(number + 1)] : [],
    milestone: number % 10 === 0 ? 1 + (number % 3) : null,
    ...(closed
      ? {
          state: "closed" as const,
          stateReason: "completed" as const,
          closedAt: day(50),
          closedBy: "ann",
        }
      : {}),
  };
}

/** A pull request whose commits are on the main line already. */
function mergedPull(repository: Repository, number: number, at: number): Issue {
  const commit = repository.commits[25 + at];
  const part: PullPart = {
    draft: false,
    head: { ref: `done-${at}`, sha: commit?.sha ?? "" },
    base: { ref: "main", sha: repository.commits[24]?.sha ?? "" },
    mergedAt: day(25 + at),
    mergedBy: "ann",
    mergeSha: commit?.sha ?? null,
    requestedReviewers: [],
    commits: commit === undefined ? [] : [commit.sha],
  };
  return {
    ...blank(repository, number),
    title: commit?.message ?? "",
    author: commit?.author ?? "ann",
    labels: at % 2 === 0 ? ["bug"] : ["feature"],
    state: "closed",
    closedAt: part.mergedAt,
    closedBy: "ann",
    pull: part,
  };
}

function openPull(repository: Repository, number: number, branch: string): Issue {
  const head = repository.branches.find(({ name }) => name === branch);
  const own = repository.commits.filter(({ message }) => message.startsWith(`${branch}:`));
  return {
    ...blank(repository, number),
    title: `Add ${branch}`,
    author: "bjorn",
    pull: {
      draft: false,
      head: { ref: branch, sha: head?.sha ?? "" },
      base: { ref: "main", sha: repository.branches[0]?.sha ?? "" },
      mergedAt: null,
      mergedBy: null,
      mergeSha: null,
      requestedReviewers: ["carla"],
      commits: own.map(({ sha }) => sha),
    },
  };
}

function seedReviews(repository: Repository, number: number, at: number): void {
  const { reviews, reviewComments, issues } = repository;
  const sha = issues.find((issue) => issue.number === number)?.pull?.head.sha ?? "";
  const id = repository.id * 10_000 + 5000 + 10 * at;
  const submittedAt = day(42 + at);
  reviews.push(
    { id, number, author: "ann", body: "Looks sound.", state: "APPROVED", sha, submittedAt },
    {
      id: id + 1,
      number,
      author: "carla",
      body: "Mind the fog.",
      state: at === 0 ? "CHANGES_REQUESTED" : "COMMENTED",
      sha,
      submittedAt,
    },
  );
  reviewComments.push({
    id: id + 2,
    number,
    review: id + 1,
    author: "carla",
    path: `src/${BRANCHES[at]}.ts`,
    line: 3,
    sha,
    inReplyTo: null,
    body: "Why three?",
    createdAt: submittedAt,
    updatedAt: submittedAt,
  });
}

/** Each commit of a pull request is built, tested and linted; the lint of the second open pull request fails. */
function seedChecks(repository: Repository): void {
  for (const { pull, number } of repository.issues) {
    const [sha] = pull === null ? [] : [pull.head.sha];
    if (sha === undefined) continue;
    const fails = pull?.head.ref === BRANCHES[1] ? "lint" : "";
    ["build", "test", "lint"].forEach((name, at) => {
      repository.checks.push({
        id: repository.id * 10_000 + 8000 + number * 3 + at,
        name,
        sha,
        conclusion: name === fails ? "failure" : "success",
        summary: name === fails ? "2 problems in src/night-mode.ts" : "",
        startedAt: day(41),
        completedAt: day(41),
      });
    });
  }
}

function seedComments(repository: Repository): void {
  for (const { number, pull } of repository.issues) {
    if (number % 5 !== 0 && pull === null) continue;
    for (const at of [0, 1]) {
      repository.comments.push({
        id: repository.id * 10_000 + 6000 + number * 2 + at,
        number,
        author: person(number + at),
        body: at === 0 ? "Same here." : "Still so after the storm.",
        createdAt: day(50 + at),
        updatedAt: day(50 + at),
      });
    }
  }
}

const label = (repository: Repository, at: number): Label => {
  const [name = "", color = "", description = null] = LABELS[at] ?? [];
  return { id: repository.id * 100 + 40 + at, name, color, description };
};

const milestone = (repository: Repository, number: number): Milestone => ({
  id: repository.id * 100 + 50 + number,
  number,
  title: `1.${number}`,
  description: null,
  state: number === 1 ? "closed" : "open",
  creator: "ann",
  dueOn: number === 3 ? null : day(60 + number),
  createdAt: day(0),
  updatedAt: day(0),
  closedAt: number === 1 ? day(30) : null,
});

/** Gives a repository labels, milestones, issues, pull requests, reviews and comments. */
export function seedIssues(repository: Repository): void {
  const { labels, milestones, issues } = repository;
  labels.push(...LABELS.map((_label, at) => label(repository, at)));
  milestones.push(...[1, 2, 3].map((number) => milestone(repository, number)));
  const count = COUNTS[repository.name] ?? 0;
  for (let number = 1; number <= count; number += 1) issues.push(plainIssue(repository, number));
  for (let at = 0; at < MERGED; at += 1) issues.push(mergedPull(repository, count + 1 + at, at));
  // The last branch is free for a pull request of somebody else's.
  BRANCHES.slice(0, 3).forEach((branch, at) => {
    const number = count + MERGED + 1 + at;
    issues.push(openPull(repository, number, branch));
    seedReviews(repository, number, at);
  });
  seedComments(repository);
  seedChecks(repository);
}

export type State = "open" | "closed";

export interface Label {
  readonly id: number;
  name: string;
  /** six hex digits */
  color: string;
  description: string | null;
}

export interface Milestone {
  readonly id: number;
  readonly number: number;
  title: string;
  description: string | null;
  state: State;
  readonly creator: string;
  dueOn: string | null;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
}

export interface Comment {
  readonly id: number;
  /** of the issue or pull request */
  readonly number: number;
  readonly author: string;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
}

/** What an issue has more when it is a pull request. */
export interface PullPart {
  draft: boolean;
  readonly head: { readonly ref: string; sha: string };
  base: { readonly ref: string; readonly sha: string };
  mergedAt: string | null;
  mergedBy: string | null;
  mergeSha: string | null;
  requestedReviewers: string[];
  /** shas of the head branch that the base lacks, oldest first */
  readonly commits: readonly string[];
}

/** An issue or a pull request: GitHub numbers and lists them together. */
export interface Issue {
  readonly id: number;
  readonly number: number;
  readonly author: string;
  title: string;
  body: string | null;
  state: State;
  stateReason: "completed" | "not_planned" | "reopened" | "duplicate" | null;
  /** logins */
  assignees: string[];
  /** names */
  labels: string[];
  milestone: number | null;
  locked: boolean;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: string | null;
  readonly pull: PullPart | null;
}

export type ReviewState = "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "PENDING" | "DISMISSED";

export interface Review {
  readonly id: number;
  /** of the pull request */
  readonly number: number;
  readonly author: string;
  body: string;
  state: ReviewState;
  readonly sha: string;
  submittedAt: string | null;
}

/** A remark on a line of a pull request. */
export interface ReviewComment {
  readonly id: number;
  readonly number: number;
  readonly review: number | null;
  readonly author: string;
  readonly path: string;
  readonly line: number;
  readonly sha: string;
  readonly inReplyTo: number | null;
  body: string;
  readonly createdAt: string;
  updatedAt: string;
}

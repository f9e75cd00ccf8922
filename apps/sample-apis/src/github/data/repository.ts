import type { Comment, Issue, Label, Milestone, Review, ReviewComment } from "./issue.ts";

export interface ChangedFile {
  readonly path: string;
  readonly status: "added" | "modified" | "removed";
  readonly additions: number;
  readonly deletions: number;
}

export interface Commit {
  readonly sha: string;
  readonly message: string;
  /** login */
  readonly author: string;
  readonly date: string;
  readonly parents: readonly string[];
  readonly files: readonly ChangedFile[];
}

export interface Branch {
  readonly name: string;
  sha: string;
  readonly protected: boolean;
}

export interface Release {
  readonly id: number;
  readonly author: string;
  tag: string;
  target: string;
  name: string | null;
  body: string | null;
  draft: boolean;
  prerelease: boolean;
  readonly createdAt: string;
  publishedAt: string | null;
}

export interface Workflow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  state: "active" | "disabled_manually";
  readonly createdAt: string;
}

export interface WorkflowRun {
  readonly id: number;
  readonly number: number;
  readonly workflow: number;
  readonly title: string;
  readonly branch: string;
  readonly sha: string;
  readonly event: string;
  readonly actor: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: "success" | "failure" | "cancelled" | null;
  attempt: number;
  readonly createdAt: string;
  updatedAt: string;
}

/** One check of a commit, as an app reports it. */
export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly conclusion: "success" | "failure";
  readonly summary: string;
  readonly startedAt: string;
  readonly completedAt: string;
}

export interface Repository {
  readonly id: number;
  /** login of a person or an organisation */
  readonly owner: string;
  name: string;
  description: string | null;
  private: boolean;
  readonly fork: boolean;
  archived: boolean;
  readonly language: string | null;
  topics: string[];
  readonly stars: number;
  readonly forks: number;
  defaultBranch: string;
  readonly createdAt: string;
  updatedAt: string;
  pushedAt: string;
  /** people who may be assigned */
  readonly collaborators: string[];
  readonly labels: Label[];
  readonly milestones: Milestone[];
  readonly issues: Issue[];
  readonly comments: Comment[];
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
  /** oldest first */
  readonly commits: Commit[];
  readonly branches: Branch[];
  readonly tags: { readonly name: string; readonly sha: string }[];
  readonly releases: Release[];
  readonly workflows: Workflow[];
  readonly runs: WorkflowRun[];
  readonly checks: CheckRun[];
  /** text by path, as the default branch has it */
  readonly files: Map<string, string>;
}

export const fullName = ({ owner, name }: Pick<Repository, "owner" | "name">): string =>
  `${owner}/${name}`;

/** Repositories that tasks are about, as the APIs' parameters have them. */
export const QUAY = { owner: "harbour", repo: "quay" };
export const CRANE = { owner: "harbour", repo: "crane" };

/** How many issues and pull requests a repository has at first. */
export const SEEDED = { crane: 51 };

interface Issue {
  readonly state: string;
  readonly pull: unknown;
}

/** An open issue that is no pull request. */
export const isPlainOpen = ({ state, pull }: Issue): boolean => state === "open" && pull === null;

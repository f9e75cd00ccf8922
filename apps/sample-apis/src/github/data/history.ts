import type { Commit, Repository } from "./repository.ts";

/** The shas that lead to a commit, its own among them. */
export function reachedFrom(repository: Repository, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const left = [from];
  for (let sha = left.pop(); sha !== undefined; sha = left.pop()) {
    if (seen.has(sha)) continue;
    seen.add(sha);
    left.push(...(repository.commits.find((commit) => commit.sha === sha)?.parents ?? []));
  }
  return seen;
}

/** The commits that lead to `head` and not to `base`, oldest first. */
export function newCommits(repository: Repository, head: string, base: string): readonly Commit[] {
  const known = reachedFrom(repository, base);
  const wanted = reachedFrom(repository, head);
  return repository.commits.filter(({ sha }) => wanted.has(sha) && !known.has(sha));
}

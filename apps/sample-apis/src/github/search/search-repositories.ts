import { fullName, type Repository } from "../data/repository.ts";
import { inRange, type ParsedSearch } from "./parse-search.ts";

const RULES: Readonly<Record<string, (repository: Repository, value: string) => boolean>> = {
  user: ({ owner }, value) => owner === value,
  org: ({ owner }, value) => owner === value,
  repo: (repository, value) => fullName(repository) === value,
  language: ({ language }, value) => language?.toLowerCase() === value.toLowerCase(),
  topic: ({ topics }, value) => topics.includes(value),
  stars: ({ stars }, value) => inRange(String(stars), value, Number),
  forks: ({ forks }, value) => inRange(String(forks), value, Number),
  archived: ({ archived }, value) => String(archived) === value,
  created: ({ createdAt }, value) => inRange(createdAt, value, Date.parse),
  pushed: ({ pushedAt }, value) => inRange(pushedAt, value, Date.parse),
  is: (repository, value) => repository.private === (value === "private"),
  in: () => true,
};

/** Those of `all` that a search finds by name, description and topics. */
export function searchRepositories(
  all: readonly Repository[],
  { words, qualifiers }: ParsedSearch,
): readonly Repository[] {
  return all.filter((repository) => {
    const { description, topics } = repository;
    const text = [fullName(repository), description ?? "", ...topics].join("\n").toLowerCase();
    if (!words.every((word) => text.includes(word))) return false;
    return qualifiers.every(
      ({ name, value, not }) => (RULES[name]?.(repository, value) ?? false) !== not,
    );
  });
}

import { fullName, type Repository } from "../data/repository.ts";
import type { ParsedSearch } from "./parse-search.ts";

/** A file with where it is. */
export interface CodeHit {
  readonly repository: Repository;
  readonly path: string;
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path;

const RULES: Readonly<Record<string, (hit: CodeHit, value: string) => boolean>> = {
  repo: ({ repository }, value) => fullName(repository) === value,
  user: ({ repository }, value) => repository.owner === value,
  org: ({ repository }, value) => repository.owner === value,
  path: ({ path }, value) => path.startsWith(value),
  filename: ({ path }, value) => nameOf(path) === value,
  extension: ({ path }, value) => path.endsWith(`.${value}`),
  language: ({ repository }, value) => repository.language?.toLowerCase() === value.toLowerCase(),
  in: () => true,
};

/** The files whose text or path has all words. */
export function searchCode(
  all: readonly Repository[],
  { words, qualifiers }: ParsedSearch,
): readonly CodeHit[] {
  const places = qualifiers.filter(({ name }) => name === "in").map(({ value }) => value);
  return all
    .flatMap((repository) => [...repository.files.keys()].map((path) => ({ repository, path })))
    .filter((hit) => {
      const content = hit.repository.files.get(hit.path) ?? "";
      const text = (places.includes("path") ? hit.path : `${content}\n${hit.path}`).toLowerCase();
      if (!words.every((word) => text.includes(word))) return false;
      return qualifiers.every(
        ({ name, value, not }) => (RULES[name]?.(hit, value) ?? false) !== not,
      );
    });
}

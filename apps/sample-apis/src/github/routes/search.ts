import type { Context } from "hono";
import { makeSha } from "../data/make-sha.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, type Env, maySee } from "../http/api.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { pageOf } from "../http/paging.ts";
import { type ParsedSearch, parseSearch } from "../search/parse-search.ts";
import { type CodeHit, searchCode } from "../search/search-code.ts";
import { type Placed, searchIssues } from "../search/search-issues.ts";
import { searchRepositories } from "../search/search-repositories.ts";
import { foundIssue } from "../wire/issue.ts";
import { repositoryUrl, siteUrl, wireRepository } from "../wire/repository.ts";

/** GitHub finds more, but shows no more. */
const SHOWN = 1000;

function searchOf(c: Context<Env>): ParsedSearch {
  const text = c.req.query("q") ?? "";
  if (text.trim() === "") throw invalid({ resource: "Search", field: "q", code: "missing" });
  return parseSearch(text);
}

function answer<Row>(
  api: Api,
  c: Context<Env>,
  rows: readonly Row[],
  wire: (row: Row) => object,
): Response {
  const [page, size] = [Number(c.req.query("page") ?? 1), Number(c.req.query("per_page") ?? 30)];
  if ((page - 1) * size >= SHOWN) {
    throw new ApiError(422, "Only the first 1000 search results are available");
  }
  const { rows: shown, link } = pageOf(c, api.origin(), rows.slice(0, SHOWN));
  const items = shown.map((row) => ({ ...wire(row), score: 1 }));
  const body = { total_count: rows.length, incomplete_results: false, items };
  return Response.json(body, { headers: link === null ? {} : { link } });
}

/** In the order of `sort` and `order`, by one number a row; as they are without `sort`. */
function ordered<Row>(
  c: Context<Env>,
  rows: readonly Row[],
  keys: Readonly<Record<string, (row: Row) => number>>,
): readonly Row[] {
  const sort = c.req.query("sort");
  const key = sort === undefined ? undefined : keys[sort];
  if (key === undefined) return rows;
  const sign = c.req.query("order") === "asc" ? 1 : -1;
  return rows.toSorted((a, b) => sign * (key(a) - key(b)));
}

function wireCode(api: Api, { repository, path }: CodeHit): object {
  const sha = makeSha(repository.files.get(path) ?? "");
  return {
    name: path.split("/").at(-1),
    path,
    sha,
    url: `${repositoryUrl(api, repository)}/contents/${path}`,
    git_url: `${repositoryUrl(api, repository)}/git/blobs/${sha}`,
    html_url: `${siteUrl(repository)}/blob/${repository.defaultBranch}/${path}`,
    repository: wireRepository(api, repository),
  };
}

/** The lines of a file that have a word of the search. */
function textMatches({ repository, path }: CodeHit, words: readonly string[]): readonly object[] {
  const lines = (repository.files.get(path) ?? "").split("\n");
  return lines.flatMap((fragment) => {
    const matches = words.flatMap((text) => {
      const at = fragment.toLowerCase().indexOf(text);
      return at < 0 ? [] : [{ text, indices: [at, at + text.length] }];
    });
    return matches.length === 0
      ? []
      : [{ object_type: "FileContent", property: "content", fragment, matches }];
  });
}

/** Search over issues, repositories and code. */
export function addSearch(api: Api): void {
  const { app, data } = api;
  const seen = (c: Context<Env>): readonly Repository[] =>
    data.repositories.filter((each) => maySee(data, each, c.get("login")));
  app.get("/search/issues", (c) => {
    const all = seen(c).flatMap((repository) =>
      repository.issues.map((issue): Placed => ({ repository, issue })),
    );
    const found = searchIssues(all, searchOf(c), c.get("login"));
    const rows = ordered(c, found, {
      created: ({ issue }) => Date.parse(issue.createdAt),
      updated: ({ issue }) => Date.parse(issue.updatedAt),
      comments: ({ issue, repository }) =>
        repository.comments.filter(({ number }) => number === issue.number).length,
    });
    return answer(api, c, rows, ({ repository, issue }) => foundIssue(api, repository, issue));
  });
  app.get("/search/repositories", (c) => {
    const found = searchRepositories(seen(c), searchOf(c));
    const rows = ordered(c, found, {
      stars: ({ stars }) => stars,
      forks: ({ forks }) => forks,
      updated: ({ updatedAt }) => Date.parse(updatedAt),
    });
    return answer(api, c, rows, (each) => wireRepository(api, each));
  });
  app.get("/search/code", (c) => {
    const search = searchOf(c);
    const wantsText = c.req.header("accept")?.includes("text-match") === true;
    return answer(api, c, searchCode(seen(c), search), (hit) => ({
      ...wireCode(api, hit),
      ...(wantsText ? { text_matches: textMatches(hit, search.words) } : {}),
    }));
  });
}

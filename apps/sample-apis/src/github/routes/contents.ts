import type { Context } from "hono";
import type { Repository } from "../data/repository.ts";
import { makeSha } from "../data/make-sha.ts";
import { type Api, type Env, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError, invalid, notFound } from "../http/api-error.ts";
import { filled, object, readBody, text } from "../http/body.ts";
import { repositoryUrl, siteUrl } from "../wire/repository.ts";

const ONE = "/repos/:owner/:repo/contents/:path{.*}";

const shaOf = (content: string): string =>
  makeSha(`blob ${Buffer.byteLength(content)}\0${content}`);

function wireEntry(api: Api, repository: Repository, path: string): Record<string, unknown> {
  const content = repository.files.get(path);
  const url = `${repositoryUrl(api, repository)}/contents/${path}`;
  return {
    type: content === undefined ? "dir" : "file",
    size: content === undefined ? 0 : Buffer.byteLength(content),
    name: path.split("/").at(-1),
    path,
    sha: content === undefined ? makeSha(`tree ${path}`) : shaOf(content),
    url,
    git_url: null,
    html_url: `${siteUrl(repository)}/blob/${repository.defaultBranch}/${path}`,
    download_url: null,
    _links: { self: url, git: null, html: null },
  };
}

/** A file with its text in lines of base64, as GitHub sends it. */
function wireContent(api: Api, repository: Repository, path: string): object {
  const content = Buffer.from(repository.files.get(path) ?? "").toString("base64");
  const lines = content.replaceAll(/.{60}/g, "$&\n");
  return { ...wireEntry(api, repository, path), encoding: "base64", content: lines };
}

/** The files and folders directly in a folder. */
function entriesOf(repository: Repository, folder: string): readonly string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const inside = [...repository.files.keys()].filter((path) => path.startsWith(start));
  return [...new Set(inside.map((path) => start + path.slice(start.length).split("/")[0]))];
}

function addWrites(api: Api): void {
  const { app, data } = api;
  const commitOf = (repository: Repository, message: unknown, login: string): string => {
    const branch = repository.branches.find(({ name }) => name === repository.defaultBranch);
    const sha = makeSha(`${repository.id} ${repository.commits.length}`);
    const parents = branch === undefined ? [] : [branch.sha];
    const date = api.now();
    repository.commits.push({
      sha,
      message: String(message),
      author: login,
      date,
      parents,
      files: [],
    });
    if (branch !== undefined) branch.sha = sha;
    return sha;
  };
  const optional = { sha: text, branch: text, committer: object, author: object };
  app.put(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const path = c.req.param("path");
    const required = { message: filled, content: text };
    const given = await readBody(c, { resource: "Contents", required, optional });
    const old = repository.files.get(path);
    if (old !== undefined && given["sha"] === undefined) {
      throw invalid({ resource: "Contents", field: "sha", code: "missing_field" });
    }
    if (old !== undefined && given["sha"] !== shaOf(old)) {
      throw new ApiError(409, `${path} does not match ${String(given["sha"])}`);
    }
    repository.files.set(path, Buffer.from(given["content"] as string, "base64").toString());
    const sha = commitOf(repository, given["message"], c.get("login"));
    const body = { content: wireEntry(api, repository, path), commit: { sha } };
    return c.json(body, old === undefined ? 201 : 200);
  });
  app.delete(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const path = c.req.param("path");
    const required = { message: filled, sha: filled };
    const given = await readBody(c, { resource: "Contents", required, optional });
    const old = repository.files.get(path);
    if (old === undefined) throw notFound();
    if (given["sha"] !== shaOf(old)) throw new ApiError(409, `${path} does not match`);
    repository.files.delete(path);
    return c.json({
      content: null,
      commit: { sha: commitOf(repository, given["message"], c.get("login")) },
    });
  });
}

/** Whether a folder is asked for as one object with its entries. */
const asObject = (c: Context<Env>): boolean =>
  c.req.header("accept")?.includes("vnd.github.object") === true;

/** Files and folders of a repository's default branch. */
export function addContents(api: Api): void {
  const { app, data } = api;
  const list = (repository: Repository, folder: string): Response => {
    const entries = entriesOf(repository, folder);
    if (entries.length === 0) throw notFound();
    return Response.json(entries.map((path) => wireEntry(api, repository, path)));
  };
  const folder = (repository: Repository, path: string): Response => {
    const entries = entriesOf(repository, path).map((each) => wireEntry(api, repository, each));
    if (entries.length === 0) throw notFound();
    return Response.json({ ...wireEntry(api, repository, path), entries });
  };
  app.get("/repos/:owner/:repo/contents", (c) => list(repositoryOf(data, c), ""));
  app.get("/repos/:owner/:repo/readme", (c) =>
    c.json(wireContent(api, repositoryOf(data, c), "README.md")),
  );
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    const path = c.req.param("path").replace(/\/$/, "");
    if (!repository.files.has(path))
      return asObject(c) ? folder(repository, path) : list(repository, path);
    return c.json(wireContent(api, repository, path));
  });
  addWrites(api);
}

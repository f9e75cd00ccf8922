import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Release, Repository } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { invalid } from "../http/api-error.ts";
import { type Body, filled, flag, oneOf, orNull, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireRelease } from "../wire/delivery.ts";

const ALL = "/repos/:owner/:repo/releases";
const ONE = `${ALL}/:id{[0-9]+}`;

const OPTIONAL = {
  target_commitish: filled,
  name: orNull(text),
  body: orNull(text),
  draft: flag,
  prerelease: flag,
  make_latest: oneOf("true", "false", "legacy"),
  generate_release_notes: flag,
};

const releaseOf = (repository: Repository, c: Context<Env>): Release =>
  foundIn(repository.releases, ({ id }) => id === Number(c.req.param("id")));

const published = ({ draft }: Release): boolean => !draft;

const newestFirst = (releases: readonly Release[]): readonly Release[] =>
  releases.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id);

function apply(release: Release, given: Body, now: string): void {
  const { tag_name: tag = release.tag, target_commitish: target = release.target } = given;
  const { name = release.name, body = release.body } = given;
  const { draft = release.draft, prerelease = release.prerelease } = given;
  Object.assign(release, { tag, target, name, body, draft, prerelease });
  if (!release.draft) release.publishedAt ??= now;
}

function refuseTaken(repository: Repository, tag: unknown, but?: Release): void {
  if (!repository.releases.some((each) => each !== but && each.tag === tag)) return;
  throw invalid({ resource: "Release", field: "tag_name", code: "already_exists" });
}

function addReads(api: Api): void {
  const { app, data, origin } = api;
  app.get(ALL, (c) => {
    const repository = repositoryOf(data, c);
    const works = repository.collaborators.includes(c.get("login"));
    const rows = newestFirst(repository.releases).filter((each) => works || published(each));
    return answerPage(c, origin(), rows, (release) => wireRelease(api, repository, release));
  });
  app.get(`${ALL}/latest`, (c) => {
    const repository = repositoryOf(data, c);
    const full = newestFirst(repository.releases).filter(
      (each) => published(each) && !each.prerelease,
    );
    return c.json(
      wireRelease(
        api,
        repository,
        foundIn(full, () => true),
      ),
    );
  });
  app.get(`${ALL}/tags/:tag{.+}`, (c) => {
    const repository = repositoryOf(data, c);
    const tag = c.req.param("tag");
    const found = foundIn(repository.releases, (each) => each.tag === tag && published(each));
    return c.json(wireRelease(api, repository, found));
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireRelease(api, repository, releaseOf(repository, c)));
  });
}

/** Releases of a repository. */
export function addReleases(api: Api): void {
  const { app, data } = api;
  addReads(api);
  app.post(ALL, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const required = { tag_name: filled };
    const given = await readBody(c, { resource: "Release", required, optional: OPTIONAL });
    refuseTaken(repository, given["tag_name"]);
    const now = api.now();
    const release: Release = {
      id: takeId(data),
      author: c.get("login"),
      tag: "",
      target: repository.defaultBranch,
      name: null,
      body: null,
      draft: false,
      prerelease: false,
      createdAt: now,
      publishedAt: null,
    };
    apply(release, given, now);
    repository.releases.push(release);
    return c.json(wireRelease(api, repository, release), 201);
  });
  app.patch(ONE, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const release = releaseOf(repository, c);
    const optional = { ...OPTIONAL, tag_name: filled };
    const given = await readBody(c, { resource: "Release", optional });
    refuseTaken(repository, given["tag_name"], release);
    apply(release, given, api.now());
    return c.json(wireRelease(api, repository, release));
  });
  app.delete(ONE, (c) => {
    const repository = writableRepositoryOf(data, c);
    repository.releases.splice(repository.releases.indexOf(releaseOf(repository, c)), 1);
    return c.body(null, 204);
  });
}

import { takeId } from "../data/data.ts";
import type { Label } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { type Api, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { invalid } from "../http/api-error.ts";
import { filled, orNull, readBody, text } from "../http/body.ts";
import { answerPage } from "../http/paging.ts";
import { wireLabel } from "../wire/issue.ts";

const color = (value: unknown): boolean =>
  typeof value === "string" && /^[0-9a-f]{6}$/i.test(value);

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Labels that issues are given come to be, as GitHub has it. */
export function addMissingLabels(api: Api, repository: Repository, names: readonly string[]): void {
  for (const name of names) {
    if (repository.labels.some((label) => same(label.name, name))) continue;
    repository.labels.push({ id: takeId(api.data), name, color: "ededed", description: null });
  }
}

const labelOf = (repository: Repository, name: string): Label =>
  foundIn(repository.labels, (label) => same(label.name, name));

function refuseTaken(repository: Repository, name: string): void {
  if (!repository.labels.some((label) => same(label.name, name))) return;
  throw invalid({ resource: "Label", field: "name", code: "already_exists" });
}

function addWrites(api: Api): void {
  const { app, data } = api;
  app.post("/repos/:owner/:repo/labels", async (c) => {
    const repository = writableRepositoryOf(data, c);
    const given = await readBody(c, {
      resource: "Label",
      required: { name: filled },
      optional: { color, description: orNull(text) },
    });
    const {
      name,
      color: tint = "ededed",
      description = null,
    } = given as {
      name: string;
      color?: string;
      description?: string | null;
    };
    refuseTaken(repository, name);
    const label = { id: takeId(data), name, color: tint, description };
    repository.labels.push(label);
    return c.json(wireLabel(api, repository, label), 201);
  });
  app.patch("/repos/:owner/:repo/labels/:name", async (c) => {
    const repository = writableRepositoryOf(data, c);
    const label = labelOf(repository, c.req.param("name"));
    const optional = { new_name: filled, color, description: orNull(text) };
    const given = await readBody(c, { resource: "Label", optional });
    const name = (given["new_name"] ?? label.name) as string;
    if (!same(name, label.name)) refuseTaken(repository, name);
    for (const issue of repository.issues) {
      issue.labels = issue.labels.map((each) => (each === label.name ? name : each));
    }
    const { new_name: _, ...rest } = given;
    Object.assign(label, rest, { name });
    return c.json(wireLabel(api, repository, label));
  });
  app.delete("/repos/:owner/:repo/labels/:name", (c) => {
    const repository = writableRepositoryOf(data, c);
    const label = labelOf(repository, c.req.param("name"));
    repository.labels.splice(repository.labels.indexOf(label), 1);
    for (const issue of repository.issues) {
      issue.labels = issue.labels.filter((each) => each !== label.name);
    }
    return c.body(null, 204);
  });
}

/** The labels a repository has. */
export function addLabels(api: Api): void {
  const { app, data, origin } = api;
  app.get("/repos/:owner/:repo/labels", (c) => {
    const repository = repositoryOf(data, c);
    const sorted = repository.labels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return answerPage(c, origin(), sorted, (label) => wireLabel(api, repository, label));
  });
  app.get("/repos/:owner/:repo/labels/:name", (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireLabel(api, repository, labelOf(repository, c.req.param("name"))));
  });
  addWrites(api);
}

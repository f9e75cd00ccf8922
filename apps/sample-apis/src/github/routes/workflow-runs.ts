import type { Context } from "hono";
import type { Repository, WorkflowRun } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError } from "../http/api-error.ts";
import { flag, readBody } from "../http/body.ts";
import { answerCounted } from "../http/paging.ts";
import { wireJobs, wireRun } from "../wire/delivery.ts";
import { workflowOf } from "./workflows.ts";

const ALL = "/repos/:owner/:repo/actions/runs";
const ONE = `${ALL}/:run{[0-9]+}`;

const runOf = (repository: Repository, c: Context<Env>): WorkflowRun =>
  foundIn(repository.runs, ({ id }) => id === Number(c.req.param("run")));

function matches(run: WorkflowRun, query: Readonly<Record<string, string>>): boolean {
  const { actor, branch, event, status, head_sha: sha } = query;
  if (actor !== undefined && run.actor !== actor) return false;
  if (branch !== undefined && run.branch !== branch) return false;
  if (event !== undefined && run.event !== event) return false;
  if (sha !== undefined && run.sha !== sha) return false;
  // GitHub takes a status or a conclusion here.
  return status === undefined || run.status === status || run.conclusion === status;
}

function answerRuns(
  api: Api,
  c: Context<Env>,
  repository: Repository,
  workflow?: number,
): Response {
  const rows = repository.runs
    .filter((run) => workflow === undefined || run.workflow === workflow)
    .filter((run) => matches(run, c.req.query()))
    .toSorted((a, b) => b.id - a.id);
  const wire = (run: WorkflowRun): object => wireRun(api, repository, run);
  return answerCounted(c, api.origin(), rows, { under: "workflow_runs", wire });
}

function addWrites(api: Api): void {
  const { app, data } = api;
  for (const verb of ["rerun", "rerun-failed-jobs"] as const) {
    app.post(`${ONE}/${verb}`, async (c) => {
      const run = runOf(writableRepositoryOf(data, c), c);
      await readBody(c, { resource: "WorkflowRun", optional: { enable_debug_logging: flag } });
      if (run.status !== "completed") throw new ApiError(403, "The workflow is already running");
      const attempt = run.attempt + 1;
      Object.assign(run, { status: "queued", conclusion: null, attempt, updatedAt: api.now() });
      return c.json({}, 201);
    });
  }
  app.post(`${ONE}/cancel`, (c) => {
    const run = runOf(writableRepositoryOf(data, c), c);
    if (run.status === "completed") {
      throw new ApiError(409, "Cannot cancel a workflow run that is completed.");
    }
    Object.assign(run, { status: "completed", conclusion: "cancelled", updatedAt: api.now() });
    return c.json({}, 202);
  });
  app.delete(ONE, (c) => {
    const repository = writableRepositoryOf(data, c);
    repository.runs.splice(repository.runs.indexOf(runOf(repository, c)), 1);
    return c.body(null, 204);
  });
}

/** Runs of workflows. */
export function addWorkflowRuns(api: Api): void {
  const { app, data } = api;
  app.get(ALL, (c) => answerRuns(api, c, repositoryOf(data, c)));
  app.get("/repos/:owner/:repo/actions/workflows/:workflow/runs", (c) => {
    const repository = repositoryOf(data, c);
    return answerRuns(api, c, repository, workflowOf(repository, c).id);
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireRun(api, repository, runOf(repository, c)));
  });
  app.get(`${ONE}/jobs`, (c) => {
    const repository = repositoryOf(data, c);
    const jobs = wireJobs(api, repository, runOf(repository, c));
    return answerCounted(c, api.origin(), jobs, { under: "jobs", wire: (job) => job });
  });
  addWrites(api);
}

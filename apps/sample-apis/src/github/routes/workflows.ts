import type { Context } from "hono";
import { takeId } from "../data/data.ts";
import type { Repository, Workflow, WorkflowRun } from "../data/repository.ts";
import { type Api, type Env, foundIn, repositoryOf, writableRepositoryOf } from "../http/api.ts";
import { ApiError } from "../http/api-error.ts";
import { filled, flag, object, readBody } from "../http/body.ts";
import { answerCounted } from "../http/paging.ts";
import { wireWorkflow } from "../wire/delivery.ts";
import { commitAt } from "./commits.ts";

const ALL = "/repos/:owner/:repo/actions/workflows";
const ONE = `${ALL}/:workflow`;

/** A workflow is asked for by its id or by its file's name. */
export function workflowOf(repository: Repository, c: Context<Env>): Workflow {
  const asked = c.req.param("workflow") ?? "";
  return foundIn(
    repository.workflows,
    ({ id, path }) => String(id) === asked || path.endsWith(`/${asked}`),
  );
}

function addDispatch(api: Api): void {
  const { app, data } = api;
  app.post(`${ONE}/dispatches`, async (c) => {
    const repository = writableRepositoryOf(data, c);
    const workflow = workflowOf(repository, c);
    const given = await readBody(c, {
      resource: "WorkflowDispatch",
      required: { ref: filled },
      optional: { inputs: object, return_run_details: flag },
    });
    if (workflow.state !== "active") {
      throw new ApiError(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow");
    }
    const ref = given["ref"] as string;
    if (!repository.branches.some(({ name }) => name === ref)) {
      throw new ApiError(422, `No ref found for: ${ref}`);
    }
    const now = api.now();
    const run: WorkflowRun = {
      id: takeId(data),
      number: 1 + repository.runs.filter((each) => each.workflow === workflow.id).length,
      workflow: workflow.id,
      title: workflow.name,
      branch: ref,
      sha: commitAt(repository, ref).sha,
      event: "workflow_dispatch",
      actor: c.get("login"),
      status: "queued",
      conclusion: null,
      attempt: 1,
      createdAt: now,
      updatedAt: now,
    };
    repository.runs.push(run);
    if (given["return_run_details"] !== true) return c.body(null, 204);
    const url = `${api.origin()}/repos/${repository.owner}/${repository.name}/actions/runs/${run.id}`;
    return c.json({ workflow_run_id: run.id, run_url: url, html_url: url });
  });
}

/** The workflows of a repository. */
export function addWorkflows(api: Api): void {
  const { app, data, origin } = api;
  app.get(ALL, (c) => {
    const repository = repositoryOf(data, c);
    const wire = (each: Workflow): object => wireWorkflow(api, repository, each);
    return answerCounted(c, origin(), repository.workflows, { under: "workflows", wire });
  });
  app.get(ONE, (c) => {
    const repository = repositoryOf(data, c);
    return c.json(wireWorkflow(api, repository, workflowOf(repository, c)));
  });
  for (const [verb, state] of [
    ["enable", "active"],
    ["disable", "disabled_manually"],
  ] as const) {
    app.put(`${ONE}/${verb}`, (c) => {
      workflowOf(writableRepositoryOf(data, c), c).state = state;
      return c.body(null, 204);
    });
  }
  addDispatch(api);
}

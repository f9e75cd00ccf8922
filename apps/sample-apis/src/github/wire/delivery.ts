import type { CheckRun, Release, Repository, Workflow, WorkflowRun } from "../data/repository.ts";
import type { Api } from "../http/api.ts";
import { simpleAccount } from "./account.ts";
import { repositoryUrl, siteUrl, wireRepository } from "./repository.ts";

export function wireRelease(api: Api, repository: Repository, release: Release): object {
  const { id, tag, target, name, body, draft, prerelease, author } = release;
  const url = `${repositoryUrl(api, repository)}/releases/${id}`;
  return {
    id,
    node_id: `RE_${id}`,
    url,
    html_url: `${siteUrl(repository)}/releases/tag/${tag}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tag_name: tag,
    target_commitish: target,
    name,
    body,
    draft,
    prerelease,
    author: simpleAccount(api, author),
    assets: [],
    tarball_url: null,
    zipball_url: null,
    created_at: release.createdAt,
    published_at: release.publishedAt,
  };
}

export function wireWorkflow(api: Api, repository: Repository, workflow: Workflow): object {
  const { id, name, path, state, createdAt } = workflow;
  return {
    id,
    node_id: `W_${id}`,
    name,
    path,
    state,
    created_at: createdAt,
    updated_at: createdAt,
    url: `${repositoryUrl(api, repository)}/actions/workflows/${id}`,
    html_url: `${siteUrl(repository)}/blob/${repository.defaultBranch}/${path}`,
    badge_url: `${siteUrl(repository)}/workflows/${encodeURIComponent(name)}/badge.svg`,
  };
}

export function wireCheck(api: Api, repository: Repository, check: CheckRun): object {
  const { id, name, sha, conclusion, summary, startedAt, completedAt } = check;
  const site = `${siteUrl(repository)}/runs/${id}`;
  return {
    id,
    node_id: `CR_${id}`,
    external_id: "",
    name,
    head_sha: sha,
    status: "completed",
    conclusion,
    url: `${repositoryUrl(api, repository)}/check-runs/${id}`,
    html_url: site,
    details_url: site,
    started_at: startedAt,
    completed_at: completedAt,
    output: {
      title: conclusion === "failure" ? `${name} failed` : `${name} passed`,
      summary: summary === "" ? null : summary,
      text: null,
      annotations_count: 0,
      annotations_url: `${repositoryUrl(api, repository)}/check-runs/${id}/annotations`,
    },
    check_suite: { id: repository.id },
    app: null,
    pull_requests: [],
  };
}

const STEPS = ["Set up job", "Check out", "Run the checks", "Complete job"];

/** The jobs of a run: one on each system; the second is where a run fails. */
export function wireJobs(api: Api, repository: Repository, run: WorkflowRun): readonly object[] {
  const home = `${repositoryUrl(api, repository)}/actions`;
  return ["linux", "windows"].map((system, at) => {
    const id = run.id * 10 + at;
    const hasFailed = at === 1 && run.conclusion === "failure";
    const conclusion = hasFailed || run.conclusion !== "failure" ? run.conclusion : "success";
    return {
      id,
      run_id: run.id,
      run_url: `${home}/runs/${run.id}`,
      run_attempt: run.attempt,
      node_id: `JOB_${id}`,
      head_sha: run.sha,
      head_branch: run.branch,
      workflow_name: repository.workflows.find((each) => each.id === run.workflow)?.name ?? null,
      name: system,
      status: run.status,
      conclusion,
      url: `${home}/jobs/${id}`,
      html_url: `${siteUrl(repository)}/actions/runs/${run.id}/job/${id}`,
      check_run_url: `${repositoryUrl(api, repository)}/check-runs/${id}`,
      created_at: run.createdAt,
      started_at: run.createdAt,
      completed_at: run.status === "completed" ? run.updatedAt : null,
      labels: [`${system}-latest`],
      runner_id: 1,
      runner_name: `${system} 1`,
      runner_group_id: 1,
      runner_group_name: "GitHub Actions",
      steps: STEPS.map((name, step) => ({
        number: step + 1,
        name,
        status: run.status,
        conclusion: step === 2 ? conclusion : run.conclusion === null ? null : "success",
        started_at: run.createdAt,
        completed_at: run.updatedAt,
      })),
    };
  });
}

export function wireRun(api: Api, repository: Repository, run: WorkflowRun): object {
  const { id, number, title, branch, sha, event, status, conclusion } = run;
  const workflow = repository.workflows.find((each) => each.id === run.workflow);
  const url = `${repositoryUrl(api, repository)}/actions/runs/${id}`;
  return {
    id,
    node_id: `WFR_${id}`,
    name: workflow?.name ?? null,
    path: workflow?.path ?? "",
    display_title: title,
    run_number: number,
    run_attempt: run.attempt,
    event,
    status,
    conclusion,
    workflow_id: run.workflow,
    head_branch: branch,
    head_sha: sha,
    actor: simpleAccount(api, run.actor),
    triggering_actor: simpleAccount(api, run.actor),
    pull_requests: [],
    url,
    html_url: `${siteUrl(repository)}/actions/runs/${id}`,
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    created_at: run.createdAt,
    updated_at: run.updatedAt,
    run_started_at: run.createdAt,
    repository: wireRepository(api, repository),
  };
}

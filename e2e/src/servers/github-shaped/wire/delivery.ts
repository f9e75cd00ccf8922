import type { Release, Repository, Workflow, WorkflowRun } from "../data/repository.ts";
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

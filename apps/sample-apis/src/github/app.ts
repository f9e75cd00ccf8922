import { Hono } from "hono";
import type { Data } from "./data/data.ts";
import type { Api, Env } from "./http/api.ts";
import { ApiError, notFound } from "./http/api-error.ts";
import { refuseUnknownQuery } from "./http/known-query.ts";
import type { RateLimiter } from "./http/rate-limit.ts";
import { logged, type LoggedRequest } from "./http/request-log.ts";
import { addAccounts } from "./routes/accounts.ts";
import { addComments } from "./routes/comments.ts";
import { addCommits } from "./routes/commits.ts";
import { addCompare } from "./routes/compare.ts";
import { addContents } from "./routes/contents.ts";
import { addIssueLabels } from "./routes/issue-labels.ts";
import { addIssues } from "./routes/issues.ts";
import { addLabels } from "./routes/labels.ts";
import { addMilestones } from "./routes/milestones.ts";
import { addPullWork } from "./routes/pull-work.ts";
import { addPulls } from "./routes/pulls.ts";
import { addReleases } from "./routes/releases.ts";
import { addRepositories } from "./routes/repositories.ts";
import { addReviewComments } from "./routes/review-comments.ts";
import { addReviews } from "./routes/reviews.ts";
import { addSearch } from "./routes/search.ts";
import { addWorkflowRuns } from "./routes/workflow-runs.ts";
import { addWorkflows } from "./routes/workflows.ts";

/** Sees every request before any route; a response it returns is the answer. */
export type RequestHook = (
  request: LoggedRequest,
) => Response | undefined | Promise<Response | undefined>;

export interface AppOptions {
  readonly data: Data;
  readonly origin: () => string;
  readonly nowMs: () => number;
  readonly limiter: RateLimiter;
  readonly log: (request: LoggedRequest) => void;
  readonly onRequest: RequestHook;
}

const GROUPS: readonly ((api: Api) => void)[] = [
  addRepositories,
  addContents,
  addComments,
  addIssues,
  addIssueLabels,
  addLabels,
  addMilestones,
  addReviewComments,
  addPulls,
  addPullWork,
  addReviews,
  addCommits,
  addCompare,
  addReleases,
  addWorkflows,
  addWorkflowRuns,
  addAccounts,
  addSearch,
];

const BEARER = /^(?:bearer|token) (.+)$/i;

/** Logs every request, lets the hook see it, and turns away who has no token or is too fast. */
function addGates(app: Hono<Env>, options: AppOptions): void {
  const { data, limiter, log, onRequest } = options;
  app.use(async (c, next) => {
    const seen = logged(c.req.raw, await c.req.text());
    log(seen);
    const answer = await onRequest(seen);
    if (answer === undefined) await next();
    else c.res = answer;
    seen.status = c.res.status;
  });
  app.use(async (c, next) => {
    const header = c.req.header("authorization");
    if (header === undefined) throw new ApiError(401, "Requires authentication");
    const login = data.tokens[BEARER.exec(header)?.[1] ?? ""];
    if (login === undefined) throw new ApiError(401, "Bad credentials");
    c.set("login", login);
    const path = new URL(c.req.url).pathname;
    if (path === "/rate_limit") return c.json({ resources: limiter.told(login) });
    const { headers, refused } = limiter.take(login, path);
    if (refused !== undefined) return refused;
    if (c.req.method === "GET") refuseUnknownQuery(new URL(c.req.url));
    await next();
    for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
    return undefined;
  });
}

/** GitHub's REST API over some data, as one function from request to response. */
export function githubApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  addGates(app, options);
  const { data, origin, nowMs } = options;
  const now = (): string => new Date(nowMs()).toISOString().replace(/\.\d+Z$/, "Z");
  for (const add of GROUPS) add({ app, data, origin, now });
  app.notFound(() => notFound().toResponse());
  app.onError((error) => {
    if (error instanceof ApiError) return error.toResponse();
    return Response.json({ message: `the server failed: ${error.message}` }, { status: 500 });
  });
  return app;
}

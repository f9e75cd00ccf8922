/** A GitHub-shaped server for tests and benchmarks: start it, seed it, read its log. */
export type { RequestHook } from "./app.ts";
export type { Data } from "./data/data.ts";
export { primaryLimit, type RateLimits, secondaryLimit } from "./http/rate-limit.ts";
export type { LoggedRequest } from "./http/request-log.ts";
export { seedData } from "./seed/seed-data.ts";
export {
  type GitHubShaped,
  type GitHubShapedOptions,
  startGitHubShaped,
} from "./start-github-shaped.ts";

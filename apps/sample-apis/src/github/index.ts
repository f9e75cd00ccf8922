/** A GitHub-shaped server for tests and benchmarks: start it, seed it, read its log. */
export type { RequestHook } from "./app.ts";
export type { Data } from "./data/data.ts";
export { fullName } from "./data/repository.ts";
export { primaryLimit, type RateLimits, secondaryLimit } from "./http/rate-limit.ts";
export type { LoggedRequest } from "./http/request-log.ts";
export { seedTasks } from "./seed/seed-tasks.ts";
export { seedData } from "./seed/seed-data.ts";
export {
  type GitHubShaped,
  type GitHubShapedOptions,
  startGitHubShaped,
} from "./start-github-shaped.ts";

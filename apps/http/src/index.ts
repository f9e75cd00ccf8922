export { createHttpApp, type HttpAppOptions, type McpHandler } from "./create-http-app.ts";
export type { Administrators } from "./routes/administrators.ts";
export type { Operators } from "./routes/operators.ts";
export type { AttemptRate, GuessLimits } from "./server/guesses.ts";
export { isLoopback } from "./server/loopback.ts";
export { ServerStartError } from "./server/server-start-error.ts";
export {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type SharedWithMcp,
  type ServerLimits,
} from "./server/start-http-server.ts";

export { createHttpApp, type HttpAppOptions } from "./create-http-app.ts";
export type { Administrators } from "./routes/administrators.ts";
export type { Operators } from "./routes/operators.ts";
export type { AttemptRate, GuessLimits } from "./server/guesses.ts";
export { isLoopback } from "./server/loopback.ts";
export { ServerStartError } from "./server/server-start-error.ts";
export {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type ServerLimits,
} from "./server/start-http-server.ts";

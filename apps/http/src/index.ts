export { createHttpApp, type HttpAppOptions, type MountedMcp } from "./create-http-app.ts";
export type { Administrators } from "./routes/route.ts";
export type { Operators } from "./routes/route.ts";
export type { AttemptRate, GuessLimits } from "./server/guesses.ts";
export { isLoopback } from "./server/start-http-server.ts";
export { ServerStartError } from "./server/start-http-server.ts";
export {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
  type SharedWithMcp,
  type ServerLimits,
} from "./server/start-http-server.ts";

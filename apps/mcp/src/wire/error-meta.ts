import type { JsonObject } from "@plasm/core";
import type { Problem } from "@plasm/agent-core";

/** What the meta of a problem says of the error itself, such as OPS-10's `reason`. */
export function errorMeta(problem: Problem): JsonObject {
  const error = problem.meta["error"];
  return typeof error === "object" && error !== null && !Array.isArray(error)
    ? (error as JsonObject)
    : {};
}

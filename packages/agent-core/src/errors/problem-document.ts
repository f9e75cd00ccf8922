import type { Json, JsonObject } from "@plasm/core";
import type { Problem, ProblemError } from "./problem.ts";

const errorDocument = (error: ProblemError): JsonObject =>
  Object.fromEntries(
    Object.entries(error)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value as Json]),
  );

/**
 * The error object as every surface sends it: `application/problem+json` on HTTP and
 * `_meta.plasm.error` on MCP (SURF-18). `detail` is the text that suffices for a model (ERR-031).
 */
export const problemDocument = (problem: Problem): JsonObject => ({
  type: problem.type,
  title: problem.title,
  status: problem.status,
  code: problem.code,
  retryable: problem.retryable,
  detail: problem.text,
  errors: problem.errors.map(errorDocument),
});

import type { Environment } from "./environment.ts";
import type { MappingError } from "./mapping-error.ts";

/** One evaluation: its environment, and the errors it found so far. */
export interface Evaluation {
  readonly environment: Environment;
  readonly errors: MappingError[];
}

/** Notes an error and gives nothing, so that the rest is still evaluated. */
export function fail(evaluation: Evaluation, error: MappingError): undefined {
  evaluation.errors.push(error);
  return undefined;
}

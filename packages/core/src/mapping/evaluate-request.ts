import type { Environment } from "./environment.ts";
import { evaluateBody } from "./evaluate-body.ts";
import { evaluateHeaders } from "./evaluate-headers.ts";
import { evaluatePath, pathTemplate } from "./evaluate-path.ts";
import { evaluateQuery } from "./evaluate-query.ts";
import type { Evaluation } from "./evaluation.ts";
import type { MappingResult } from "./mapping-error.ts";
import type { RequestDescription } from "./request-description.ts";
import type { AuxiliaryMerge, HttpTemplate } from "./template.ts";

/**
 * The request a template makes of bound variables (MAP-010 to MAP-023), or all that keeps it from
 * being made. Pure: equal templates and environments give equal requests.
 */
export function evaluateRequest(
  template: HttpTemplate,
  environment: Environment,
): MappingResult<RequestDescription> {
  const evaluation: Evaluation = { environment, errors: [] };
  const path = evaluatePath(template.path, "path", evaluation);
  const query = evaluateQuery(template.query, evaluation);
  const headers = evaluateHeaders(template.headers, evaluation);
  const body = evaluateBody(template, evaluation);
  if (path === undefined || evaluation.errors.length > 0) {
    return { ok: false, errors: evaluation.errors };
  }
  const request: RequestDescription = {
    transport: template.transport,
    method: template.method,
    path,
    pathTemplate: pathTemplate(template.path),
    query,
    headers,
    ...(body === undefined ? {} : { body }),
  };
  return { ok: true, value: request };
}

/** The second read that a response asks for, in the same environment (MAP-032). */
export function evaluateAuxiliary(
  auxiliary: AuxiliaryMerge,
  environment: Environment,
): MappingResult<RequestDescription> {
  const { method, path, query, headers } = auxiliary;
  return evaluateRequest(
    {
      transport: "http",
      method,
      path,
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      bodyFormat: "json",
      response: { single: true, wrapRootScalar: false, declared: false },
    },
    environment,
  );
}

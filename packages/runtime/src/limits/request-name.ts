import type { WireRequest } from "../request/wire-request.ts";
import type { FailedRequest } from "../run-error.ts";

/**
 * The name of a request in errors: method, origin and path template (RUN-142), or the path of a page that
 * the API named by another one.
 */
export function requestName(request: WireRequest, status: number | null): FailedRequest {
  return {
    method: request.method,
    origin: request.origin,
    pathTemplate: request.askedPath ?? request.pathTemplate,
    status,
    apiText: null,
  };
}

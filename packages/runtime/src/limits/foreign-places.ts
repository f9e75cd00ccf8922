import { Buffer } from "node:buffer";
import type { Redactor } from "../auth/redactor.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { requestName } from "./request-name.ts";

function holdsSecret({ url, body }: WireRequest, redactor: Redactor): boolean {
  if (redactor.redact(url) !== url) return true;
  if (body === null) return false;
  const text = Buffer.from(body).toString("utf8");
  return redactor.redact(text) !== text || redactor.redactData(body) !== body;
}

/**
 * Refuses to send address or body with a known secret to a place that an answer or an identity led to:
 * what a template sends there goes without (RUN-027, RUN-141). Throws RunFailure.
 */
export function keepSecretsHome(request: WireRequest, redactor: Redactor): void {
  if (request.trusted || !holdsSecret(request, redactor)) return;
  const { origin } = request;
  throw new RunFailure(
    failure(
      "origin_refused",
      `This request holds a secret of the session, and would go to ${origin}, which gets none.`,
      `set the backend to the address that answers itself, or list ${origin} in the catalog's allow_origins with send_auth`,
      { request: requestName(request, null) },
    ),
  );
}

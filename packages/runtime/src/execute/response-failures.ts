import type { Json } from "@plasm/core";
import { credentialHelp } from "../auth/credential-help.ts";
import { missingScopes, scopeRules, scopeText } from "../auth/scopes.ts";
import { apiText } from "../decode/api-text.ts";
import { bodyText } from "../decode/body-text.ts";
import { declaredMessage } from "../decode/error-markers.ts";
import { inlineAttachment, type ResponseBody } from "../decode/response-body.ts";
import type { Party } from "../limits/exchange.ts";
import type { Call } from "../request/environment.ts";
import type { FailedRequest } from "../run-error.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import { statusAdvice } from "./status-advice.ts";

/** What an API says in a body of any kind: where the call's mapping says that its words stand, else anywhere. */
export function said(
  engine: Engine,
  body: ResponseBody,
  call: Pick<Call, "template">,
): string | null {
  const { redact } = engine.redactor;
  if (body.kind === "json") {
    const own = apiText(declaredMessage(call.template.response, body.value), redact);
    if (own !== null) return own;
  }
  return bodyText(body, redact);
}

/** What a call needs of its credential besides being valid (RUN-124). */
function scopesOf({ catalog, capability, relation }: Call): string {
  const rules = scopeRules(catalog, capability.name, relation ?? null);
  return rules.length === 0 ? "" : `; it needs the scopes ${rules.map(scopeText).join(" and ")}`;
}

/**
 * Refuses a call whose credential is known to lack scopes, before it is sent (RUN-124). Throws RunFailure.
 */
export async function requireScopes(call: Call, { credential }: Party): Promise<void> {
  const { catalog, capability, relation } = call;
  const rules = scopeRules(catalog, capability.name, relation ?? null);
  if (rules.length === 0) return;
  await credential.take();
  const missing = missingScopes(catalog.entryId, capability.label, rules, credential.granted());
  if (missing !== null) throw new RunFailure(missing);
}

/** The failure for a status that is no success (RUN-039, RUN-124, RUN-150). */
export function statusFailure(call: Call, request: FailedRequest): RunFailure {
  const name = `${request.method} ${request.origin}${request.pathTemplate}`;
  const quoted = request.apiText === null ? "" : `: "${request.apiText}"`;
  if (request.status === 401 || request.status === 403) {
    return new RunFailure(
      failure(
        "auth_refused",
        `${call.catalog.entryId} refuses the credential for ${call.capability.label} (${request.status})${quoted}.`,
        `check the credential and what it may do${scopesOf(call)}; ${credentialHelp(call.catalog) || "this catalog declares none"}`,
        { request },
      ),
    );
  }
  const { kind } = call.capability;
  const { notDoneStatuses } = call.catalog.cgs;
  const effect = kind !== "query" && kind !== "search" && kind !== "get";
  return new RunFailure(
    failure(
      "upstream_error",
      `${name} answered ${request.status}${quoted}.`,
      statusAdvice(
        request.status,
        effect,
        notDoneStatuses.includes(request.status ?? 0),
        request.apiText,
      ),
      { retryable: [502, 503, 504].includes(request.status ?? 0), request },
    ),
  );
}

/** The JSON of a 2xx body; markup and broken JSON are `response_not_json` (RUN-038). */
export function successBody(
  engine: Engine,
  body: ResponseBody,
  request: FailedRequest,
  call: Pick<Call, "template">,
): Json {
  if (body.kind === "json") return body.value;
  if (body.kind === "other") return inlineAttachment(body.bytes, body.mediaType);
  const found = body.kind === "markup" ? "markup where JSON was expected" : `JSON, but ${body.why}`;
  throw new RunFailure(
    failure(
      "response_not_json",
      `${request.method} ${request.origin}${request.pathTemplate} answered ${found}.`,
      "check that the backend's address is that of the API",
      { request: { ...request, apiText: said(engine, body, call) } },
    ),
  );
}

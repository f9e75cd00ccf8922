import type { Json } from "@plasm/core";
import type { ScopeRule } from "@plasm/core/internal";
import { credentialHelp } from "../request/auth/credential-help.ts";
import { apiText, bodyText } from "../decode/api-text.ts";
import { grantedText, isSatisfied, scopeRules, scopeText } from "../request/auth/scopes.ts";
import { declaredMessage } from "../decode/error-markers.ts";
import { attachmentOf, type ResponseBody } from "../decode/response-body.ts";
import type { BackendAccess } from "../limits/exchange.ts";
import type { CapabilityCall } from "../request/environment.ts";
import {
  type FailedRequest,
  failure,
  type FailureDetail,
  RunFailure,
} from "../base/run-failure.ts";
import type { RunEngine } from "./engine.ts";

/** What an API says in a body of any kind: where the call's mapping says that its words stand, else anywhere. */
export function said(
  engine: RunEngine,
  body: ResponseBody,
  call: Pick<CapabilityCall, "template">,
): string | null {
  const { redact } = engine.redactor;
  if (body.kind === "json") {
    const own = apiText(declaredMessage(call.template.response, body.value), redact);
    if (own !== null) return own;
  }
  return bodyText(body, redact);
}

/** What a call needs of its credential besides being valid (RUN-124). */
function scopesOf({ catalog, capability, relation }: CapabilityCall): string {
  const rules = scopeRules(catalog, capability.name, relation ?? null);
  return rules.length === 0 ? "" : `; it needs the scopes ${rules.map(scopeText).join(" and ")}`;
}

/**
 * Refuses a call whose credential is known to lack scopes, before it is sent (RUN-124). Throws RunFailure.
 */
export async function requireScopes(
  call: CapabilityCall,
  { credential }: BackendAccess,
): Promise<void> {
  const { catalog, capability, relation } = call;
  const rules = scopeRules(catalog, capability.name, relation ?? null);
  if (rules.length === 0) return;
  await credential.take();
  const missing = missingScopes(catalog.entryId, capability.label, rules, credential.granted());
  if (missing !== null) throw new RunFailure(missing);
}

/** The failure for a status that is no success (RUN-039, RUN-124, RUN-150). */
export function statusFailure(call: CapabilityCall, request: FailedRequest): RunFailure {
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
  engine: RunEngine,
  body: ResponseBody,
  request: FailedRequest,
  call: Pick<CapabilityCall, "template">,
): Json {
  if (body.kind === "json") return body.value;
  if (body.kind === "other" || body.kind === "file") return attachmentOf(body);
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

const AGAIN = "try again later";

/** Words by which an API says what to do instead of what it refuses. */
const ADVISES = /\b(?:use|call|try|instead|must|should|please|first|before|until|only)\b/iu;

/**
 * What to do about an answer of the API's own trouble: the request itself may be fine. `notDone`: the catalog says that
 * nothing was done where the API answers it.
 */
function serverAdvice(status: number, effect: boolean, notDone: boolean): string {
  if (effect && notDone) return "it was not done; plan this effect again later";
  switch (status) {
    case 501:
      return "this API cannot do it; use another method or condition";
    case 502:
    case 503:
    case 504:
      return AGAIN;
    default:
      return effect
        ? "the API failed by itself: look whether it happened all the same, and plan it again only if not"
        : "the API failed by itself: try once more, and if it stays so tell its operator";
  }
}

/**
 * What to do about a status that is no success, by its class (RUN-150). Of an effect it says what is
 * safe to repeat (ERR-020); one in doubt has a correction of its own. What the API itself advises goes before a guess.
 */
function statusAdvice(
  status: number | null,
  effect: boolean,
  notDone = false,
  apiText: string | null = null,
): string {
  if (status === null || status < 400) return "check that the backend's address is that of the API";
  if (status >= 500) return serverAdvice(status, effect, notDone);
  switch (status) {
    case 404:
    case 410:
      return "check the keys and references given, or list the rows";
    case 405:
      return "check that the backend's address is that of the API; it does not take this there";
    case 408:
    case 425:
      return effect ? "plan this effect again later" : AGAIN;
    case 409:
    case 412:
    case 423:
      return apiText !== null && ADVISES.test(apiText)
        ? "do what the API says in place of this; sent again as it is, it is refused again"
        : "read the row again, it may have changed, and act on what it is now";
    case 413:
    case 414:
      return "send less: shorter values, or fewer at once";
    default:
      return "check the arguments against what the API says";
  }
}

/** The failure for scopes that a credential is known to lack, before anything is sent (RUN-124). */
function missingScopes(
  entryId: string,
  label: string,
  rules: readonly ScopeRule[],
  granted: ReadonlySet<string> | null,
): FailureDetail | null {
  if (granted === null) return null;
  const missing = rules.filter((rule) => !isSatisfied(rule, granted));
  if (missing.length === 0) return null;
  return failure(
    "auth_refused",
    `${label} of ${entryId} needs the scopes ${missing.map(scopeText).join(" and ")}; granted are: ${grantedText(granted)}.`,
    `grant them and store the new token with plasm auth set ${entryId}; nothing was sent`,
  );
}

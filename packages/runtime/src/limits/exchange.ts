import type { Credential } from "../request/auth/credential.ts";
import type { Redactor } from "../request/auth/redactor.ts";
import type {
  Ports,
  RequestWatch,
  SentRequest,
  StartedRequest,
  TransportResponse,
} from "../ports.ts";
import { type Backend, rewriteToBackend } from "../request/effective-backend.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { type Budget, FILE_SETTINGS } from "./limits.ts";
import type { Gate, RatePauses } from "./gate.ts";
import { type FailedRequest, failure, RunFailure } from "../base/run-failure.ts";
import { headerValue } from "../decode/response-body.ts";

/** A response, with the URL it came from after redirects. */
export interface Exchange {
  readonly response: TransportResponse;
  readonly url: string;
}

/** The origin that a response came from, after redirects of the request. */
export const originOf = ({ url }: Exchange, request: WireRequest): string =>
  url === request.url ? request.origin : new URL(url).origin;

/** What every request of one run shares. */
export interface RequestContext {
  readonly ports: Ports;
  readonly budget: Budget;
  readonly gate: Gate;
  readonly pauses: RatePauses;
  readonly redactor: Redactor;
  readonly signal: AbortSignal | undefined;
  /** null where nobody watches */
  readonly onSending: (request: StartedRequest) => RequestWatch | null;
  readonly onSent: (request: SentRequest) => void;
}

/** Whom a request is for: its catalog's backend and credential, and the node it is counted under. */
export interface BackendAccess {
  readonly backend: Backend;
  readonly credential: Credential;
  readonly node: string;
  /** the only origins that redirects may lead to; without it RUN-027 alone decides (VAL-09) */
  readonly only?: readonly string[];
}

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

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The failure of a request whose redirect is not followed (RUN-027). */
export function refuseRedirect(
  request: WireRequest,
  status: number,
  message: string,
  fix: string,
): RunFailure {
  return new RunFailure(
    failure("origin_refused", message, fix, { request: requestName(request, status) }),
  );
}

export const sameOrigin = (first: WireRequest, url: string): boolean =>
  first.url === url || first.origin === new URL(url).origin;

/** Where a response redirects to, or null; a place no request may go to is `origin_refused` (RUN-027). */
export function redirectTarget(
  request: WireRequest,
  response: TransportResponse,
  party: BackendAccess,
): URL | null {
  const { status } = response;
  if (!REDIRECTS.has(status)) return null;
  const location = headerValue(response.headers, "location");
  if (location === undefined || !URL.canParse(location, request.url)) return null;
  const from = new URL(request.url);
  const target = rewriteToBackend(new URL(location, request.url), party.backend);
  target.username = "";
  target.password = "";
  if (!/^https?:$/.test(target.protocol)) {
    const message = "The API redirects to no http(s) URL.";
    throw refuseRedirect(request, status, message, "ask its operator");
  }
  if (from.protocol === "https:" && target.protocol === "http:") {
    throw refuseRedirect(
      request,
      status,
      `${from.origin} redirects to plain http (${target.origin}).`,
      "set the backend to an https address that does not redirect",
    );
  }
  if (party.only?.includes(target.origin) === false) {
    throw refuseRedirect(
      request,
      status,
      `${from.origin} redirects to ${target.origin}, from which no file may be fetched.`,
      `fetch it from an allowed origin; ${FILE_SETTINGS.origins} says which are: ${party.only.join(", ")}`,
    );
  }
  return target;
}

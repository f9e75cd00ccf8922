import { NO_CREDENTIAL } from "../auth/credential.ts";
import { headerValue } from "../decode/response-body.ts";
import { rewriteToBackend } from "../request/effective-backend.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { TransportResponse } from "../ports.ts";
import type { Exchange, Party, Wire } from "./exchange.ts";
import { FIXED } from "./limits.ts";
import { requestName, sendAttempts } from "./send-attempts.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function refuse(request: WireRequest, status: number, message: string, fix: string): RunFailure {
  return new RunFailure(
    failure("origin_refused", message, fix, { request: requestName(request, status) }),
  );
}

const sameOrigin = (first: WireRequest, url: string): boolean =>
  new URL(first.url).origin === new URL(url).origin;

function becomesGet(request: WireRequest, status: number): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  return status === 303 || ((status === 301 || status === 302) && request.method === "POST");
}

/** The request that a redirect leads to; other origins than the first get no template headers (RUN-027). */
function follow(
  first: WireRequest,
  request: WireRequest,
  status: number,
  target: URL,
): WireRequest {
  const asGet = becomesGet(request, status);
  const engineHeaders = asGet
    ? request.engineHeaders.filter(([name]) => name.toLowerCase() !== "content-type")
    : request.engineHeaders;
  return {
    ...request,
    url: target.href,
    method: asGet ? "GET" : request.method,
    body: asGet ? null : request.body,
    engineHeaders,
    templateHeaders: sameOrigin(first, target.href) ? first.templateHeaders : [],
  };
}

function redirectTarget(
  request: WireRequest,
  response: TransportResponse,
  party: Party,
): URL | null {
  if (!REDIRECTS.has(response.status)) return null;
  const location = headerValue(response.headers, "location");
  if (location === undefined || !URL.canParse(location, request.url)) return null;
  const from = new URL(request.url);
  const target = rewriteToBackend(new URL(location, request.url), party.backend);
  target.username = "";
  target.password = "";
  if (!/^https?:$/.test(target.protocol)) {
    throw refuse(
      request,
      response.status,
      "The API redirects to no http(s) URL.",
      "ask its operator",
    );
  }
  if (from.protocol === "https:" && target.protocol === "http:") {
    throw refuse(
      request,
      response.status,
      `${from.origin} redirects to plain http (${target.origin}).`,
      "set the backend to an https address that does not redirect",
    );
  }
  return target;
}

/**
 * Sends a read, with retries (RUN-025) and at most five redirects (RUN-027); gives the last response,
 * whatever its status. Throws RunStop or RunFailure.
 */
export async function sendRead(first: WireRequest, wire: Wire, party: Party): Promise<Exchange> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const known = sameOrigin(first, request.url);
    const as = known ? party : { ...party, credential: NO_CREDENTIAL };
    const response = await sendAttempts(request, wire, as);
    const target = redirectTarget(request, response, party);
    if (target === null) return { response, url: request.url };
    if (hops === FIXED.redirects) {
      throw refuse(
        first,
        response.status,
        `The API redirects more than ${FIXED.redirects} times.`,
        "check the backend's address",
      );
    }
    request = follow(first, request, response.status, target);
  }
}

import { NO_CREDENTIAL } from "../auth/credential.ts";
import type { WireRequest } from "../request/wire-request.ts";
import type { Exchange, Party, Wire } from "./exchange.ts";
import { FIXED } from "./limits.ts";
import { redirectTarget, refuseRedirect, sameOrigin } from "./redirect.ts";
import { sendAttempts } from "./send-attempts.ts";

function becomesGet(request: WireRequest, status: number): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  return status === 303 || ((status === 301 || status === 302) && request.method === "POST");
}

/** The request that a redirect leads to; other origins than the first get no template headers and no secrets (RUN-027). */
function follow(
  first: WireRequest,
  request: WireRequest,
  status: number,
  target: URL,
): WireRequest {
  const asGet = becomesGet(request, status);
  const home = sameOrigin(first, target.href);
  const engineHeaders = asGet
    ? request.engineHeaders.filter(([name]) => name.toLowerCase() !== "content-type")
    : request.engineHeaders;
  return {
    ...request,
    url: target.href,
    origin: target.origin,
    host: target.host,
    method: asGet ? "GET" : request.method,
    body: asGet ? null : request.body,
    engineHeaders,
    templateHeaders: home ? first.templateHeaders : [],
    trusted: home && first.trusted,
  };
}

/**
 * Sends a read, with retries (RUN-025) and at most five redirects (RUN-027); gives the last response,
 * whatever its status. Throws RunStop or RunFailure.
 */
export async function sendRead(first: WireRequest, wire: Wire, party: Party): Promise<Exchange> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const home = sameOrigin(first, request.url);
    const as = home ? party : { ...party, credential: NO_CREDENTIAL };
    const response = await sendAttempts(request, wire, as);
    const target = redirectTarget(request, response, party);
    if (target === null) return { response, url: request.url };
    if (hops === FIXED.redirects) {
      throw refuseRedirect(
        first,
        response.status,
        `The API redirects more than ${FIXED.redirects} times.`,
        "check the backend's address",
      );
    }
    request = follow(first, request, response.status, target);
  }
}

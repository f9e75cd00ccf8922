import { headerValue } from "../decode/response-body.ts";
import type { TransportResponse } from "../ports.ts";
import { rewriteToBackend } from "../request/effective-backend.ts";
import type { WireRequest } from "../request/wire-request.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { requestName } from "./request-name.ts";
import type { Party } from "./exchange.ts";

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
  party: Party,
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
  return target;
}

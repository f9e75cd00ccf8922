import type { Problem } from "@plasm/agent-core";
import { problem, problemDocument, type Authenticator } from "@plasm/agent-core/internal";
import { visible } from "@plasm/core/internal";

/** Names a loopback server answers to, whatever its port. */
export const LOOPBACK_HOSTS: readonly string[] = Object.freeze(["localhost", "127.0.0.1", "[::1]"]);

/** The value of a cookie that a request brings; empty where it brings none of that name. */
export function cookieIn(request: Request, name: string): string {
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

const hostnameOf = (url: string): string | null => {
  const hostname = URL.canParse(url) ? new URL(url).hostname : "";
  return hostname === "" ? null : hostname;
};

const refusal = (what: "Host" | "Origin", found: string, allowed: readonly string[]): Problem =>
  problem(
    "plasm-policy-denied",
    `${what} ${JSON.stringify(found.slice(0, 200))} may not call this server. Use one of: ${allowed.join(", ")}.`,
  );

/**
 * Refuses a request whose Host or Origin is not one of `allowed` hostnames, so that no web page
 * reaches a local server by a name of its own (SURF-1, G21). No Origin is no browser, and passes.
 */
export function foreignHost(request: Request, allowed: readonly string[]): Problem | null {
  const host = request.headers.get("host") ?? new URL(request.url).host;
  const hostname = hostnameOf(`http://${host}`);
  if (hostname === null || !allowed.includes(hostname)) return refusal("Host", host, allowed);
  const origin = request.headers.get("origin");
  if (origin === null) return null;
  const from = /^https?:/i.test(origin) ? hostnameOf(origin) : null;
  return from !== null && allowed.includes(from) ? null : refusal("Origin", origin, allowed);
}

/** What a run did before it failed stands beside the error (ERR-031). */
const DONE = ["nodes", "effects"] as const;

function bodyOf(problem: Problem): object {
  const { meta } = problem;
  const done = DONE.flatMap((name) => {
    const value = meta[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const results = problem.results.length === 0 ? {} : { results: problem.results };
  const more = Object.keys(meta).length === 0 ? {} : { _meta: { plasm: meta } };
  return { ...problemDocument(problem), ...Object.fromEntries(done), ...results, ...more };
}

/** The challenge of a 401, which some clients need (RFC 9110). */
const CHALLENGE = 'Bearer realm="plasm"';

/** A problem as an HTTP response: `application/problem+json`, whatever was asked for (SURF-18). */
export function problemResponse(
  problem: Problem,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const challenge = problem.status === 401 ? { "www-authenticate": CHALLENGE } : {};
  const retry = problem.retryAfter === null ? {} : { "retry-after": String(problem.retryAfter) };
  return new Response(visible(JSON.stringify(bodyOf(problem))), {
    status: problem.status,
    headers: { "content-type": "application/problem+json", ...challenge, ...retry, ...headers },
  });
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
/** Where MCP is answered over HTTP. */
export const MCP_PATH = "/mcp";

/** Where clients look for the metadata of MCP's address: by the rule of RFC 9728, and without a path. */
export const METADATA_PATHS: readonly string[] = Object.freeze([
  `${WELL_KNOWN}${MCP_PATH}`,
  WELL_KNOWN,
]);

/** Where clients reach the server: as configured, else the address that a request was sent to. */
export const servedOrigin = (request: Request, configured: string | undefined): string =>
  configured ?? new URL(request.url).origin;

/** Scopes that tokens need, each once. */
const scopesIn = (
  { scopes }: Authenticator,
  which: readonly (keyof Authenticator["scopes"][number])[],
): readonly string[] => {
  const lists = scopes.map((one) => which.flatMap((name) => one[name] ?? []));
  const [first = []] = lists;
  // A client asks one of several issuers for all that it is told, and an issuer refuses what it does not know.
  const isAlike = lists.every((one) => one.join(" ") === first.join(" "));
  return isAlike ? [...new Set(first)] : [];
};

/** Answers which issuers' tokens MCP accepts (SURF-23, RFC 9728); 404 where there are none. */
export function protectedResource(
  request: Request,
  auth: Authenticator,
  origin?: string,
): Response {
  const { issuers } = auth;
  const scopes = scopesIn(auth, ["call", "effects"]);
  if (issuers.length === 0) {
    return problemResponse(problem("plasm-unknown-route", "No tokens are taken here."));
  }
  return Response.json({
    resource: `${servedOrigin(request, origin)}${MCP_PATH}`,
    authorization_servers: issuers,
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
    resource_name: "Plasm",
  });
}

/** The challenge of a 401 of MCP: it names the metadata where there are issuers (RFC 9728). */
export function challengeOf(request: Request, auth: Authenticator, origin?: string): string {
  const said = ['Bearer realm="plasm"'];
  if (request.headers.get("authorization") !== null) said.push('error="invalid_token"');
  const scopes = scopesIn(auth, ["call"]);
  if (scopes.length > 0) said.push(`scope="${scopes.join(" ")}"`);
  return [...said, ...metadataIn(request, auth, origin)].join(", ");
}

const metadataIn = (
  request: Request,
  { issuers }: Authenticator,
  origin: string | undefined,
): readonly string[] =>
  issuers.length === 0
    ? []
    : [`resource_metadata="${servedOrigin(request, origin)}${METADATA_PATHS[0]}"`];

/**
 * The challenge of a 403 for want of a scope (RFC 6750): with what a client asks its issuer for, so that its user can consent to more.
 * None where no other token would help.
 */
export function stepUpHeaders(
  request: Request,
  { code, meta }: Problem,
  auth: Authenticator,
  origin?: string,
): Readonly<Record<string, string>> {
  const scope = meta.error?.scope;
  if (code !== "plasm-insufficient-scope" || scope === undefined) return {};
  const said = ['Bearer realm="plasm"', 'error="insufficient_scope"', `scope="${scope}"`];
  return { "www-authenticate": [...said, ...metadataIn(request, auth, origin)].join(", ") };
}

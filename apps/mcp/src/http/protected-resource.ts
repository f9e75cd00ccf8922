import { problem, type Authenticator } from "@plasm/agent-core";
import { problemResponse } from "./problem-response.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const MCP_PATH = "/mcp";

/** Where the metadata of MCP's address is found: by the rule of RFC 9728, and where no path is asked for. */
export const METADATA_PATHS: readonly string[] = Object.freeze([
  `${WELL_KNOWN}${MCP_PATH}`,
  WELL_KNOWN,
]);

/** Where clients meet the server: as it is configured, else the address that a request was sent to. */
const originOf = (request: Request, configured: string | undefined): string =>
  configured ?? new URL(request.url).origin;

/** Which issuers' tokens MCP takes (SURF-23, RFC 9728); none are told where there are none. */
export function protectedResource(
  request: Request,
  { issuers }: Authenticator,
  origin?: string,
): Response {
  if (issuers.length === 0) {
    return problemResponse(problem("plasm-unknown-route", "No tokens are taken here."));
  }
  return Response.json({
    resource: `${originOf(request, origin)}${MCP_PATH}`,
    authorization_servers: issuers,
    bearer_methods_supported: ["header"],
    resource_name: "Plasm",
  });
}

/** What a 401 of MCP says of how to do better: where the metadata is, where there are issuers (RFC 9728). */
export function challengeOf(request: Request, { issuers }: Authenticator, origin?: string): string {
  const said = ['Bearer realm="plasm"'];
  if (request.headers.get("authorization") !== null) said.push('error="invalid_token"');
  if (issuers.length > 0) {
    said.push(`resource_metadata="${originOf(request, origin)}${METADATA_PATHS[0]}"`);
  }
  return said.join(", ");
}

import { CONNECT_PATH } from "./connect-invite.ts";

/** Where people come back to from their provider. */
export const CALLBACK_PATH = `${CONNECT_PATH}/callback`;
/** Where this deployment describes itself as a client of authorization servers. */
export const DOCUMENT_PATH = `${CONNECT_PATH}/client.json`;

/** Names that lead nowhere from outside. */
const INNER = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;
const HOUR_S = 3_600;

/** Whether servers elsewhere can read what stands at an origin: it is https, by a name that is not of an inner network. */
function isPublic(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  // Whatever way an address was written, a URL has it as four numbers, or in brackets.
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  return protocol === "https:" && !isAddress && hostname.includes(".") && !INNER.test(hostname);
}

/** The id of this deployment for servers that read such documents, and where people come back to by it; null without a public address. */
export const clientDocumentAt = (
  origin: string,
): { readonly url: string; readonly redirectUri: string } | null =>
  isPublic(origin)
    ? { url: `${origin}${DOCUMENT_PATH}`, redirectUri: `${origin}${CALLBACK_PATH}` }
    : null;

/** The document itself (draft-ietf-oauth-client-id-metadata-document); null where it could not be read from elsewhere. */
export function clientDocument(origin: string): Response | null {
  const document = clientDocumentAt(origin);
  if (document === null) return null;
  const { url, redirectUri } = document;
  return Response.json(
    {
      client_id: url,
      client_name: "Plasm",
      client_uri: origin,
      application_type: "web",
      redirect_uris: [redirectUri],
      response_types: ["code"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    },
    { headers: { "cache-control": `max-age=${HOUR_S}`, "x-content-type-options": "nosniff" } },
  );
}

import { randomUUID } from "node:crypto";
import * as oauth from "oauth4webapi";
import { RunFailure } from "../../base/run-failure.ts";
import { type EnvelopeClient, readEnvelope, writeEnvelope } from "./envelope.ts";
import {
  type OAuthProvider,
  type ProviderSettings,
  SignInError,
  type SignInSetting,
  addressFault,
  openOAuthProvider,
  providerSettingName,
  providerSettings,
  secretFor,
} from "./oauth-provider.ts";
import { createRedactor } from "./redactor.ts";
import { type Grant, requestToken } from "./token-request.ts";

type Application = Pick<EnvelopeClient, "clientId" | "clientSecret">;

/**
 * The application that people sign in to, and the server that its tokens are from: what their envelope is to say. It is the deployment's,
 * the catalog's, or one that is registered now (RFC 7591). Throws SignInError.
 */
export async function clientFor(
  setting: SignInSetting,
  provider: OAuthProvider,
  redirectUri: string | null,
): Promise<EnvelopeClient> {
  const { server, settings } = provider;
  return {
    ...(await applicationFor(setting, provider, redirectUri)),
    tokenUrl: server.token_endpoint ?? "",
    revokeUrl: server.revocation_endpoint ?? null,
    issuer: settings.issuer,
  };
}

/** Whether a server takes the address of a document as the id of whoever it describes (draft-ietf-oauth-client-id-metadata-document). */
const readsClientDocuments = (server: OAuthProvider["server"]): boolean =>
  server["client_id_metadata_document_supported"] === true;

async function applicationFor(
  { catalog, clientDocument = null }: SignInSetting,
  { server, settings, options }: OAuthProvider,
  redirectUri: string | null,
): Promise<Application> {
  const { entryId, cgs } = catalog;
  const provider = cgs.oauth?.provider ?? "";
  // Its secret is looked up whenever it is sent: an envelope never holds it.
  if (settings.clientId !== null) return { clientId: settings.clientId, clientSecret: null };
  const ofCatalog = cgs.oauth?.clientId;
  if (ofCatalog !== undefined) return { clientId: ofCatalog, clientSecret: null };
  // Nothing is left behind with the server, which an application that is registered would be.
  if (clientDocument?.redirectUri === redirectUri && readsClientDocuments(server))
    return { clientId: clientDocument.url, clientSecret: null };
  const setting = providerSettingName(provider, "CLIENT_ID");
  if (server.registration_endpoint === undefined) {
    throw new SignInError(
      `Signing in to ${entryId} needs the id of an application: register one with ${provider}${redirectUri === null ? "" : `, with the redirect address ${redirectUri}`}, and set ${setting}.`,
    );
  }
  const grants =
    redirectUri === null
      ? ["urn:ietf:params:oauth:grant-type:device_code"]
      : ["authorization_code"];
  try {
    const answer = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: "Plasm",
        redirect_uris: redirectUri === null ? [] : [redirectUri],
        response_types: redirectUri === null ? [] : ["code"],
        grant_types: [...grants, "refresh_token"],
        token_endpoint_auth_method: "none",
        application_type: redirectUri?.startsWith("http://127.0.0.1") === false ? "web" : "native",
      },
      options,
    );
    const made = await oauth.processDynamicClientRegistrationResponse(answer);
    const secret = made["client_secret"];
    return { clientId: made.client_id, clientSecret: typeof secret === "string" ? secret : null };
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(
      `The sign-in server of ${entryId} registers no application for it${saidBy(thrown)}: register one with ${provider}, and set ${setting}.`,
      { cause: thrown },
    );
  }
}

// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;
/** What a server says, as data: one line. */
export const quoted = (text: string): string => text.replace(CONTROLS, " ").slice(0, 200);

/** What the server says of a failure, as data: one line. */
export function saidBy(thrown: unknown): string {
  if (
    !(
      thrown instanceof oauth.ResponseBodyError ||
      thrown instanceof oauth.AuthorizationResponseError
    )
  )
    return "";
  const { error, error_description: more } = thrown;
  return ` ("${quoted(more === undefined ? error : `${error}: ${more}`)}")`;
}

/** An address of the server that a person or a secret may be sent to. Throws SignInError. */
export function endpoint(
  { catalog, backend }: SignInSetting,
  { trusted }: OAuthProvider,
  address: string | undefined,
  what: string,
): URL {
  const { entryId } = catalog;
  if (address === undefined || !URL.canParse(address)) {
    throw new SignInError(`The sign-in server of ${entryId} has no ${what}.`);
  }
  const url = new URL(address);
  const fault = addressFault(url, backend, trusted);
  if (fault !== null) throw new SignInError(`The ${what} of ${entryId} ${fault}.`);
  return url;
}

/** The envelope to store for what a grant gives. Throws SignInError, and what the library says of a device that nobody has used yet. */
export async function envelopeFor(
  setting: SignInSetting,
  { server, trusted }: OAuthProvider,
  grant: Grant,
  client: EnvelopeClient,
  scopes: readonly string[],
): Promise<string> {
  const { catalog, transport, backend, now } = setting;
  const { redact, add: learn } = createRedactor();
  const wire = { transport, backend, redact, learn, now, trusted };
  try {
    const token = await requestToken(grant, server.token_endpoint ?? "", wire);
    // What is not said differs in nothing from what was asked for (RFC 6749, 5.1).
    const scope = token.scope ?? (scopes.length === 0 ? null : scopes.join(" "));
    return writeEnvelope({ ...token, scope }, catalog.entryId, client, randomUUID());
  } catch (thrown) {
    if (!(thrown instanceof RunFailure)) throw thrown;
    const { message, correction, retryable } = thrown.failure;
    const options = { cause: thrown, isOutage: retryable };
    throw new SignInError(`${message} To mend it, ${correction}.`, options);
  }
}

/**
 * Revokes the tokens of an envelope where its server has an endpoint for that (RFC 7009). False where it has none.
 * Throws SignInError where it refuses.
 */
export async function revokeEnvelope(setting: SignInSetting, value: string): Promise<boolean> {
  const { entryId, cgs } = setting.catalog;
  const reading = readEnvelope(value, entryId);
  if (!reading.ok) return false;
  const { token, client } = reading;
  const settings = providerSettings(cgs.oauth?.provider ?? "", setting.env);
  const known = client ?? clientOf(settings);
  if (known === null || known.revokeUrl === null) return false;
  const provider = await openOAuthProvider(setting);
  const server = { ...provider.server, revocation_endpoint: known.revokeUrl };
  // The address may be a catalog's of before: the deployment's secret goes where it is revoked now.
  const isStanding = known.revokeUrl === provider.server.revocation_endpoint;
  const secret = isStanding ? secretFor(known, settings) : known.clientSecret;
  const authenticate = secret === null ? oauth.None() : oauth.ClientSecretPost(secret);
  const asked = { client_id: known.clientId };
  try {
    for (const one of [token.refresh, token.access]) {
      if (one === null) continue;
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, asked, authenticate, one, provider.options),
      );
    }
    return true;
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(
      `The sign-in server of ${entryId} did not revoke the token${saidBy(thrown)}.`,
      { cause: thrown },
    );
  }
}

/** The application of tokens that came from elsewhere: the deployment's, if it names one. */
const clientOf = ({
  clientId,
  tokenUrl,
  revokeUrl,
  issuer,
}: ProviderSettings): EnvelopeClient | null =>
  clientId === null
    ? null
    : { clientId, clientSecret: null, tokenUrl: tokenUrl ?? "", revokeUrl, issuer };

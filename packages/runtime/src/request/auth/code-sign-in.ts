import * as oauth from "oauth4webapi";
import type { EnvelopeClient } from "./envelope.ts";
import {
  type OAuthProvider,
  openOAuthProvider,
  providerSettingName,
  secretFor,
  SignInError,
  type SignInSetting,
} from "./oauth-provider.ts";
import { defaultScopes } from "./scopes.ts";
import { clientFor, endpoint, envelopeFor, quoted, saidBy } from "./sign-in.ts";
import type { Grant } from "./token-request.ts";

/** A sign-in under way: what is kept in memory until the person comes back. Holds secrets. */
export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** the server that the person was sent to, as it was then: no other one gets what comes back */
  readonly provider: OAuthProvider;
  readonly client: EnvelopeClient;
}

/** Where a person goes to consent, and what is kept meanwhile. */
export interface BegunSignIn {
  readonly url: string;
  readonly pending: PendingSignIn;
}

/** What a sign-in asks of a server besides. */
export interface SignInWishes {
  /** in place of those that the catalog names */
  readonly scopes?: readonly string[] | undefined;
  /** whether the person is to be asked as whom, since one of several accounts is meant (RUN-129) */
  readonly choosesAccount?: boolean;
}

/** What a server is to ask of the person, where it says that it can. */
function promptOf(
  { server }: OAuthProvider,
  scopes: readonly string[],
  choosesAccount: boolean,
): { readonly prompt?: string } {
  const can: unknown = server["prompt_values_supported"];
  // Others refuse the whole request (OpenID Connect Core, 3.1.2.6).
  const asks = choosesAccount && Array.isArray(can) && can.includes("select_account");
  // Some servers give a refresh token only to whom they have asked (OpenID Connect Core, 11).
  const prompts = [
    ...(asks ? ["select_account"] : []),
    ...(scopes.includes("offline_access") ? ["consent"] : []),
  ];
  return prompts.length === 0 ? {} : { prompt: prompts.join(" ") };
}

/**
 * Begins a sign-in by authorization code with PKCE (RUN-127): where to send the person, who comes back to
 * `redirectUri`. Throws SignInError.
 */
export async function beginSignIn(
  setting: SignInSetting,
  redirectUri: string,
  { scopes = defaultScopes(setting.catalog), choosesAccount = false }: SignInWishes = {},
): Promise<BegunSignIn> {
  const provider = await openOAuthProvider(setting);
  const url = endpoint(
    setting,
    provider,
    provider.server.authorization_endpoint,
    "address to sign in at",
  );
  endpoint(setting, provider, provider.server.token_endpoint, "token endpoint");
  const client = await clientFor(setting, provider, redirectUri);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const query: Readonly<Record<string, string>> = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    ...promptOf(provider, scopes, choosesAccount),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const pending = { state, verifier, redirectUri, scopes, provider, client };
  return { url: url.href, pending };
}

/** Whether an answer belongs to a sign-in: what has another state is somebody else's, and changes nothing. */
export const isAnswerTo = ({ state }: PendingSignIn, answer: URLSearchParams): boolean =>
  answer.getAll("state").length === 1 && answer.get("state") === state;

/**
 * Ends a sign-in with the answer that the person came back with, and returns the envelope to store. Checks state and
 * issuer (RFC 9207) before anything is sent. Throws SignInError.
 */
export async function finishSignIn(
  setting: SignInSetting,
  pending: PendingSignIn,
  answer: URLSearchParams,
): Promise<string> {
  const { entryId } = setting.catalog;
  const { provider, client, redirectUri, verifier, scopes } = pending;
  const { server, settings } = provider;
  let callback: URLSearchParams;
  if (!isAnswerTo(pending, answer)) {
    throw new SignInError(
      "This answer does not belong to the sign-in under way: nothing was connected.",
    );
  }
  try {
    callback = oauth.validateAuthResponse(
      server,
      { client_id: client.clientId },
      answer,
      pending.state,
    );
  } catch (thrown) {
    if (thrown instanceof oauth.AuthorizationResponseError) {
      const denied = thrown.error === "access_denied";
      const what = denied ? "Consent was refused" : "The sign-in server refused";
      throw new SignInError(`${what}${saidBy(thrown)}: ${entryId} is not connected.`, {
        cause: thrown,
      });
    }
    const iss = answer.get("iss");
    const fix =
      setting.catalog.cgs.oauth?.issuer === undefined && settings.issuer === null
        ? ` Where the server calls itself something else than the origin of its addresses, the operator names it with ${providerSettingName(setting.catalog.cgs.oauth?.provider ?? "", "ISSUER")}.`
        : "";
    throw new SignInError(
      `The answer comes from another sign-in server than the one that was asked (${quoted(iss ?? "it names none")} instead of ${server.issuer}): ${entryId} is not connected.${fix}`,
      { cause: thrown },
    );
  }
  const grant: Grant = {
    kind: "authorization_code",
    clientId: client.clientId,
    clientSecret: secretFor(client, settings),
    callback,
    redirectUri,
    verifier,
  };
  return envelopeFor(setting, provider, grant, client, scopes);
}

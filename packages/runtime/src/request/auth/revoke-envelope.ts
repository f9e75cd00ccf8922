import * as oauth from "oauth4webapi";
import { type EnvelopeClient, readEnvelope } from "./envelope.ts";
import {
  openOAuthProvider,
  type ProviderSettings,
  providerSettings,
  secretFor,
  SignInError,
  type SignInSetting,
} from "./oauth-provider.ts";
import { saidBy } from "./sign-in.ts";

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

import * as oauth from "oauth4webapi";
import { openOAuthProvider, secretFor, SignInError, type SignInSetting } from "./oauth-provider.ts";
import { defaultScopes } from "./scopes.ts";
import { clientFor, endpoint, envelopeFor, saidBy } from "./sign-in.ts";
import type { Grant } from "./token-request.ts";

/** A code that a person types on another device. */
export interface DeviceCode {
  /** where the person goes */
  readonly url: string;
  /** the same with the code in it, where the server has that */
  readonly wholeUrl: string | null;
  readonly code: string;
  /** Asks until the person has consented; the envelope to store. Rejects with SignInError. */
  wait(sleep: (ms: number) => Promise<void>): Promise<string>;
}

const DEFAULT_INTERVAL_S = 5;

/** Begins a sign-in on another device (RFC 8628, RUN-127). Throws SignInError. */
export async function beginDeviceSignIn(
  setting: SignInSetting,
  scopes: readonly string[] = defaultScopes(setting.catalog),
): Promise<DeviceCode> {
  const { entryId } = setting.catalog;
  const provider = await openOAuthProvider(setting);
  const { server, options } = provider;
  endpoint(
    setting,
    provider,
    server.device_authorization_endpoint,
    "address for devices: sign in without --device",
  );
  const client = await clientFor(setting, provider, null);
  const { clientId } = client;
  const clientSecret = secretFor(client, provider.settings);
  const authenticate = clientSecret === null ? oauth.None() : oauth.ClientSecretPost(clientSecret);
  const asked = { client_id: clientId };
  const form = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
  let device: oauth.DeviceAuthorizationResponse;
  try {
    const answer = await oauth.deviceAuthorizationRequest(
      server,
      asked,
      authenticate,
      form,
      options,
    );
    device = await oauth.processDeviceAuthorizationResponse(server, asked, answer);
  } catch (thrown) {
    if (thrown instanceof SignInError) throw thrown;
    throw new SignInError(`The sign-in server gives ${entryId} no code${saidBy(thrown)}.`, {
      cause: thrown,
    });
  }
  const grant: Grant = {
    kind: "device_code",
    clientId,
    clientSecret,
    deviceCode: device.device_code,
  };
  return {
    url: device.verification_uri,
    wholeUrl: device.verification_uri_complete ?? null,
    code: device.user_code,
    async wait(sleep) {
      const end = setting.now() + device.expires_in * 1000;
      let interval = (device.interval ?? DEFAULT_INTERVAL_S) * 1000;
      while (setting.now() < end) {
        await sleep(interval);
        try {
          return await envelopeFor(setting, provider, grant, client, scopes);
        } catch (thrown) {
          // The code stays good while its server is out of order.
          if (thrown instanceof SignInError && thrown.isOutage) continue;
          if (!(thrown instanceof oauth.ResponseBodyError)) throw thrown;
          if (thrown.error === "slow_down") interval += 5_000;
          else if (thrown.error === "access_denied") {
            throw new SignInError(`Consent was refused: ${entryId} is not connected.`, {
              cause: thrown,
            });
          } else if (thrown.error !== "authorization_pending") break;
        }
      }
      throw new SignInError(`The code has expired: ${entryId} is not connected. Begin again.`);
    },
  };
}

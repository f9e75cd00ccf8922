import type { Auth, Catalog, SecretSource } from "@plasm/core";
import type { Backend } from "../request/effective-backend.ts";
import type { CredentialSetting } from "./credential.ts";
import { authMissing } from "./credential-help.ts";
import { nameOfSecret } from "./injection.ts";
import type { SecretPart } from "./hosted-keys.ts";
import { seekSecret } from "./secret-sources.ts";
import type { TokenSource } from "./token-credential.ts";
import { requestToken } from "./token-request.ts";

/** What client credentials are looked up and exchanged with. */
export interface ClientSetting {
  readonly catalog: Catalog;
  readonly backend: Backend;
  readonly auth: Extract<Auth, { scheme: "oauth2_client_credentials" }>;
  readonly setting: CredentialSetting;
}

async function need(
  { catalog, setting }: ClientSetting,
  part: SecretPart,
  declared: SecretSource,
): Promise<string> {
  const { secrets, scope } = setting;
  const { entryId } = catalog;
  const sought = await seekSecret({ entryId, part, declared, secrets, scope });
  if (sought.found !== null) return sought.found.value;
  throw authMissing(catalog, scope, ["the session's credential", ...sought.tried]);
}

/** The tokens of client credentials: exchanged when first needed, renewed 30 s early (RUN-122). */
export async function clientCredentials(given: ClientSetting): Promise<TokenSource> {
  const { auth, backend, setting } = given;
  const { transport, redactor, clock, scope } = setting;
  const clientId = await need(given, "client_id", auth.clientId);
  const clientSecret = await need(given, "client_secret", auth.clientSecret);
  redactor.add(clientSecret);
  const { tokenUrl, scopes } = auth;
  const grant = { kind: "client_credentials", clientId, clientSecret, scopes } as const;
  const { redact, add: learn } = redactor;
  const wire = { transport, backend, redact, learn, now: () => clock.now() };
  const { tenant, principal = "" } = scope;
  const who = [tenant, principal, backend.entryId, backend.base, tokenUrl];
  return {
    id: nameOfSecret(clientId, clientSecret, ...who),
    key: nameOfSecret(clientId, clientSecret, ...who, ...scopes),
    first: null,
    renew: () => requestToken(grant, tokenUrl, wire),
    expired: null,
  };
}

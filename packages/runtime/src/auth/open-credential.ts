import type { Catalog } from "@plasm/core";
import type { Backend } from "../request/effective-backend.ts";
import { clientCredentials } from "./client-credentials.ts";
import {
  type Credential,
  type CredentialSetting,
  fixedCredential,
  NO_CREDENTIAL,
} from "./credential.ts";
import { authMissing, principalMissing } from "./credential-help.ts";
import { isEnvelope } from "./envelope.ts";
import { hostedEnvelope } from "./hosted-envelope.ts";
import { inject, nameOfSecret, type SecretAuth } from "./injection.ts";
import { seekSecret } from "./secret-sources.ts";
import { tokenCredential } from "./token-credential.ts";

type PlainAuth = Exclude<SecretAuth, { scheme: "oauth2_client_credentials" }>;

async function plainCredential(
  catalog: Catalog,
  backend: Backend,
  auth: PlainAuth,
  setting: CredentialSetting,
): Promise<Credential> {
  const { entryId } = catalog;
  const { secrets, scope } = setting;
  const seeking = { entryId, part: "secret", declared: auth, secrets, scope } as const;
  const sought = await seekSecret(seeking);
  if (sought.found === null) {
    if ("optionalEnv" in auth && auth.optionalEnv) return NO_CREDENTIAL;
    throw authMissing(catalog, scope, sought.tried);
  }
  const { value, hostedKey } = sought.found;
  if (hostedKey !== null && isEnvelope(value)) {
    return hostedEnvelope({ catalog, backend, auth, setting, hostedKey, value });
  }
  setting.redactor.add(value);
  return fixedCredential(nameOfSecret(value), inject(auth, value));
}

/**
 * The credential of one catalog (RUN-120 to RUN-123). Token requests wait until a request needs them.
 * Throws RunFailure: `auth_missing` names what was tried.
 */
export async function openCredential(
  catalog: Catalog,
  backend: Backend,
  setting: CredentialSetting,
): Promise<Credential> {
  const { auth } = catalog.cgs;
  const { scope } = setting;
  if (auth.scheme === "none") return NO_CREDENTIAL;
  if (scope.delegated === true && scope.principal === undefined) throw principalMissing(catalog);
  if (auth.scheme !== "oauth2_client_credentials") {
    return plainCredential(catalog, backend, auth, setting);
  }
  const own = scope.session?.get(catalog.entryId)?.trim() ?? "";
  if (own === "") {
    const source = await clientCredentials({ catalog, backend, auth, setting });
    return tokenCredential({ auth, source, setting });
  }
  setting.redactor.add(own);
  return fixedCredential(nameOfSecret(own), inject(auth, own));
}

import type { Catalog } from "@plasm/core";
import type { FurtherKey } from "@plasm/core/internal";
import { RunFailure } from "../../base/run-failure.ts";
import type { CredentialScope, Ports, SecretProvider } from "../../ports.ts";
import type { Backend } from "../effective-backend.ts";
import { clientCredentials, createTokenCache, tokenCredential } from "./token-credential.ts";
import { isGrantRefused } from "./token-failures.ts";
import {
  type Credential,
  type CredentialSetting,
  fixedCredential,
  inject,
  type Injection,
  nameOfSecret,
  NO_CREDENTIAL,
  type SecretAuth,
  together,
} from "./credential.ts";
import {
  accountOfKey,
  authMissing,
  isSharedLabel,
  principalMissing,
  signedInAnew,
  withAccount,
} from "./credential-help.ts";
import { isEnvelope, readEnvelope } from "./envelope.ts";
import { hostedEnvelope } from "./hosted-envelope.ts";
import { createRedactor } from "./redactor.ts";
import { type SecretLookup, seekSecret } from "./secret-sources.ts";
import { signingKeys } from "./sign-request.ts";

type PlainAuth = Exclude<SecretAuth, { scheme: "oauth2_client_credentials" }>;

/** A catalog's credential without its further keys, and the account that it is of, named or the only one (RUN-129). */
interface OwnCredential {
  readonly credential: Credential;
  readonly account: string | null;
}

const ofNoAccount = (credential: Credential): OwnCredential => ({ credential, account: null });

/** The sign-in that a found secret came of; null for one that came of none, and of a version before. */
function signInIn({ value, hostedKey }: SecretLookup, entryId: string): string | null {
  if (hostedKey === null || !isEnvelope(value)) return null;
  const reading = readEnvelope(value, entryId);
  return reading.ok ? reading.signIn : null;
}

/**
 * The sign-in whose token calls of a catalog use now; null where they use none (RUN-129). Nothing is sent to find out, and
 * what keeps its credential from being found is reported when that is opened.
 */
export async function signInOf(
  catalog: Catalog,
  secrets: SecretProvider,
  scope: CredentialScope,
): Promise<string | null> {
  const { entryId, cgs } = catalog;
  const { auth } = cgs;
  if (auth.scheme === "none" || auth.scheme === "oauth2_client_credentials") return null;
  if (scope.delegated === true && scope.principal === undefined) return null;
  try {
    const { found } = await seekSecret({
      catalog,
      part: "secret",
      declared: auth,
      secrets,
      scope,
    });
    return found === null ? null : signInIn(found, entryId);
  } catch {
    return null;
  }
}

async function plainCredential(
  catalog: Catalog,
  backend: Backend,
  auth: PlainAuth,
  setting: CredentialSetting,
): Promise<OwnCredential> {
  const { secrets, scope } = setting;
  const seeking = { catalog, part: "secret", declared: auth, secrets, scope } as const;
  const sought = await seekSecret(seeking);
  if (sought.found === null) {
    if ("optionalEnv" in auth && auth.optionalEnv) return ofNoAccount(NO_CREDENTIAL);
    const named = scope.accounts?.has(catalog.entryId) === true;
    const labels = named ? (secrets.labels?.(catalog.entryId, scope) ?? []) : [];
    throw authMissing(catalog, scope, sought.tried, null, labels);
  }
  const began = scope.signIns?.get(catalog.entryId);
  if (began !== undefined && began !== signInIn(sought.found, catalog.entryId))
    throw signedInAnew(catalog.entryId);
  const { value, hostedKey } = sought.found;
  const account = hostedKey === null ? null : accountOfKey(hostedKey, catalog.entryId);
  const own = (): Credential => {
    if (hostedKey !== null && isEnvelope(value) && auth.scheme !== "sigv4")
      return hostedEnvelope({ catalog, backend, auth, setting, hostedKey, value });
    setting.redactor.add(value);
    if (auth.scheme === "sigv4") {
      const { secretAccessKey, sessionToken } = signingKeys(value);
      for (const part of [secretAccessKey, sessionToken ?? ""]) setting.redactor.add(part);
    }
    return fixedCredential(nameOfSecret(value), inject(auth, value));
  };
  const credential = own();
  return {
    credential:
      account !== null && isSharedLabel(account) && hostedKey !== null
        ? whileShared(credential, catalog, hostedKey, setting)
        : credential,
    account,
  };
}

/** A credential of a tenant's, as long as it is shared with the one who uses it: each request looks (RUN-184). */
function whileShared(
  credential: Credential,
  catalog: Catalog,
  hostedKey: string,
  { secrets, scope }: CredentialSetting,
): Credential {
  const look = async (): Promise<void> => {
    if ((await secrets.hosted(hostedKey, scope)) === undefined)
      throw authMissing(catalog, scope, [`plasm auth (${hostedKey})`]);
  };
  return Object.freeze({
    ...credential,
    take: async () => {
      await look();
      return credential.take();
    },
    renew: async (refused: Injection) => {
      await look();
      return credential.renew(refused);
    },
  });
}

/** The secret of a key that goes along with the scheme's own. */
async function furtherSecret(
  catalog: Catalog,
  key: FurtherKey,
  { secrets, scope, redactor }: CredentialSetting,
): Promise<string> {
  const seeking = { catalog, part: key.name, declared: key, secrets, scope };
  const sought = await seekSecret(seeking);
  if (sought.found === null) throw authMissing(catalog, scope, sought.tried, key);
  const { value, hostedKey } = sought.found;
  if (hostedKey !== null && isEnvelope(value)) {
    const why = `hosted key ${hostedKey} (an envelope, which further keys are not)`;
    throw authMissing(catalog, scope, [why], key);
  }
  redactor.add(value);
  return value;
}

/** A credential that carries further keys besides, which stay as they are while it is renewed. */
function withKeys(first: Credential, ids: readonly string[], further: readonly Injection[]) {
  const all = (own: Injection): Injection => together(own, further);
  const credential: Credential = {
    id: nameOfSecret(first.id, ...ids),
    queryKeys: [...first.queryKeys, ...further.flatMap(({ query }) => query.map(([name]) => name))],
    take: async () => all(await first.take()),
    renew: async (refused) => {
      const other = await first.renew(refused);
      return other === null ? null : all(other);
    },
    accepted: (used) => first.accepted(used),
    granted: () => first.granted(),
  };
  return Object.freeze(credential);
}

/**
 * The credential of one catalog, all its keys together (RUN-120 to RUN-123). Token requests wait until a request needs
 * them. Throws RunFailure: `auth_missing` names what was tried.
 */
export async function openCredential(
  catalog: Catalog,
  backend: Backend,
  setting: CredentialSetting,
): Promise<Credential> {
  const { auth } = catalog.cgs;
  if (auth.scheme === "none") return NO_CREDENTIAL;
  const { credential: first, account } = await ownCredential(catalog, backend, auth, setting);
  if (auth.also.length === 0 || first === NO_CREDENTIAL) return first;
  // They go with the account that it is of, though nobody has named it.
  const scope = account === null ? setting.scope : withAccount(setting.scope, catalog, account);
  const whole = { ...setting, scope };
  const secrets = await Promise.all(auth.also.map((key) => furtherSecret(catalog, key, whole)));
  const carried = auth.also.map((key, at) => inject(key, secrets[at] ?? ""));
  return withKeys(
    first,
    secrets.map((secret) => nameOfSecret(secret)),
    carried,
  );
}

/**
 * Whether a sign-in is over: its token has ended, and its server gives no other one for it (RUN-128). That asks the server where a
 * run would have to, and keeps what comes; a server that is out of order ends nothing.
 */
export async function signInIsOver(
  catalog: Catalog,
  backend: Backend,
  { secrets, transport, clock, tokens = createTokenCache() }: Ports,
  scope: CredentialScope,
): Promise<boolean> {
  const { auth } = catalog.cgs;
  if (auth.scheme === "none") return false;
  const setting = { secrets, transport, clock, tokens, scope, redactor: createRedactor() };
  try {
    await (await ownCredential(catalog, backend, auth, setting)).credential.take();
    return false;
  } catch (thrown) {
    if (!(thrown instanceof RunFailure)) throw thrown;
    return thrown.failure.code === "auth_missing" || isGrantRefused(thrown);
  }
}

async function ownCredential(
  catalog: Catalog,
  backend: Backend,
  auth: SecretAuth,
  setting: CredentialSetting,
): Promise<OwnCredential> {
  const { scope } = setting;
  if (scope.delegated === true && scope.principal === undefined) throw principalMissing(catalog);
  if (auth.scheme !== "oauth2_client_credentials") {
    return plainCredential(catalog, backend, auth, setting);
  }
  const own = scope.session?.get(catalog.entryId)?.trim() ?? "";
  if (own === "") {
    const source = await clientCredentials({ catalog, backend, auth, setting });
    return ofNoAccount(tokenCredential({ auth, source, setting }));
  }
  setting.redactor.add(own);
  return ofNoAccount(fixedCredential(nameOfSecret(own), inject(auth, own)));
}

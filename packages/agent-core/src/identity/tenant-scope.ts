import { createHash } from "node:crypto";
import { LOCAL } from "./caller.ts";

/** Stands between the parts of a scope that is no bare name; no name of a tenant has it. */
const BETWEEN = "|";

const NAME = /^[^\p{Cc}\p{Cf}\p{Surrogate}|]{1,200}$/u;

/**
 * A tenant's name as it is compared and kept: names that only their Unicode form tells apart are one. Case does: it may
 * be all that tells two tenants of an issuer apart.
 */
export const tenantForm = (name: string): string => name.normalize("NFC");

/**
 * Whether a text can be the name of a tenant that a credential proves: `anonymous` is nobody's (SURF-23).
 */
export const isTenantName = (text: string): boolean =>
  NAME.test(text) && text.trim() === text && text.normalize("NFKC").toLowerCase() !== LOCAL.scope;

/** An issuer, so written that no part of it can be taken for what follows it. */
const issuerPart = (issuer: string): string => issuer.replaceAll(/[%|]/g, encodeURIComponent);

/** The scope of a tenant that an issuer names: another than that of an equal name elsewhere (SURF-23). */
export const scopeOfIssuersTenant = (issuer: string, tenant: string): string =>
  [issuerPart(issuer), "tenant", tenant].join(BETWEEN);

/** Whether a scope is one that an issuer's tokens have, and nobody else's. */
export const isOfIssuer = (issuer: string, scope: string): boolean =>
  scope.startsWith(`${issuerPart(issuer)}${BETWEEN}`);

/** The scope of a token that names no tenant: its subject's own (SURF-23). */
export const scopeOfSubject = (issuer: string, subject: string): string =>
  [issuerPart(issuer), "subject", subject].join(BETWEEN);

const ANONYMOUS = `${LOCAL.scope}${BETWEEN}`;

/** The scope of a connection that proved nothing: random as its secret name, and not that name (SESS-8). */
export const scopeOfConnection = (connection: string): string =>
  `${ANONYMOUS}${createHash("sha256").update(connection).digest("hex").slice(0, 32)}`;

/** The scope of all that proved nothing and cannot be told apart: not that of a server without authentication. */
export const NOBODYS_SCOPE = `${ANONYMOUS}nobody`;

/** The tenant by whose policy and credentials a scope is served: of all who prove nothing it is one. */
export const tenantOfScope = (scope: string): string =>
  scope.startsWith(ANONYMOUS) ? LOCAL.scope : scope;

/** Whether a scope is that of somebody who proved who they are. */
export const isProven = (scope: string): boolean => tenantOfScope(scope) !== LOCAL.scope;

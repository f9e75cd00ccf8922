/**
 * What the other packages of this repository need of runtime besides its public surface. It promises nothing: names come
 * and go with any version (docs/adr/0011).
 */
export { hasMember, isArray, isObject, jsonText, typeName } from "./base/json-kinds.ts";
export { requireFewer } from "./decode/collection.ts";
export { signInIsOver, signInOf } from "./request/auth/open-credential.ts";
export { secretKeyFile } from "./request/auth/secret-keys.ts";
export { scopesFor } from "./request/auth/scopes.ts";
export { comparedDigest } from "./run/effects/kept-for-undo.ts";
export { verifyWebhook, type WebhookRequest } from "./request/auth/verify-webhook.ts";
export { type Backend, effectiveBackend } from "./request/effective-backend.ts";

/**
 * The address to connect to for a host that may not be private, as `transport/addresses.ts` says. Few need it, so that what reads
 * addresses is loaded with the first call and not with this module.
 */
export const publicAddress = async (host: string): Promise<string> => {
  const addresses = await import("./transport/addresses.ts");
  return addresses.publicAddressOf(host);
};
export { fileFacts, type FileRefusal, isSessionFile } from "./run/allowed-files.ts";

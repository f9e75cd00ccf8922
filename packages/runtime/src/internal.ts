/**
 * What the other packages of this repository need of runtime besides its public surface. It promises nothing: names come
 * and go with any version (docs/adr/0011).
 */
export { hasMember, isArray, isObject, jsonText, typeName } from "./base/json-kinds.ts";
export { requireFewer } from "./decode/collection.ts";
export { signInIsOver, signInOf } from "./request/auth/open-credential.ts";
export { scopesFor } from "./request/auth/scopes.ts";
export { type Backend, effectiveBackend } from "./request/effective-backend.ts";
export { publicAddress } from "./transport/addresses.ts";

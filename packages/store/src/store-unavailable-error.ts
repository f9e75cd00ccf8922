/** The store cannot be used now, or not at all; the message says which, why, and the way out. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
}

/** The innermost message: what the database itself said. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "unknown";
  return thrown.cause === undefined ? thrown.message : reasonOf(thrown.cause);
}

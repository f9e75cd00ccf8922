import { StoreUnavailableError } from "../store-unavailable-error.ts";

/** SQLite's codes for what lies outside of it: locks, the disk, the file itself. */
const OUTSIDE: ReadonlySet<number> = new Set([5, 6, 8, 10, 11, 13, 14, 26]);

/** The lower byte of a result code is its kind. */
const KIND = 0xff;

/**
 * What a statement threw, told apart (ERR-030, class server): a lock that was not had in time, a full
 * disk or a damaged file make the store unavailable; anything else is a defect.
 */
export function sqliteError(thrown: unknown): unknown {
  const code = (thrown as { readonly errcode?: unknown } | null)?.errcode;
  if (!(thrown instanceof Error) || typeof code !== "number") return thrown;
  if (!OUTSIDE.has(code & KIND)) return thrown;
  return new StoreUnavailableError(`The store cannot be used now: ${thrown.message}`, {
    cause: thrown,
  });
}

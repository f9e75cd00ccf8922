import { StoreUnavailableError, type StoreFault } from "../store-unavailable-error.ts";

/** SQLite's result codes for what lies outside of the statement: locks, the disk, the file itself. */
const FAULTS: ReadonlyMap<number, StoreFault> = new Map([
  [5, "busy"],
  [6, "busy"],
  [8, "read_only"],
  [10, "unreachable"],
  [11, "damaged"],
  [13, "full"],
  [14, "unreachable"],
  [26, "damaged"],
]);

/** The lower byte of a result code is its kind. */
const KIND = 0xff;

/** Codes of the system, for files that are opened and synced beside SQLite. */
const SYSTEM_FAULTS: ReadonlyMap<string, StoreFault> = new Map([
  ["ENOSPC", "full"],
  ["EDQUOT", "full"],
  ["EROFS", "read_only"],
  ["EACCES", "read_only"],
  ["EPERM", "read_only"],
]);

/** The fault that an error of SQLite or of the file system is, or the cause behind it; null for anything else. */
export function faultOf(thrown: unknown): StoreFault | null {
  if (!(thrown instanceof Error)) return null;
  const { errcode, code } = thrown as { readonly errcode?: unknown; readonly code?: unknown };
  if (typeof errcode === "number") return FAULTS.get(errcode & KIND) ?? null;
  const own = typeof code === "string" ? SYSTEM_FAULTS.get(code) : undefined;
  return own ?? faultOf(thrown.cause);
}

/**
 * Returns what a statement threw as the store's own error where the cause lies outside of the statement
 * (ERR-030, class server): a lock that was not had in time, a full disk or a damaged file make the store
 * unavailable. Anything else is a defect and is returned as it is.
 */
export function sqliteError(thrown: unknown): unknown {
  const fault = faultOf(thrown);
  if (!(thrown instanceof Error) || !("errcode" in thrown) || fault === null) return thrown;
  return new StoreUnavailableError(`The store cannot be used now: ${thrown.message}`, {
    cause: thrown,
    fault,
  });
}

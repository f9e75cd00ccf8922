import { DEFAULT_BOUNDS, type StoreBounds } from "@plasm/agent-core";
import { HostStartError } from "./host-start-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

const STORE = "PLASM_DATA_LIMIT";
const TENANT = "PLASM_TENANT_BYTES";

const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["KB", 1024],
  ["MB", 1024 ** 2],
  ["GB", 1024 ** 3],
  ["TB", 1024 ** 4],
]);

/** Below it there would be no room for the sessions that are open. */
const LEAST = 1024 ** 2;

function read(env: Env, name: string): number | null {
  const text = env[name]?.trim() ?? "";
  if (text === "") return null;
  const [, digits = "", unit = ""] = /^([0-9]{1,13})\s*([KMGT]?B?)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS.get(unit.toUpperCase()) ?? Number.NaN);
  if (digits !== "" && bytes >= LEAST && Number.isSafeInteger(bytes)) return bytes;
  throw new HostStartError(
    `${name} must be a number of bytes of 1 MB or more, such as 500 MB or 2 GB, got "${text}".`,
  );
}

/**
 * How many bytes the store may hold, and a tenant in it (SESS-37): `PLASM_DATA_LIMIT`, 2 GB unless set, and
 * `PLASM_TENANT_BYTES`, as much as the store unless set. Throws HostStartError.
 */
export function boundsFromEnv(env: Env): StoreBounds {
  const store = read(env, STORE) ?? DEFAULT_BOUNDS.store;
  return { store, tenant: read(env, TENANT) ?? store };
}

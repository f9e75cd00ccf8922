import { type CredentialOwner, defaultHostedKey, type SecretPart } from "@plasm/runtime";
import { usageError } from "../cli-error.ts";

/** Whose credential is meant, as the command line says it. */
export interface OwnerOptions {
  readonly tenant?: string;
  readonly principal?: string;
}

const HOSTED = "plasm:outbound:";
const ENTRY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The id of the catalog that a name stands for, or null for a hosted key. Throws CliError. */
export function entryIdOf(name: string): string | null {
  if (name.startsWith(HOSTED) && name.length > HOSTED.length) return null;
  if (ENTRY_ID.test(name)) return name;
  throw usageError(`${JSON.stringify(name)} is neither the id of a catalog nor a key ${HOSTED}…`);
}

/** Where a part of a credential is stored: under a hosted key, or the catalog's own. Throws CliError. */
export function ownerOf(
  name: string,
  part: SecretPart,
  { tenant, principal }: OwnerOptions,
): CredentialOwner {
  const entryId = entryIdOf(name);
  if (principal !== undefined && tenant === undefined) {
    throw usageError("--principal names a user of a tenant: give --tenant, too.");
  }
  const key = entryId === null ? name : defaultHostedKey(entryId, part);
  // As servers write the tenant of a caller.
  return { key, tenant: tenant?.normalize("NFC") ?? null, principal: principal ?? null };
}

const OWN = /^plasm:outbound:v1:catalog:([^:]+)(?::(client_id|client_secret))?$/;

/** How a stored credential is called: by its catalog, else by its key. */
export function nameOfKey(key: string): string {
  const [, entryId, part] = OWN.exec(key) ?? [];
  if (entryId === undefined) return key;
  return part === undefined ? entryId : `${entryId} ${part}`;
}

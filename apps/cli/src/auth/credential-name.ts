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

const KEY_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** Throws CliError for what no further key of a catalog is called (CAT-114). */
export function checkKeyName(key: string): void {
  if (KEY_NAME.test(key) && !["secret", "client_id", "client_secret"].includes(key)) return;
  throw usageError(
    `--key ${JSON.stringify(key)} is no name of a further key: small letters, digits and _, as the catalog has it under auth.also.`,
  );
}

/** Whether a stored key is a catalog's own, or a part of it. */
export const isOfCatalog = (key: string, entryId: string): boolean =>
  OWN.exec(key)?.[1] === entryId;

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

const OWN = /^plasm:outbound:v1:catalog:([^:]+)(?::([a-z][a-z0-9_]*))?$/;

/** How a stored credential is called: by its catalog, else by its key. */
export function nameOfKey(key: string): string {
  const [, entryId, part] = OWN.exec(key) ?? [];
  if (entryId === undefined) return key;
  return part === undefined ? entryId : `${entryId} ${part}`;
}

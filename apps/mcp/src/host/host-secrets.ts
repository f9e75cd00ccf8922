import type { Catalog } from "@plasm/core";
import {
  credentialIsPresent,
  type CredentialFiles,
  fileSecrets,
  type Recording,
  type SecretProvider,
} from "@plasm/runtime";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the engine finds secrets, and whether a catalog has what it needs. */
export interface HostSecrets {
  readonly provider: SecretProvider;
  readonly has: (catalog: Catalog) => boolean;
}

/**
 * Secrets of the environment and of the data directory. A replay uses none of them, so that no catalog
 * lacks any.
 */
export function hostSecrets(
  env: Environment,
  files: CredentialFiles,
  tenant: string,
  recording: Recording | null,
): HostSecrets {
  const find = (key: string): string | undefined => {
    try {
      return files.find(key, { tenant });
    } catch {
      // A damaged file is told to the run that needs it.
      return undefined;
    }
  };
  const at = { env: (name: string) => env[name], hosted: find };
  return {
    provider: fileSecrets(env, files),
    has: (catalog) => recording?.replays === true || credentialIsPresent(catalog, tenant, at),
  };
}

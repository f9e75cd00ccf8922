import type { Catalog } from "@plasm/core";
import {
  credentialIsPresent,
  type CredentialFiles,
  type CredentialScope,
  fileSecrets,
  type Recording,
  type SecretProvider,
  variableRefusal,
  type VariableRules,
} from "@plasm/runtime";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the engine finds secrets, and whether a catalog has what it needs. */
export interface HostSecrets {
  readonly provider: SecretProvider;
  /** for these callers; for those that prove nothing without */
  readonly has: (catalog: Catalog, scope?: CredentialScope) => boolean;
}

/**
 * Secrets of the environment and of the data directory. A replay uses none of them, so that no catalog
 * lacks any. `variables` are those that catalogs may read.
 */
export function hostSecrets(
  env: Environment,
  files: CredentialFiles,
  tenant: string,
  recording: Recording | null,
  variables: VariableRules,
): HostSecrets {
  const refusesEnv = (name: string, entryId: string) => variableRefusal(variables, entryId, name);
  const find = (key: string, scope: CredentialScope): string | undefined => {
    try {
      return files.find(key, scope);
    } catch {
      // A damaged file is told to the run that needs it.
      return undefined;
    }
  };
  const at = (scope: CredentialScope) => ({
    env: (name: string, entryId: string) =>
      refusesEnv(name, entryId) === null ? env[name] : undefined,
    hosted: (key: string) => find(key, scope),
  });
  return {
    provider: fileSecrets(env, files, refusesEnv),
    has: (catalog, scope = { tenant }) =>
      recording?.replays === true || credentialIsPresent(catalog, scope, at(scope)),
  };
}

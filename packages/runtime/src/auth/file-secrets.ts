import type { CredentialScope, SecretProvider } from "../ports.ts";
import { reservedVariable } from "./catalog-variables.ts";
import type { CredentialFiles } from "./credential-files.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Secrets from an environment, and hosted ones from the files of a data directory, where refreshed
 * envelopes are kept unless something else has been put there meanwhile. `refusesEnv` says why a catalog may not
 * read a variable.
 */
export function fileSecrets(
  env: Environment,
  files: CredentialFiles,
  refusesEnv: (name: string, entryId: string) => string | null = reservedVariable,
): SecretProvider {
  return Object.freeze({
    env: (name: string) => env[name],
    refusesEnv,
    hosted: (key: string, scope: CredentialScope) => Promise.resolve(files.find(key, scope)),
    keepHosted: (key: string, scope: CredentialScope, before: string, value: string) =>
      files.refresh(key, scope, before, value),
    exclusively: <T>(key: string, scope: CredentialScope, work: () => Promise<T>) =>
      files.exclusively(key, scope, work),
  });
}

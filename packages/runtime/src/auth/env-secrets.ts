import type { SecretProvider } from "../ports.ts";

/** Secrets from an environment record alone; there is no hosted store behind it. */
export function envSecrets(env: Readonly<Record<string, string | undefined>>): SecretProvider {
  return Object.freeze({
    env: (name: string) => env[name],
    hosted: () => Promise.resolve(undefined),
  });
}

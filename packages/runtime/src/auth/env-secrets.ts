import type { SecretProvider } from "../ports.ts";
import { reservedVariable } from "./catalog-variables.ts";

/** Secrets from an environment record alone, but the server's own; there is no hosted store behind it. */
export function envSecrets(env: Readonly<Record<string, string | undefined>>): SecretProvider {
  return Object.freeze({
    env: (name: string) => env[name],
    refusesEnv: reservedVariable,
    hosted: () => Promise.resolve(undefined),
  });
}

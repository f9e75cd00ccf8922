/** What a deployment says of an OAuth provider, so that tokens of its catalogs can be refreshed. */
export interface ProviderSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** null for a public client */
  readonly clientSecret: string | null;
}

/** The settings that say how tokens of a provider are refreshed (RUN-123). */
export function providerSettingNames(provider: string) {
  const name = provider.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return {
    tokenUrl: `PLASM_OAUTH_${name}_TOKEN_URL`,
    clientId: `PLASM_OAUTH_${name}_CLIENT_ID`,
    clientSecret: `PLASM_OAUTH_${name}_CLIENT_SECRET`,
  };
}

/** They, if both address and client are set. */
export function providerSettings(
  provider: string,
  env: (name: string) => string | undefined,
): ProviderSettings | null {
  const names = providerSettingNames(provider);
  const read = (name: string): string | null => env(name)?.trim() || null;
  const [tokenUrl, clientId] = [read(names.tokenUrl), read(names.clientId)];
  if (tokenUrl === null || clientId === null) return null;
  return { tokenUrl, clientId, clientSecret: read(names.clientSecret) };
}

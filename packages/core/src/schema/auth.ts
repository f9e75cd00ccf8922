/** Where a secret comes from: an environment variable, a hosted key, or both (RUN-120). */
export interface SecretSource {
  readonly env?: string;
  readonly hostedKv?: string;
}

/** How a catalog's requests are authorized: a scheme, and where its secret comes from (catalog format, section 3). */
export type Auth =
  | { readonly scheme: "none" }
  | (SecretSource & {
      readonly scheme: "api_key_header";
      readonly header: string;
      readonly prefix: string;
    })
  | (SecretSource & { readonly scheme: "api_key_query"; readonly param: string })
  | (SecretSource & {
      readonly scheme: "bearer_token" | "oauth_bearer";
      readonly optionalEnv: boolean;
    })
  | {
      readonly scheme: "oauth2_client_credentials";
      readonly tokenUrl: string;
      readonly clientId: SecretSource;
      readonly clientSecret: SecretSource;
      readonly scopes: readonly string[];
    };

/** The OAuth scopes that a capability needs: any of some, or all of them. */
export type ScopeRule =
  | { readonly anyOf: readonly (string | ScopeRule)[] }
  | { readonly allOf: readonly (string | ScopeRule)[] };

export interface OAuth {
  readonly provider: string;
  readonly scopes: ReadonlyMap<
    string,
    { readonly label: string; readonly notes: string; readonly docsUrl: string }
  >;
  readonly defaultScopeSets: ReadonlyMap<
    string,
    { readonly description: string; readonly scopes: readonly string[] }
  >;
  readonly capabilityRequirements: ReadonlyMap<string, ScopeRule>;
  /** keyed `Entity.relation` */
  readonly relationRequirements: ReadonlyMap<string, ScopeRule>;
}

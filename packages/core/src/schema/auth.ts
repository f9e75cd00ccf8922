/** Where a secret comes from: an environment variable, a hosted key, or both (RUN-120). */
export interface SecretSource {
  readonly env?: string;
  readonly hostedKv?: string;
}

/** A key that requests carry besides the scheme's own secret, with a name of its own (CAT-114). */
export type FurtherKey = SecretSource & { readonly name: string } & (
    | { readonly scheme: "api_key_header"; readonly header: string; readonly prefix: string }
    | { readonly scheme: "api_key_query"; readonly param: string }
  );

/** Keys that go along, in the order of the catalog. */
interface WithKeys {
  readonly also: readonly FurtherKey[];
}

/** How a catalog's requests are authorized: a scheme, and where its secret comes from (catalog format, section 3). */
export type Auth =
  | { readonly scheme: "none" }
  | (SecretSource &
      WithKeys & {
        readonly scheme: "api_key_header";
        readonly header: string;
        readonly prefix: string;
      })
  | (SecretSource & WithKeys & { readonly scheme: "api_key_query"; readonly param: string })
  | (SecretSource &
      WithKeys & {
        readonly scheme: "bearer_token" | "oauth_bearer";
        readonly optionalEnv: boolean;
      })
  | (WithKeys & {
      readonly scheme: "oauth2_client_credentials";
      readonly tokenUrl: string;
      readonly clientId: SecretSource;
      readonly clientSecret: SecretSource;
      readonly scopes: readonly string[];
    });

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

import type { SchemaOverlay } from "./overlay.ts";
import type { Json, JsonObject, ValueType } from "../values/value-type.ts";
import type { InputSchema, Slot } from "./input.ts";
import type { Precondition } from "./precondition.ts";

/** Where a value comes from that a preflight read needs. */
export type PreflightScope =
  | { readonly fromParam: string }
  | { readonly fromPreflight: { readonly prefix: string; readonly path: readonly string[] } }
  | { readonly literal: Json };

/** A read made before an effect, or what a function makes of such reads (catalog format, section 11; RUN-104). */
export type PreflightStep =
  | { readonly kind: "hydrate_invoke_target"; readonly get: string; readonly prefix: string }
  | {
      readonly kind: "hydrate_entity_ref_param";
      readonly param: string;
      readonly get: string;
      readonly merge: ReadonlyMap<string, string>;
    }
  | {
      readonly kind: "query_pick";
      readonly when?: string;
      readonly query: string;
      readonly scope: ReadonlyMap<string, PreflightScope>;
      readonly pick: { readonly field: string; readonly equalsParam: string };
      readonly merge: ReadonlyMap<string, string>;
    }
  | {
      readonly kind: "label_ids_delta";
      readonly addWhen: string;
      readonly removeWhen: string;
      readonly lookup: string;
      readonly fromPreflight: { readonly prefix: string; readonly path: readonly string[] };
      readonly merge: string;
    }
  | {
      /** a registered function, which is given arguments and what steps before it have bound (RUN-105) */
      readonly kind: "function";
      readonly function: string;
      readonly when?: string;
      readonly params: readonly string[];
      readonly merge: ReadonlyMap<string, string>;
    };

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
        readonly optionalEnv: boolean;
      })
  | (SecretSource &
      WithKeys & {
        readonly scheme: "api_key_query";
        readonly param: string;
        readonly optionalEnv: boolean;
      })
  | (SecretSource &
      WithKeys & {
        readonly scheme: "bearer_token" | "oauth_bearer";
        readonly optionalEnv: boolean;
      })
  | (SecretSource &
      WithKeys & {
        /** each request is signed with two keys, which are one secret with a colon between them */
        readonly scheme: "sigv4";
        readonly service: string;
        readonly region: string;
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
  /** whose metadata says where people sign in (RUN-127) */
  readonly issuer?: string;
  readonly authorizeUrl?: string;
  readonly tokenUrl?: string;
  readonly deviceUrl?: string;
  readonly revokeUrl?: string;
  /** of a public client that the catalog's author has registered */
  readonly clientId?: string;
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

export type CapabilityKind = "query" | "search" | "get" | "create" | "update" | "delete" | "action";

/** What a write answers with (RUN-040). */
export interface Output {
  readonly shape:
    | { readonly type: "side_effect"; readonly description: string }
    | { readonly type: "entity"; readonly entityType: string }
    | { readonly type: "collection"; readonly entityType: string; readonly maxCount?: number }
    | { readonly type: "status"; readonly successIndicators: readonly Json[] }
    | { readonly type: "custom"; readonly schema: Json };
  readonly decoder?: string;
  readonly idempotent?: boolean;
}

/**
 * One thing an API can do, on one entity. `label` is the name programs use (catalog format,
 * section 7); `needsIdentity` is false for a `singleton`, which is a get without identity, and for a get
 * whose request has no part of the key in it.
 */
export interface Capability {
  readonly name: string;
  readonly label: string;
  readonly kind: CapabilityKind;
  readonly needsIdentity: boolean;
  readonly entity: string;
  /** rarely called: tables name it alone unless they are asked for in full (TEACH-57) */
  readonly detail?: true;
  readonly description: string;
  readonly operationTerms: readonly string[];
  readonly targetTerms: readonly string[];
  readonly parameters: readonly Slot[];
  readonly inputSchema?: InputSchema;
  /** Absent when the file declares none: all fields for reads, none for writes. */
  readonly provides?: readonly string[];
  readonly output?: Output;
  /** arguments that the engine gives: nothing else may, and they are no parameters (RUN-103) */
  readonly fixedArgs?: JsonObject;
  readonly preflight: readonly PreflightStep[];
  /** what the API demands of a row before the effect; none for reads (CAT-143) */
  readonly preconditions: readonly Precondition[];
  /** what takes it back; absent where the file does not say, and of reads (CAT-148) */
  readonly undo?: Undo;
  /** how it is asked for its rows in an order; of lists alone (CAT-144) */
  readonly sort?: ListSort;
  /** where the number of its rows is told without their being read; of lists alone (CAT-145) */
  readonly count?: ListCount;
  /** field → the value that its rows have unless a parameter of that name is given; of lists alone (CAT-146) */
  readonly listsOnly?: ReadonlyMap<string, Json>;
  /** how it is asked for the rows of several values at once; of lists alone (CAT-147) */
  readonly batch?: ListBatch;
  readonly scopeAggregateKeyPolicy: "retain" | "omit_when_redundant";
}

/**
 * Where the number of a list's rows is told (RUN-079): in its own answer, by a path into the body or a header, or by
 * a field of what another capability answers to the same arguments.
 */
export type ListCount =
  | { readonly path: readonly string[] }
  | { readonly header: string }
  | { readonly capability: string; readonly field: string };

/** How a list is asked for the rows of several values of a field at once (RUN-080). */
export interface ListBatch {
  /** the parameter that takes the values */
  readonly param: string;
  /** the key of its rows, or a reference */
  readonly field: string;
  /** how many values one request takes */
  readonly most: number;
}

/**
 * What takes an effect back (UNDO-01): nothing; the same update, with the values from before; or another capability on
 * the same row. `args` says for a parameter by which field of the row it is filled; others are filled by their name.
 */
export type Undo =
  | { readonly kind: "none" }
  | { readonly kind: "restore"; readonly args: ReadonlyMap<string, string> }
  | {
      readonly kind: "call";
      readonly capability: string;
      readonly args: ReadonlyMap<string, string>;
    };

/** How a list is asked for its rows in order of a column (RUN-078). */
export interface ListSort {
  /** the parameter that says by what */
  readonly param: string;
  /** field → what the parameter takes for it, in each direction that there is */
  readonly columns: ReadonlyMap<
    string,
    { readonly ascending?: string; readonly descending?: string }
  >;
  /** the parameter of the direction and its words, where the first does not say it */
  readonly direction?: {
    readonly param: string;
    readonly ascending: string;
    readonly descending: string;
  };
}

/** One step of a path into a parent's response: a key, or every element of an array. */
export type EmbeddedStep = { readonly key: string } | { readonly wildcard: true };

/** How the rows of a relation are had (catalog format, section 6; RUN-050). */
export type Materialize =
  | { readonly kind: "unavailable" }
  | {
      readonly kind: "from_parent_get";
      readonly path: readonly EmbeddedStep[];
      /** what the last wildcard stands for is a map: the member that each key goes into (MAP-034) */
      readonly keyInto?: string;
      /** the member that values which are no objects go into */
      readonly valueInto?: string;
    }
  | { readonly kind: "query_scoped"; readonly capability: string; readonly param: string }
  | {
      readonly kind: "query_scoped_bindings" | "get_scoped_bindings";
      readonly capability: string;
      /** parameter of the capability → field of the parent */
      readonly bindings: ReadonlyMap<string, string>;
    };

/** A named edge to rows of an entity of the same catalog. */
export interface Relation {
  readonly name: string;
  readonly target: string;
  readonly cardinality: "one" | "many";
  readonly description: string;
  /** Absent when the file declares none; a one-relation then reads its target from the row (RUN-036). */
  readonly materialize?: Materialize;
  readonly qualifierTerms: readonly string[];
  readonly traversalWeight?: number;
}

/** How a field's value is computed from what its path leads to (RUN-034). */
export type Derive =
  | {
      readonly type: "segments_after_prefix";
      readonly prefix: string;
      readonly alternatePrefixes: readonly string[];
      readonly partIndex: number;
    }
  | {
      readonly type: "name_value_array_lookup";
      readonly equals: string;
      readonly matchKeyField: string;
      readonly valueField: string;
      readonly caseInsensitive: boolean;
    }
  | { readonly type: "object_key_lookup"; readonly key: string; readonly caseInsensitive: boolean }
  | {
      readonly type: "colon_pair_prefer_keys_else_block_refs";
      readonly preferKeys: readonly string[];
      readonly blocksKey: string;
      readonly refField: string;
      readonly segment: string;
    };

/** One field of an entity. `path` is absent when the file declares none: the wire key is the name. */
export interface Field {
  readonly name: string;
  readonly type: ValueType;
  readonly description: string;
  readonly required: boolean;
  /** rarely read: tables leave it out unless they are asked for in full (TEACH-57) */
  readonly detail?: true;
  readonly path?: readonly string[];
  readonly derive?: Derive;
  readonly presentation: "default" | "reference_only" | "lossy";
  readonly mimeTypeHint?: string;
  readonly attachmentMedia?: "generic" | "image" | "audio" | "video" | "document";
}

/** One kind of row an API has. Maps are in file order; nothing may depend on it (CAT-015). */
export interface Entity {
  readonly name: string;
  readonly description: string;
  /** `id_field` as declared, else the first of `key_vars`, else `id` */
  readonly idField: string;
  /** false for rows that stand in others and have no key of their own (CAT-040) */
  readonly hasKey: boolean;
  readonly idFrom?: readonly string[];
  readonly idFormat?: "slug" | "uuid" | "integer" | "email" | "other";
  readonly keyVars: readonly string[];
  readonly implicitRequestIdentity: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly aliases: readonly string[];
  readonly abstract: boolean;
  readonly domainProjectionExamples: boolean;
  readonly primaryRead?: string;
  /** the query, and the search, that the entity's name alone reads where several would do */
  readonly primaryQuery?: string;
  readonly primarySearch?: string;
  readonly discoveryNames: readonly string[];
  readonly qualifierNames: readonly string[];
}

/** How an API proves that a request tells of its changes (CAT-160). Headers are in small letters. */
export interface Webhook extends SecretSource {
  readonly name: string;
  readonly description: string;
  /** a signature of the request, or the secret itself */
  readonly scheme: "hmac_sha256" | "token";
  readonly header: string;
  /** what a signature begins with in its header */
  readonly prefix: string;
  /** what stands between several signatures, or parts, of the header */
  readonly separator?: string;
  readonly encoding: "hex" | "base64";
  /** what is signed, with body, timestamp and id in double braces */
  readonly signed: string;
  readonly secretEncoding: "text" | "base64";
  /** where the time of the signature stands: in a header, or in a part of the signature's header that begins so */
  readonly timestampHeader?: string;
  readonly timestampPrefix?: string;
  readonly toleranceSeconds: number;
  /** the header that names a delivery, the same each time it is sent again */
  readonly idHeader?: string;
  /** the member of a JSON body that is to be answered, as some APIs ask when a webhook is set up */
  readonly challenge?: string;
}

export interface AllowedOrigin {
  readonly origin: string;
  readonly sendAuth: boolean;
}

/** The typed graph of one API: what domain.yaml says, with references resolved. Frozen. */
export interface Cgs {
  readonly version: number;
  readonly httpBackend: string;
  readonly auth: Auth;
  readonly oauth?: OAuth;
  readonly entities: ReadonlyMap<string, Entity>;
  readonly capabilities: ReadonlyMap<string, Capability>;
  readonly views: ReadonlyMap<string, View>;
  readonly overlay?: SchemaOverlay;
  readonly webhooks: ReadonlyMap<string, Webhook>;
  readonly registryAliases: readonly string[];
  readonly label: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly allowOrigins: readonly AllowedOrigin[];
  /** statuses from 500 on by which this API says that it did nothing */
  readonly notDoneStatuses: readonly number[];
}

/** Whether a capability changes something (LANG-070). */
export function isEffectKind(kind: CapabilityKind): boolean {
  return kind === "create" || kind === "update" || kind === "delete" || kind === "action";
}

/** Whether a capability answers a collection. */
export function isList(kind: CapabilityKind): boolean {
  return kind === "query" || kind === "search";
}

/** A kind as messages say it: `a get`, `an update`. */
export function oneOfKind(kind: CapabilityKind): string {
  return /^[au]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

/** How many pages of each list a view reads at most (RUN-100). */
export const VIEW_PAGES = 10;

export type ViewBind =
  | { readonly kind: "scope"; readonly param: string }
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "node_field"; readonly node: string; readonly field: string }
  | { readonly kind: "computed"; readonly template: string };

/** Where a field of a view's row comes from. */
export type ViewOutput =
  | { readonly kind: "scope"; readonly param: string }
  | { readonly kind: "node_row_count" | "node_row_count_positive"; readonly node: string }
  | {
      readonly kind: "node_field" | "node_field_histogram_json";
      readonly node: string;
      readonly field: string;
    }
  | {
      readonly kind: "node_any_row_field_equals";
      readonly node: string;
      readonly field: string;
      readonly equals: Json;
    }
  | { readonly kind: "computed"; readonly template: string };

export type ViewRelationBinding =
  | {
      readonly kind: "first_node_row_where" | "node_rows_where";
      readonly node: string;
      readonly whereField: string;
      readonly equals: Json;
    }
  | { readonly kind: "node_all_rows" | "node_single_row"; readonly node: string };

export interface ViewScope {
  readonly name: string;
  readonly type: ValueType;
  readonly required: boolean;
  readonly inject?: "session_ui_origin" | "session_transport_origin";
}

/** One read of a view, with what it is given. */
export interface ViewNode {
  readonly id: string;
  readonly capability: string;
  readonly bind: ReadonlyMap<string, ViewBind>;
}

/** A relation that a view's row has, with how its target is found. */
export interface ViewRelationOutput {
  readonly relation: string;
  readonly target: string;
  readonly cardinality: "one" | "many";
  readonly binding: ViewRelationBinding;
}

/** A read composed of other reads (catalog format, section 10; RUN-100). */
export interface View {
  readonly key: string;
  readonly description: string;
  readonly capability: string;
  readonly entity: string;
  readonly scope: readonly ViewScope[];
  readonly nodes: readonly ViewNode[];
  readonly output: ReadonlyMap<string, ViewOutput>;
  readonly relationOutputs: readonly ViewRelationOutput[];
}

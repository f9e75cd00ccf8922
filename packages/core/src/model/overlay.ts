import type { Json, ValueType } from "../values/value-type.ts";

/** A field that an overlay adds. Its names on the wire are data; its own name is an identifier. */
export interface ProjectedField {
  readonly name: string;
  readonly type: ValueType;
  readonly path: readonly string[];
  /** the value of the element of the array at `path` whose key equals a text */
  readonly lookup?: {
    readonly equals: string;
    readonly matchKeyField: string;
    readonly valueField: string;
  };
}

/** What an overlay adds to one entity: a new one, or with `augment_base` the template itself. */
export interface ProjectedEntity {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly fields: readonly ProjectedField[];
}

/** Rows of which scope are of which entity, and what its static fields hold. */
export interface ProjectedScope {
  readonly entity: string;
  /** what `decode.scope.key` renders for such rows; null where the overlay has no scope key */
  readonly key: string | null;
  readonly statics: Readonly<Record<string, Json>>;
}

/**
 * What reading an overlay came to (RUN-103): a schema as plain JSON, so that stores keep it and the
 * effective digest covers it (RUN-171, RUN-173).
 */
export interface ProjectedOverlay {
  readonly entities: readonly ProjectedEntity[];
  readonly scopes: readonly ProjectedScope[];
}

/** The reads that an overlay's fields come from: one capability, or several in steps. */
export type OverlaySource =
  | { readonly capability: string; readonly bind: ReadonlyMap<string, string> }
  | { readonly steps: readonly OverlayStep[] };

/** One read of an overlay: it collects what later ones take, or the fields themselves. */
export type OverlayStep =
  | {
      readonly capability: string;
      readonly collect: string;
      readonly itemsPath: readonly string[];
    }
  | {
      readonly capability: string;
      readonly forEach: string;
      readonly bind: ReadonlyMap<string, string>;
      readonly mergePath: readonly string[];
    };

export type OverlayExtract =
  | { readonly kind: "top_level_key" }
  | { readonly kind: "path_segments"; readonly segments: readonly string[] }
  | {
      readonly kind: "name_value_array";
      readonly arrayPath: readonly string[];
      readonly matchKeyField: string;
      readonly matchEquals: string;
      readonly valueField: string;
    };

/** How an overlay reads fields from an answer: where they are, and what names, types and labels them. */
export interface DynamicFields {
  readonly from: { readonly kind: "array" | "object_map"; readonly path: readonly string[] };
  readonly skip?: {
    readonly wireNamePath: readonly string[];
    readonly valuesIn: readonly string[];
  };
  readonly wireNamePath: readonly string[];
  readonly wireTypePath: readonly string[];
  readonly name: string;
  readonly typeMap: ReadonlyMap<string, ValueType>;
  readonly defaultType: ValueType;
  readonly extract: OverlayExtract;
}

/** Tenant-specific schema read at session open (catalog format, section 12; RUN-103). */
export interface SchemaOverlay {
  readonly source: OverlaySource;
  readonly mode: "per_scope_entity" | "augment_base";
  readonly itemsPath: readonly string[];
  readonly nestedItemsPath?: readonly string[];
  readonly entity: {
    readonly fromTemplate: string;
    readonly name?: string;
    readonly scopeKey?: string;
    readonly expressionAliases: readonly string[];
    readonly staticFields: ReadonlyMap<
      string,
      { readonly template: string; readonly type: ValueType }
    >;
    readonly dynamicFields?: DynamicFields;
  };
  readonly decode?: {
    readonly scopeParams: readonly string[];
    readonly scopeKey: string;
    readonly capabilities: readonly string[];
  };
}

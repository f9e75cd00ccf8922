import type { ValueType } from "../values/value-type.ts";

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
  readonly path?: readonly string[];
  readonly derive?: Derive;
  readonly presentation: "default" | "reference_only" | "lossy";
  readonly mimeTypeHint?: string;
  readonly attachmentMedia?: "generic" | "image" | "audio" | "video" | "document";
}

import type { Json } from "../values/json.ts";

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

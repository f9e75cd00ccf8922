import type { Json } from "../../values/json.ts";

/** A key of a form, and what its absence means; `fallback` as the digest has it. */
export interface FormKey {
  readonly form: Form;
  readonly required: boolean;
  readonly fallback?: Json;
}

export type FormKeys = Readonly<Record<string, FormKey>>;

/** What a shape takes, as data: what the schemas for editors are made of (docs/adr/0013). */
export type Form =
  | { readonly kind: "any" | "text" | "name" | "scalar" | "boolean" | "number" | "true" | "null" }
  | { readonly kind: "integer"; readonly least: number; readonly most: number }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "list"; readonly each: Form }
  | { readonly kind: "pair"; readonly first: Form; readonly second: Form }
  | { readonly kind: "map"; readonly each: Form; readonly names: boolean; readonly own: boolean }
  | {
      readonly kind: "object";
      readonly keys: () => FormKeys;
      readonly synonyms: Readonly<Record<string, string>>;
      readonly also: readonly string[];
    }
  | {
      readonly kind: "tagged";
      readonly tag: string;
      readonly variants: ReadonlyMap<string, Form>;
      /** the variant of a map without tag */
      readonly fallback: string | null;
      /** the form of a map whose tag names a registered function; null where none may */
      readonly called: Form | null;
    }
  | { readonly kind: "either"; readonly forms: readonly Form[] }
  | { readonly kind: "later"; readonly form: () => Form };

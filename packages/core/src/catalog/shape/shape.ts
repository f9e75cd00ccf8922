import type { TextRange } from "../../base/span.ts";
import type { Json } from "../../values/value-type.ts";
import type { KeyPath } from "../key-path.ts";
import type { Report } from "../reporter.ts";
import type { YamlNode } from "../yaml/node.ts";
import { describeNode } from "../yaml/convert.ts";

/** A key of a form, and what its absence means; `fallback` as the digest has it. */
interface FormKey {
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

/** Where a node was found: the keys to it, and the key or place that a missing part is reported at. */
export interface NodePlace {
  readonly path: KeyPath;
  readonly keyAt: TextRange;
}

/** What readers need besides the node: where to report, and which functions are registered (RUN-105). */
export interface ReadContext {
  readonly report: Report;
  readonly functions: readonly string[];
  /** A place as a message names it: `line:column`. */
  readonly position: (at: TextRange) => string;
}

/**
 * One form of the catalog formats. `read` gives the value in its long form (synonyms, shorthands and
 * defaults resolved) or undefined after reporting why not; `canonical` gives the digest's form of it,
 * without keys that equal their default (RUN-170).
 */
export interface Shape<T> {
  /** What is allowed here, as CAT-003 says it. */
  readonly expected: string;
  /** What it takes, as data. */
  readonly form: Form;
  read(node: YamlNode, place: NodePlace, context: ReadContext): T | undefined;
  canonical(value: T): Json;
}

/** What a shape gives. */
export type Read<S> = S extends Shape<infer T> ? T : never;

/** Reports a value of the wrong YAML type (CAT-003). */
export function wrongType(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
  expected: string,
): undefined {
  const found = describeNode(node);
  context.report({ at: node.at, path: place.path }, "CAT003", "wrong", { found, expected });
  return undefined;
}

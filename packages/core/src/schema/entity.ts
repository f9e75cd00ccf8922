import type { Field } from "./field.ts";
import type { Relation } from "./relation.ts";

/** One kind of row an API has. Maps are in file order; nothing may depend on it (CAT-015). */
export interface Entity {
  readonly name: string;
  readonly description: string;
  /** `id_field` as declared, else the first of `key_vars`, else `id` */
  readonly idField: string;
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

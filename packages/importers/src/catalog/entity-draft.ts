import type { DocumentObject } from "../json.ts";
import type { RecordShape } from "../document/schema-shape.ts";

/** One part of the key of an entity. */
export interface KeyPart {
  /** as programs write it */
  readonly name: string;
  /** the property of a row that has it, if one does */
  readonly property: string | null;
  /** of the property, or of the variable of the path */
  readonly schema: DocumentObject;
  /** the entity whose key it is, too */
  readonly ref: EntityDraft | null;
}

/** An entity as it comes to be. */
export interface EntityDraft {
  readonly name: string;
  /** its words, joined by `_` */
  readonly snake: string;
  readonly key: readonly KeyPart[];
  /** the path of one row, each variable as `{}`; null where there is none */
  readonly home: string | null;
  /** answers never hold its identity: it stands in the request */
  readonly implicit: boolean;
  readonly description: string;
  /** what the names of its rows' schemas have in common */
  readonly families: Set<string>;
  /** the forms of its rows, the fullest first */
  readonly records: RecordShape[];
  /** entities whose rows hold its rows, which stand nowhere else and have no key; undefined for all others */
  readonly heldBy?: Set<EntityDraft>;
}

/** The names that a condition on rows would take for their own key. */
export const ownNamesOf = ({ key }: EntityDraft): ReadonlySet<string> =>
  new Set(["id", ...key.slice(-1).map(({ name }) => name)]);

/** The names that a row's identity binds in a request (RUN-011). */
export const identityNamesOf = (entity: EntityDraft): ReadonlySet<string> =>
  new Set(["id", ...entity.key.map(({ name }) => name)]);

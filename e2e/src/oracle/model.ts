/**
 * A world: an API, its data, and what a catalog says of both. The server, the catalog and the evaluator
 * are written from it and from nothing else.
 */

/** What a cell holds, in the form in which answers show it. */
export type Cell =
  | null
  | string
  | number
  | boolean
  | readonly Cell[]
  | { readonly [key: string]: Cell };

export type FieldType =
  | "text"
  | "uuid"
  | "integer"
  | "number"
  | "boolean"
  | "select"
  | "day"
  | "instant"
  | "unix_sec"
  | "unix_ms"
  | "words"
  | "options"
  | "json"
  | "ref";

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** of a ref */
  readonly target: string | null;
  /** of select and options */
  readonly options: readonly string[];
  /** where it stands in a row on the wire */
  readonly path: readonly string[];
  /** lists leave it out */
  readonly detail: boolean;
  /** every second row has a number in it as text */
  readonly asText: boolean;
}

/** A row as the API holds it. Rows are told apart by `at`, which no answer shows. */
export interface Row {
  readonly at: number;
  cells: Record<string, Cell>;
  /** what lists may be filtered by although no field shows it */
  hidden: Record<string, Cell>;
}

/** Rows of one entity that belong to rows of another: pairs of `at`. */
export type Edges = readonly (readonly [parent: number, child: number])[];

/** How the rows of a relation are found: hidden pairs, a reference to the parent, equal fields of both. */
export type Related =
  | { readonly by: "pairs"; readonly edges: Edges }
  | { readonly by: "reference"; readonly child: string }
  | { readonly by: "fields"; readonly parent: string; readonly child: string };

export interface Relation {
  readonly name: string;
  readonly target: string;
  readonly many: boolean;
  readonly related: Related;
  readonly via:
    | { readonly kind: "query_scoped"; readonly capability: string; readonly param: string }
    | {
        readonly kind: "query_scoped_bindings" | "get_scoped_bindings";
        readonly capability: string;
        readonly param: string;
        readonly field: string;
      }
    /** embedded: rows, keys in objects, or whole rows; in the parent's lists, too, or in its get alone */
    | {
        readonly kind: "from_parent_get";
        readonly path: readonly string[];
        readonly inLists: boolean;
        /** fields that the rows have of the row they stand in, and do not repeat (RUN-037) */
        readonly omits: readonly string[];
      }
    /** a one-relation whose key stands under its name; a many-relation with one scoped list (RUN-051) */
    | { readonly kind: "none" };
}

export type Paging =
  | { readonly kind: "none" }
  | { readonly kind: "page"; readonly first: number; readonly size: number }
  | { readonly kind: "offset"; readonly size: number; readonly fixed: string | null }
  | {
      readonly kind: "cursor";
      readonly size: number;
      readonly stop: boolean;
      readonly deep: boolean;
    }
  | { readonly kind: "body_cursor"; readonly size: number }
  | { readonly kind: "link"; readonly size: number }
  | { readonly kind: "next_url"; readonly size: number }
  /** the API has pages, and the catalog does not say so */
  | { readonly kind: "undeclared"; readonly size: number; readonly sign: UndeclaredSign };

/** What an answer shows of further rows where its catalog declares no paging. */
export type UndeclaredSign =
  | "has_more"
  | "next"
  | "next_cursor"
  | "next_page_token"
  | "total"
  | "link";

export type Container =
  | { readonly kind: "bare" }
  | { readonly kind: "items"; readonly path: readonly string[] }
  /** `{id: row}`: the key goes into this member of its row */
  | { readonly kind: "map"; readonly path: readonly string[]; readonly into: string }
  | { readonly kind: "inner"; readonly path: readonly string[]; readonly inner: string };

export interface Param {
  readonly name: string;
  readonly type: FieldType;
  readonly target: string | null;
  readonly options: readonly string[];
  readonly required: boolean;
  readonly role: "filter" | "search" | "scope";
  readonly place: "path" | "query" | "body";
  /** which rows it leaves: those whose field is it, whose hidden mark is it, that belong to it, or all */
  readonly keeps:
    | { readonly kind: "field"; readonly field: string }
    | { readonly kind: "hidden" }
    | { readonly kind: "related"; readonly entity: string; readonly relation: string }
    | { readonly kind: "words"; readonly field: string };
}

export type Segment = { readonly literal: string } | { readonly name: string };

/** What an effect does to the row that it is on. */
export type Doing =
  | { readonly kind: "create"; readonly key: "server" | "client" }
  | { readonly kind: "update" }
  | { readonly kind: "delete" }
  /** sets a field to a value of its own, or adds to a number */
  | { readonly kind: "set"; readonly field: string; readonly value: Cell };

/** What an effect answers. */
export type Reply = "row" | "nothing" | "key";

interface CapabilityBase {
  readonly name: string;
  readonly label: string;
  readonly entity: string;
  readonly method: string;
  readonly path: readonly Segment[];
  readonly params: readonly Param[];
}

export interface ListCapability extends CapabilityBase {
  readonly kind: "query" | "search";
  readonly paging: Paging;
  readonly container: Container;
  /** whether `provides` names what its rows have */
  readonly provides: boolean;
  /** the rows that are on it, by `at`; null for all that its parameters leave */
  readonly shows: readonly number[] | null;
  /** the field of the list's own scope, which its rows do not repeat */
  readonly leavesOut: string | null;
}

export interface GetCapability extends CapabilityBase {
  readonly kind: "get";
  readonly wrapped: boolean;
  /** how the catalog declares it: some call what needs no key a get */
  readonly declared: "get" | "singleton";
  /** the row that a singleton answers, and `bound` gets by relation: pairs */
  readonly answers:
    | "key"
    | { readonly row: number }
    | { readonly entity: string; readonly relation: string };
}

export interface EffectCapability extends CapabilityBase {
  readonly kind: "create" | "update" | "delete" | "action";
  readonly does: Doing;
  readonly reply: Reply;
}

export type Capability = ListCapability | GetCapability | EffectCapability;

export interface Entity {
  readonly name: string;
  readonly description: string;
  /** the catalog that declares it */
  readonly catalog: string;
  /** the list that the catalog marks as the one that the bare name reads */
  readonly primary: string | null;
  readonly key: readonly string[];
  readonly fields: readonly Field[];
  readonly relations: readonly Relation[];
  /** whether null cells are left out of answers */
  readonly leavesNullsOut: boolean;
  readonly rows: readonly Row[];
}

export interface World {
  readonly id: string;
  readonly entities: readonly Entity[];
  readonly capabilities: readonly Capability[];
  /** how its session writes programs */
  readonly notation: "names" | "symbols";
}

/** The catalogs that a world's session has: two where its entities are spread over them. */
export const catalogsOf = ({ entities }: World): readonly string[] => [
  ...new Set(entities.map(({ catalog }) => catalog)),
];

/** The entity of a name; worlds name none that they have not. */
export function entityOf(world: World, name: string): Entity {
  const found = world.entities.find((entity) => entity.name === name);
  if (found === undefined) throw new Error(`${world.id} has no entity ${name}`);
  return found;
}

export function fieldOf(entity: Entity, name: string): Field {
  const found = entity.fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`${entity.name} has no field ${name}`);
  return found;
}

export const capabilitiesOf = (world: World, entity: string): readonly Capability[] =>
  world.capabilities.filter((capability) => capability.entity === entity);

export const isList = (capability: Capability): capability is ListCapability =>
  capability.kind === "query" || capability.kind === "search";

/** Whether lists of an entity keep no order: members of JSON objects are in none. */
export const isUnordered = (world: World, entity: string): boolean =>
  capabilitiesOf(world, entity).some((each) => isList(each) && each.container.kind === "map");

/** The get that takes a key, if the entity has one. */
export const keyedGet = (world: World, entity: string): GetCapability | null =>
  capabilitiesOf(world, entity).find(
    (each): each is GetCapability => each.kind === "get" && each.answers === "key",
  ) ?? null;

/** A cell as text: of a text itself, of anything else its JSON. */
export const cellText = (cell: Cell): string =>
  typeof cell === "string" ? cell : JSON.stringify(cell);

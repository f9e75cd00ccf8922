import type { NumberedDraft } from "../document/numbered-query.ts";
import type { Operation } from "../document/operation.ts";
import type { EntityDraft } from "./entity-draft.ts";

export type DraftKind =
  | "query"
  | "search"
  | "get"
  | "singleton"
  | "create"
  | "update"
  | "delete"
  | "action";

export type Role = "search" | "sort" | "sort_direction" | "response_control" | "scope";

/** What a caller may give, by value or by form. */
export type SlotType =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "form"; readonly form: unknown };

/** A parameter of a capability. */
export interface SlotDraft {
  readonly name: string;
  readonly type: SlotType;
  readonly required: boolean;
  readonly role: Role | null;
  readonly description: string;
  /** the entity whose key it is */
  readonly ref: EntityDraft | null;
  /** the entities whose keys members of it are */
  readonly refsWithin?: readonly EntityDraft[];
  /** the value of the column of its name that rows of a list have unless it is given */
  readonly listsOnly?: string | boolean;
  /** it is rarely given: tables leave it out */
  readonly detail?: true;
}

/** A piece of a request, as mappings write expressions. */
export type DraftExpression = Readonly<Record<string, unknown>>;

/** A part of a multipart body; of a list each value may be one. */
export interface PartDraft {
  readonly name: string;
  readonly content: DraftExpression;
  readonly repeat?: true;
}

/** What a request is made of: pairs of a name on the wire and what stands there. */
export interface RequestDraft {
  /** the names of the variables of the path, in their order */
  readonly path: readonly string[];
  readonly query: readonly (readonly [string, DraftExpression])[];
  /** names of the query whose objects are written in brackets */
  readonly brackets: readonly string[];
  /** what of the query is written with dots and numbers, by path */
  readonly numbered: ReadonlyMap<string, NumberedDraft>;
  readonly headers: readonly (readonly [string, DraftExpression])[];
  readonly body: DraftExpression | null;
  /** the parts of a multipart body; null for another body or none */
  readonly parts: readonly PartDraft[] | null;
  readonly idempotency: string | null;
  /** parameters of which all are given or none */
  readonly together?: readonly string[];
}

/** A capability as it comes to be. */
export interface CapabilityDraft {
  readonly label: string;
  readonly kind: DraftKind;
  readonly entity: EntityDraft;
  readonly operation: Operation;
  readonly description: string;
  /** it is rarely called: tables name it alone */
  readonly detail?: true;
  readonly slots: readonly SlotDraft[];
  readonly request: RequestDraft;
  /** HTTP unless given */
  readonly transport?: "graphql";
  /** the form of the rows that it answers; null where it answers none */
  readonly response: unknown;
  readonly pagination: unknown;
  /** what an effect gives besides rows of its entity, as `output` says it; null where that is all */
  readonly output: Readonly<Record<string, unknown>> | null;
  /** properties of the rows that it answers; null where it answers none */
  readonly properties: ReadonlySet<string> | null;
  /** what is not certain, or not there: for a person to decide */
  readonly remark: string | null;
}

/** The name of a capability in both files. */
export const capabilityName = ({
  entity,
  label,
}: Pick<CapabilityDraft, "entity" | "label">): string => `${entity.name.toLowerCase()}_${label}`;

import { changeSaidBy, nounsOf } from "@plasm/core/internal";
import type { CapabilityDraft, DraftExpression } from "../catalog/capability-draft.ts";
import type { EntityDraft } from "../catalog/entity-draft.ts";
import type { ValueTable } from "../catalog/value-table.ts";
import type { Operation } from "../document/operation.ts";
import { clause, clauseBeside } from "../names/clause.ts";
import { catalogName } from "../names/free-name.ts";
import { singular } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { Argument } from "./arguments.ts";
import type { TypeColumns, TypeEntities, TypeEntity } from "./graphql-entities.ts";
import type { FieldRows, GraphqlField } from "./schema-types.ts";

/** What capabilities of a schema are made with. */
export interface GraphqlScene {
  readonly entities: TypeEntities;
  readonly columns: ReadonlyMap<TypeEntity, TypeColumns>;
  readonly values: ValueTable;
  /** where every request goes */
  readonly operation: Operation;
  readonly labels: Map<EntityDraft, Set<string>>;
  readonly refOf: (argument: Argument, entity: EntityDraft) => EntityDraft | null;
  /** fields of the API itself */
  readonly rootFields: Map<string, { readonly value: string; readonly description: string }>;
  readonly say: (line: string) => void;
}

/** The keys that lead from an answer to a field's value. */
export const keysTo = (...names: readonly string[]): readonly string[] => ["data", ...names];

/** A selection around another: `a { b { x } }` of `a`, `b` and `x`. */
const nested = (names: readonly string[], selection: string): string =>
  names.reduceRight((inner, name) => `${name} { ${inner} }`, selection);

/** What is asked for of a list's field: its rows, and what tells how it goes on. */
export function listSelection(rows: FieldRows, selection: string, paging: string): string {
  const row = rows.inner === null ? selection : `${rows.inner} { ${selection} }`;
  return rows.path.length === 0
    ? row
    : [nested(rows.path, row), ...(paging === "" ? [] : [paging])].join(" ");
}

export const graphqlListResponse = (
  rows: FieldRows,
  at: readonly string[],
): Record<string, unknown> => ({
  items_path: [...at, ...rows.path],
  ...(rows.inner === null ? {} : { item_inner_key: rows.inner }),
});

/** The body of a request: the text of an operation, and its variables. */
export function bodyOf(
  kind: "query" | "mutation",
  declared: readonly string[],
  selection: string,
  variables: readonly (readonly [string, DraftExpression])[],
): DraftExpression {
  const names = declared.length === 0 ? "" : `(${declared.join(", ")})`;
  const value = `${kind}${names} { ${selection} }`;
  return {
    type: "object",
    fields: [
      ["query", { type: "const", value }],
      ...(declared.length === 0 ? [] : [["variables", { type: "object", fields: variables }]]),
    ],
  };
}

/** A capability that is sent as an operation of GraphQL. */
export const draftOf = (
  { operation }: GraphqlScene,
  body: DraftExpression,
  made: Pick<CapabilityDraft, "label" | "kind" | "entity" | "description" | "slots"> &
    Partial<CapabilityDraft>,
): CapabilityDraft => ({
  operation,
  request: {
    path: [],
    query: [],
    brackets: [],
    numbered: new Map(),
    headers: [],
    body,
    parts: null,
    idempotency: null,
  },
  transport: "graphql",
  response: null,
  pagination: null,
  output: null,
  properties: null,
  remark: null,
  ...made,
});

const LINKS = new Set("a an the for of to from in on with by and all my".split(" "));
const MOST = 40;

/** What a field is called without the words of its entity: `closeBoat` → `close`. */
export function saidOf(name: string, entity: EntityDraft): string {
  const own = new Set(entity.snake.split("_"));
  const all = wordsOf(name);
  const words = all.filter((word) => !own.has(word) && !own.has(singular(word)));
  // `boatsOf` without its boats ends in a word that says nothing; `logIn` does not.
  while (words.length < all.length && LINKS.has(words.at(-1) ?? "")) words.pop();
  return words.join("_");
}

/** A label that is free: the first of those wanted, else that with a number. It is taken then. */
export function takeSceneLabel(
  { labels }: Pick<GraphqlScene, "labels">,
  entity: EntityDraft,
  wanted: readonly string[],
): string {
  const taken = labels.get(entity) ?? new Set<string>();
  labels.set(entity, taken);
  const all = wanted
    .filter((one) => one !== "")
    .map((one) => catalogName(one.slice(0, MOST), "call").toLowerCase());
  let label = all.find((one) => !taken.has(one)) ?? all[0] ?? "call";
  for (let number = 2; taken.has(label); number += 1) label = `${all[0] ?? "call"}_${number}`;
  taken.add(label);
  return label;
}

const READS =
  /^(?:list|get|gets|returns?|fetch|fetches|retrieves?|show|finds?|read|look ?up|lookup) (?:all |a single )?(?=\S)/i;

/** What is said of a field that reads; null where that, or its label, says a change (CAT-081). */
export function readWords(
  { entities, operation }: GraphqlScene,
  field: GraphqlField,
  entity: EntityDraft,
  label: string,
): string | null {
  const nouns = new Set(
    [...entities.all.map(({ draft }) => draft), entities.root].flatMap(({ name }) => nounsOf(name)),
  );
  const last = operation.segments.at(-1);
  const end = last?.kind === "literal" ? last.value : "";
  const saysChange = (description: string): boolean =>
    changeSaidBy({ label, description, end }, nouns) !== null;
  const whole = (field.description ?? "").trim();
  const said = clauseBeside(whole.replace(READS, ""), entity.name, label, field.name);
  if (!saysChange(said)) return said;
  return saysChange(clause(whole)) || saysChange("") ? null : "";
}

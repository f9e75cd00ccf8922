import type { AuthDraft } from "../catalog/auth.ts";
import type { BackendGuess, PlacedOperations } from "../catalog/backend.ts";
import {
  type CapabilityDraft,
  capabilityName,
  type SlotDraft,
} from "../catalog/capability-draft.ts";
import type { EntityDraft } from "../catalog/entity-draft.ts";
import type { EntityFields, FieldDraft } from "../catalog/entity-fields.ts";
import { listOrder } from "../catalog/list-order.ts";
import type { RelationDraft } from "../catalog/relations.ts";
import type { ValueEntry } from "../catalog/value-table.ts";
import { listOf } from "../json.ts";
import {
  type Entries,
  type FileForm,
  fileText,
  inline,
  remarked,
  whenWritten,
} from "./file-text.ts";

/** All that a catalog says, before it is text. */
export interface CatalogDraft {
  readonly label: string;
  readonly description: string;
  readonly source: string;
  /** origins besides the backend's that operations have, and whether credentials go there */
  readonly origins: PlacedOperations["origins"];
  readonly backend: BackendGuess;
  readonly auth: AuthDraft;
  readonly values: ReadonlyMap<string, ValueEntry>;
  readonly entities: readonly EntityDraft[];
  /** those that nothing can be done with: they stand in rows of others */
  readonly abstract: ReadonlySet<EntityDraft>;
  readonly fields: ReadonlyMap<EntityDraft, EntityFields>;
  readonly relations: ReadonlyMap<EntityDraft, readonly RelationDraft[]>;
  readonly capabilities: readonly CapabilityDraft[];
}

const said = (key: string, text: string): Entries => (text === "" ? [] : [[key, text]]);

function fieldEntry({ value, path, required, detail, description, remark }: FieldDraft): unknown {
  const entries: Entries = [
    ["value_ref", value],
    ...(required ? [["required", true] as const] : []),
    ...(detail === true ? [["detail", true] as const] : []),
    ...(path === null ? [] : [["path", path] as const]),
    ...said("description", description),
  ];
  return remarked(remark, inline(new Map(entries)));
}

function keyEntries({ key, heldBy }: EntityDraft): Entries {
  const own = key.at(-1);
  if (heldBy !== undefined) return [];
  if (own === undefined) return [["implicit_request_identity", true]];
  return [
    ["id_field", own.name],
    ...(key.length > 1 ? [["key_vars", inline(key.map(({ name }) => name))] as const] : []),
  ];
}

function relationEntries(draft: CatalogDraft, entity: EntityDraft): Entries {
  const held = (draft.fields.get(entity)?.held ?? []).map(
    ({ name, target, property, description }) =>
      [
        name,
        new Map<string, unknown>([
          ["target", target.name],
          ["cardinality", "many"],
          ...said("description", description),
          [
            "materialize",
            inline({ kind: "from_parent_get", path: [{ key: property }, { wildcard: true }] }),
          ],
        ]),
      ] as const,
  );
  const read = (draft.relations.get(entity) ?? []).map(
    (one) =>
      [
        one.name,
        new Map<string, unknown>([
          ["target", one.target.name],
          ["cardinality", one.cardinality],
          ...said("description", one.description),
          ["materialize", inline(one.materialize)],
        ]),
      ] as const,
  );
  return [...held, ...read];
}

/** Which list the entity alone reads, where several need nothing and none has the plain label (CAT-082). */
function primaryEntries({ capabilities }: CatalogDraft, entity: EntityDraft): Entries {
  return (["query", "search"] as const).flatMap((kind) => {
    const open = capabilities.filter(
      (one) =>
        one.entity === entity &&
        one.kind === kind &&
        one.slots.every(({ required, role }) => !required || role === "search"),
    );
    const [first] = open;
    if (first === undefined || open.length < 2 || open.some(({ label }) => label === kind))
      return [];
    return [[`primary_${kind}`, capabilityName(first)] as const];
  });
}

/** How people sign in, a scope a line. */
function oauthEntry({ scopes, ...where }: NonNullable<AuthDraft["oauth"]>): unknown {
  const each = Object.entries(scopes as Readonly<Record<string, object>>);
  return new Map<string, unknown>([
    ...Object.entries(where),
    ["scopes", new Map(each.map(([name, said]) => [name, inline(said)]))],
  ]);
}

const MOST_HOLDERS = 3;

/** What a row is; of rows that stand in others and of which nothing is said, in which. */
function descriptionOf({ description, heldBy }: EntityDraft): string {
  if (description !== "" || heldBy === undefined) return description;
  const names = [...heldBy].map(({ name }) => name);
  const more = names.length > MOST_HOLDERS ? " and others" : "";
  return `stands in rows of ${names.slice(0, MOST_HOLDERS).join(", ")}${more}`;
}

function entityEntry(draft: CatalogDraft, entity: EntityDraft): unknown {
  const description = descriptionOf(entity);
  const fields = draft.fields.get(entity)?.fields ?? [];
  const relations = relationEntries(draft, entity);
  const entry = new Map<string, unknown>([
    ...said("description", description),
    ...(draft.abstract.has(entity) ? [["abstract", true] as const] : []),
    ...keyEntries(entity),
    ...(entity.implicit && entity.key.length > 0
      ? [["implicit_request_identity", true] as const]
      : []),
    ...primaryEntries(draft, entity),
    ["fields", new Map(fields.map((field) => [field.name, fieldEntry(field)]))],
    ...(relations.length === 0 ? [] : [["relations", new Map(relations)] as const]),
  ]);
  return remarked(description === "" ? "Say what a row is: description." : null, entry);
}

function slotEntry({ name, type, required, role, description, detail }: SlotDraft): unknown {
  const entries: Entries = [
    ["name", name],
    type.kind === "value" ? ["value_ref", type.value] : ["input_type", type.form],
    ...(required ? [["required", true] as const] : []),
    ...(detail === true ? [["detail", true] as const] : []),
    ...(role === null ? [] : [["role", role] as const]),
    ...said("description", description),
  ];
  return inline(new Map(entries));
}

/** The fields that an answer fills, where those are not all (or, of a write, where there are any). */
function provided(draft: CatalogDraft, { entity, properties, kind }: CapabilityDraft): Entries {
  const own = draft.fields.get(entity);
  if (properties === null || own === undefined) return [];
  const keys = entity.key.length;
  const names = own.fields.flatMap(({ name, property, path }, at) => {
    const isWhole = path !== null && path.length === 0;
    return (property === null ? at < keys || isWhole : properties.has(property)) ? [name] : [];
  });
  const held = own.held.flatMap(({ name, property }) => (properties.has(property) ? [name] : []));
  const all = names.length === own.fields.length && held.length === own.held.length;
  const write = !["query", "search", "get", "singleton"].includes(kind);
  return all && !write ? [] : [["provides", inline([...new Set([...names, ...held])])]];
}

/** The parameters of which all are given or none (CAT-091). */
function givenTogether({ request: { together = [] } }: CapabilityDraft): Entries {
  if (together.length < 2) return [];
  const rule = { rule_type: "all_or_none", fields: together };
  const schema = {
    input_type: { type: "object", fields: [] },
    validation: { cross_field_rules: [rule] },
  };
  return [["input_schema", inline(schema)]];
}

/** The columns of which a list gives the rows with one value alone, where that is a value of the column (CAT-146). */
function listedOnly(draft: CatalogDraft, { entity, kind, slots }: CapabilityDraft): Entries {
  if (kind !== "query" && kind !== "search") return [];
  const own = draft.fields.get(entity)?.fields ?? [];
  const only = slots.flatMap(({ name, listsOnly }): Entries => {
    const type = draft.values.get(own.find((field) => field.name === name)?.value ?? "");
    const fits =
      type?.["type"] === "select"
        ? listOf(type["allowed_values"]).includes(listsOnly)
        : type?.["type"] === (typeof listsOnly === "boolean" ? "boolean" : "string");
    return listsOnly !== undefined && fits ? [[name, listsOnly]] : [];
  });
  return only.length === 0 ? [] : [["lists_only", inline(new Map(only))]];
}

function ordered(draft: CatalogDraft, capability: CapabilityDraft): Entries {
  const fields = draft.fields.get(capability.entity)?.fields ?? [];
  const order = listOrder(capability, fields, draft.values);
  return order === null ? [] : [["sort", inline(order)]];
}

const WRITES = new Set(["create", "update", "delete", "action"]);

function capabilityEntry(draft: CatalogDraft, capability: CapabilityDraft): unknown {
  const { kind, entity, detail, description, slots, properties, output } = capability;
  const effect = WRITES.has(kind) && properties === null && output === null;
  return new Map<string, unknown>([
    ["kind", kind],
    ["entity", entity.name],
    ...(detail === true ? [["detail", true] as const] : []),
    ...said("description", description),
    ...(slots.length === 0 ? [] : [["parameters", slots.map(slotEntry)] as const]),
    ...givenTogether(capability),
    ...provided(draft, capability),
    ...listedOnly(draft, capability),
    ...ordered(draft, capability),
    ...(output === null ? [] : [["output", inline(output)] as const]),
    ...(effect ? [["output", inline({ type: "side_effect", description })] as const] : []),
  ]);
}

/** The text of domain.yaml. */
export function domainText(draft: CatalogDraft, form: FileForm): string {
  const entries: Entries = [
    ["version", 1],
    ["label", draft.label],
    ...said("description", draft.description),
    ["http_backend", remarked(draft.backend.remark, draft.backend.url)],
    ...(draft.origins.length === 0
      ? []
      : [["allow_origins", draft.origins.map((one) => inline({ ...one }))] as const]),
    ["auth", remarked(draft.auth.remark, inline(draft.auth.auth))],
    ...(draft.auth.oauth === null ? [] : [["oauth", oauthEntry(draft.auth.oauth)] as const]),
    ["values", whenWritten(draft.values, ([name, entry]) => [name, () => inline(entry)])],
    ["entities", whenWritten(draft.entities, (one) => [one.name, () => entityEntry(draft, one)])],
    [
      "capabilities",
      whenWritten(draft.capabilities, (one) => [
        capabilityName(one),
        () => capabilityEntry(draft, one),
      ]),
    ],
  ];
  const head = [
    `${draft.source}, read by plasm catalog init: a start, which runs, and goes on by hand.`,
    "Take out what nobody asks for; say what rows are and what effects do, where names do not say it;",
    "and see that each parameter of a list filters exactly by what it is called: what is sent is not looked at again.",
  ];
  return fileText(form, head, entries, new Set(["values", "entities", "capabilities"]));
}

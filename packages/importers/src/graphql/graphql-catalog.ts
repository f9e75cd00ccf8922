import type { GraphQLSchema } from "graphql";
import { type CapabilityDraft, capabilityName } from "../catalog/capability-draft.ts";
import type { EntityDraft } from "../catalog/entity-draft.ts";
import type { EntityFields } from "../catalog/entity-fields.ts";
import { keptEntities, usedValues } from "../catalog/in-use.ts";
import { shareNotes } from "../catalog/shared-notes.ts";
import { markRare } from "../catalog/small-tables.ts";
import { valueTable } from "../catalog/value-table.ts";
import {
  type CatalogFromDocument,
  demandEntryId,
  demandServer,
  type FromOpenApiOptions,
} from "../catalog-from-open-api.ts";
import type { Operation } from "../document/operation.ts";
import { compareText } from "../json.ts";
import { catalogName } from "../names/free-name.ts";
import { OpenApiError, plainLine } from "../open-api-error.ts";
import { type CatalogDraft, domainText } from "../write/domain-text.ts";
import { mappingsText } from "../write/mappings-text.ts";
import { changingFields } from "./changing-fields.ts";
import {
  findTypeEntities,
  type TypeColumns,
  typeColumns,
  type TypeEntity,
} from "./graphql-entities.ts";
import { fieldEffect } from "./graphql-effects.ts";
import { nodeReads, refOfArgument, rootRead } from "./graphql-reads.ts";
import { findTypeRelations } from "./type-relations.ts";
import type { GraphqlScene } from "./graphql-scene.ts";
import { readSchema } from "./read-schema.ts";
import { type GraphqlField, rowsOf } from "./schema-types.ts";

/** More than any table teaches. */
const MOST_FIELDS = 5_000;

const PLACEHOLDER = "https://your-api.example/graphql";

/** An operation that every request is: a POST to the endpoint. */
const endpointOf = (last: string): Operation => ({
  method: "POST",
  path: `/${last}`,
  segments: [{ kind: "literal", value: last }],
  template: `/${last}`,
  operationId: undefined,
  summary: undefined,
  isDeprecated: false,
  tags: [],
  pathParameters: new Map(),
  query: [],
  cookies: [],
  headers: [],
  body: null,
  answer: { kind: "none", isAt: false, isOpen: false },
  server: null,
  leftOut: [],
  xml: null,
  reads: false,
  isTakenOn: false,
});

/** The address of the API and the last part of its path, where requests go. */
function placeOf(server: string | undefined) {
  const url = new URL(server === undefined ? PLACEHOLDER : demandServer(server));
  const parts = url.pathname.replace(/(?<!\/)\/+$/, "").split("/");
  const last = parts.pop() ?? "";
  const remark =
    server === undefined
      ? "A schema names no address: set the one of the endpoint (--server)."
      : null;
  return { backend: { url: `${url.origin}${parts.join("/")}`, remark }, last };
}

const rootFields = (type: ReturnType<GraphQLSchema["getQueryType"]>): readonly GraphqlField[] =>
  Object.values(type?.getFields() ?? {}).toSorted((a, b) => compareText(a.name, b.name));

/** Whether a root field is asked for: by the beginning of its name, or by the type of its rows. */
function isWanted(only: readonly string[], field: GraphqlField): boolean {
  if (only.length === 0) return true;
  const type = rowsOf(field.type)?.type.name.toLowerCase();
  return only.some((one) => {
    const said = one.toLowerCase().replace(/^\//, "");
    return field.name.toLowerCase().startsWith(said) || type === said;
  });
}

const ORDER = ["query", "search", "get", "singleton", "create", "update", "action", "delete"];

const byEntity = (a: CapabilityDraft, b: CapabilityDraft): number =>
  compareText(a.entity.name, b.entity.name) ||
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
  compareText(capabilityName(a), capabilityName(b));

const variable = (entryId: string): string =>
  `${entryId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_TOKEN`.replace(/^(?=[0-9])/, "API_");

function nothingFound(schema: GraphQLSchema, only: readonly string[], left: readonly string[]) {
  const names = rootFields(schema.getQueryType()).map(({ name }) => name);
  const more = names.length > 20 ? `, +${names.length - 20}` : "";
  const there =
    names.length === 0
      ? "It has no queries."
      : `Its queries are ${names.slice(0, 20).join(", ")}${more}.`;
  const wanted = only.length === 0 ? "" : ` of ${only.join(", ")}`;
  const why = left.length === 0 ? "" : `\n${left.slice(0, 5).join("\n")}`;
  return new OpenApiError(
    `Nothing${wanted} of the GraphQL schema can be in a catalog. ${there}${why}`,
  );
}

/** The fields of the API itself, which its reads of single values fill. */
const ownFields = (scene: GraphqlScene): EntityFields => ({
  fields: [...scene.rootFields].map(([property, { value, description }]) => {
    const name = catalogName(property, "field");
    return {
      name,
      value,
      path: name === property ? null : [property],
      required: false,
      description,
      remark: null,
      property,
      ref: null,
    };
  }),
  held: [],
});

/** The capabilities of the root fields, and of lists behind rows; relations between entities. */
function capabilitiesOf(
  scene: GraphqlScene,
  {
    queries,
    changing,
    mutations,
  }: Readonly<Record<"queries" | "changing" | "mutations", readonly GraphqlField[]>>,
  only: readonly string[],
) {
  let reached = 0;
  const made = (
    kind: string,
    fields: readonly GraphqlField[],
    make: (field: GraphqlField) => CapabilityDraft | readonly CapabilityDraft[] | string,
  ) =>
    fields.flatMap((field) => {
      const found = make(field);
      if (typeof found === "string") {
        scene.say(`${kind} ${field.name}: ${found}`);
        return [];
      }
      reached += 1;
      const all = "entity" in found ? [found] : found;
      return typeof field.deprecationReason === "string" ? all.map(deprecated) : all;
    });
  const plain = [...queries].toSorted(
    (a, b) =>
      Number(typeof a.deprecationReason === "string") -
      Number(typeof b.deprecationReason === "string"),
  );
  const node = queries.find(
    ({ name }) =>
      name === "node" && scene.entities.all.some(({ getter }) => getter?.field.name === name),
  );
  const isNode = ({ name }: GraphqlField): boolean =>
    node !== undefined && (name === "node" || name === "nodes");
  reached += queries.filter(isNode).length;
  const rooted = made(
    "query",
    plain.filter((field) => !isNode(field)),
    (field) => rootRead(scene, field),
  );
  const about = new Set(rooted.map(({ entity }) => entity));
  const gets = nodeReads(scene).filter(({ entity }) => only.length === 0 || about.has(entity));
  const reads = [...rooted, ...gets];
  const readable = new Set(reads.map(({ entity }) => entity));
  const { relations, lists } = findTypeRelations(
    scene,
    reads,
    (one) => only.length === 0 || readable.has(one.draft),
  );
  // An effect is not called like a field or relation of its row (CAT-072).
  for (const one of scene.entities.all) {
    const names = [
      ...(scene.columns.get(one)?.fields.fields ?? []),
      ...(relations.get(one.draft) ?? []),
    ];
    const taken = scene.labels.get(one.draft) ?? new Set<string>();
    scene.labels.set(one.draft, taken);
    for (const { name } of names) taken.add(name.toLowerCase());
  }
  const effects = [
    ...made("query", changing, (field) => fieldEffect(scene, field, "query")),
    ...made("mutation", mutations, (field) => fieldEffect(scene, field, "mutation")),
  ];
  return { capabilities: [...reads, ...lists, ...effects], relations, reached };
}

/** The root fields that are asked for, by what becomes of them; `reading` are all that read. Throws OpenApiError where they are too many. */
function wantedFields(schema: GraphQLSchema, only: readonly string[]) {
  const wanted = (fields: readonly GraphqlField[]) => fields.filter((one) => isWanted(only, one));
  const all = rootFields(schema.getQueryType());
  const changes = changingFields(schema, all);
  const reading = all.filter((field) => !changes.has(field));
  const queries = wanted(reading);
  const changing = wanted(all.filter((field) => changes.has(field)));
  const mutations = wanted(rootFields(schema.getMutationType()));
  const subscriptions = wanted(rootFields(schema.getSubscriptionType()));
  const total = queries.length + changing.length + mutations.length + subscriptions.length;
  if (total > MOST_FIELDS)
    throw new OpenApiError(
      `The schema has ${total} queries and mutations; a catalog is made of at most ${MOST_FIELDS}. Name some of them, by how their names begin or by a type (--only).`,
    );
  return { reading, queries, changing, mutations, subscriptions, total };
}

/** The texts of a catalog of a schema, and what was left out. Throws OpenApiError. */
export function graphqlCatalog(
  text: string,
  { entryId, only = [], server, validate = true, form = "yaml" }: FromOpenApiOptions,
): CatalogFromDocument {
  demandEntryId(entryId);
  const { backend, last } = placeOf(server);
  const { schema, faults } = readSchema(text);
  const { reading, queries, changing, mutations, subscriptions, total } = wantedFields(
    schema,
    only,
  );
  const values = valueTable();
  const entities = findTypeEntities(schema, reading);
  const columns = new Map<TypeEntity, TypeColumns>(
    entities.all.map((one) => [one, typeColumns(one, entities, values)]),
  );
  const left: string[] = [];
  const scene: GraphqlScene = {
    entities,
    columns,
    values,
    operation: endpointOf(last),
    labels: new Map(),
    rootFields: new Map(),
    refOf: (argument, entity) => refOfArgument(argument, entity, { columns, entities }),
    say: (line) => left.push(line),
  };
  const { capabilities, relations, reached } = capabilitiesOf(
    scene,
    { queries, changing, mutations },
    only,
  );
  for (const { name } of subscriptions)
    left.push(`subscription ${name}: nothing is pushed to a program; it asks`);
  if (capabilities.length === 0) throw nothingFound(schema, only, left);
  const used = new Set(capabilities.map(({ entity }) => entity));
  const fields = new Map<EntityDraft, EntityFields>([
    ...[...columns].map(([one, { fields: own }]) => [one.draft, own] as const),
    [entities.root, ownFields(scene)] as const,
  ]);
  const kept = keptEntities(
    [...entities.all.map(({ draft }) => draft), entities.root].toSorted((a, b) =>
      compareText(a.name, b.name),
    ),
    used,
    fields,
    { capabilities, relations },
  );
  for (const [{ draft }, { left: names }] of columns)
    if (names.length > 0 && kept.includes(draft)) {
      const more = names.length > 20 ? `, +${names.length - 20}` : "";
      left.push(
        `${draft.name}: it has too many values, and these are not asked for: ${names.slice(0, 20).join(", ")}${more}`,
      );
    }
  const shared = shareNotes(capabilities, fields);
  const marked = markRare(shared.capabilities, shared.fields);
  const draft: CatalogDraft = {
    label: entryId,
    description: "",
    source: "A GraphQL schema",
    backend,
    origins: [],
    auth: {
      auth: { scheme: "bearer_token", env: variable(entryId), optional_env: true },
      oauth: null,
      remark: "A schema does not say who may ask: this token is shown where there is one.",
      left: [],
    },
    values: usedValues(
      values.entries(),
      capabilities,
      kept.map((one) => fields.get(one)),
    ),
    entities: kept,
    abstract: new Set(kept.filter((entity) => !used.has(entity))),
    fields: marked.fields,
    relations,
    capabilities: marked.capabilities.toSorted(byEntity),
  };
  return {
    domain: domainText(draft, form),
    mappings: mappingsText(draft, form),
    left: [
      ...(validate ? faults.map((fault) => `the schema: ${fault}`) : []),
      ...left.toSorted(),
    ].map(plainLine),
    operations: total,
    reached,
  };
}

const deprecated = (made: CapabilityDraft): CapabilityDraft => ({
  ...made,
  description: made.description === "" ? "deprecated" : `deprecated: ${made.description}`,
});

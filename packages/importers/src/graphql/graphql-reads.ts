import { isObjectType } from "graphql";
import {
  type CapabilityDraft,
  capabilityName,
  type DraftExpression,
} from "../catalog/capability-draft.ts";
import { type EntityDraft, identityNamesOf, ownNamesOf } from "../catalog/entity-draft.ts";
import type { RelationDraft } from "../catalog/relations.ts";
import { shapeOf } from "../document/schema-shape.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import { type Argument, argumentsOf, isKeyOf, makeArguments } from "./arguments.ts";
import type { Getter, Lead, TypeEntity } from "./graphql-entities.ts";
import { graphqlPaging } from "./graphql-paging.ts";
import {
  bodyOf,
  draftOf,
  type GraphqlScene,
  keysTo,
  graphqlListResponse,
  listSelection,
  readWords,
  saidOf,
  takeSceneLabel,
} from "./graphql-scene.ts";
import {
  type GraphqlField,
  isLeaf,
  typeSchema,
  type FieldRows,
  rowsOf,
  whyNoRows,
} from "./schema-types.ts";

const NO_PAGES = "No pages: the schema tells of none.";

const describe = (field: GraphqlField, entity: EntityDraft, label: string): string =>
  clauseBeside((field.description ?? "").trim().replace(READS, ""), entity.name, label, field.name);

const READS =
  /^(?:list|get|gets|returns?|fetch|fetches|retrieves?|show|finds?|read|look ?up|lookup) (?:all |a single )?(?=\S)/i;

/** A list that a root field answers; a change that its name tells of leaves it out. */
function rootList(
  scene: GraphqlScene,
  field: GraphqlField,
  rows: FieldRows,
  target: TypeEntity,
): CapabilityDraft | string {
  const { draft } = target;
  const all = argumentsOf(field);
  const paging = graphqlPaging(all, rows, keysTo(field.name));
  const made = makeArguments(
    {
      ...scene,
      entity: draft,
      field,
      kind: "list",
      keyed: new Map(),
      paged: paging?.used ?? new Set(),
      taken: [...ownNamesOf(draft)],
    },
    all,
  );
  if (typeof made === "string") return made;
  const columns = scene.columns.get(target);
  const kind = made.slots.some(({ role }) => role === "search") ? "search" : "query";
  const isPlain = singular(folded(field.name)) === singular(draft.snake.replaceAll("_", ""));
  const said = saidOf(field.name, draft);
  const label = takeSceneLabel(scene, draft, [...(isPlain ? [kind] : []), said, kind, field.name]);
  const description = readWords(scene, label, describe(field, draft, label));
  if (description === null) return changes(field);
  for (const line of made.left) scene.say(`query ${field.name}: ${line}`);
  const selection = listSelection(
    rows,
    columns?.selection ?? "__typename",
    paging?.selection ?? "",
  );
  return draftOf(
    scene,
    bodyOf("query", made.declared, `${field.name}${made.passed} { ${selection} }`, made.variables),
    {
      label,
      kind,
      entity: draft,
      description,
      slots: made.slots,
      response: graphqlListResponse(rows, keysTo(field.name)),
      pagination: paging?.pagination ?? null,
      properties: columns?.properties ?? new Set(),
      remark: paging === null ? NO_PAGES : null,
    },
  );
}

const changes = ({ name }: GraphqlField): string =>
  `${name} says that it changes something, and a query only reads`;

/** A selection of one row by its key. */
interface ByKey {
  readonly declared: readonly string[];
  readonly text: string;
  /** the variable that takes the key, and the member of it where that is an object */
  readonly variable: string;
  readonly member: string | null;
}

function ofKey(
  { field, argument }: Getter,
  { type }: TypeEntity,
  variable: string,
  selection: string,
): ByKey {
  if (argument === null)
    return {
      declared: [`$${variable}: ID!`],
      text: `node(id: $${variable}) { ... on ${type.name} { ${selection} } }`,
      variable,
      member: null,
    };
  const [top = "", member = null] = argument.path;
  const given = field.args.find(({ name }) => name === top);
  return {
    declared: [`$${variable}: ${String(given?.type ?? "ID!")}`],
    text: `${field.name}(${top}: $${variable}) { ${selection} }`,
    variable,
    member,
  };
}

/** The variable of a key, filled by a name of the program. */
function keyed({ variable, member }: ByKey, name: string): readonly [string, DraftExpression] {
  const own: DraftExpression = { type: "var", name };
  return [variable, member === null ? own : { type: "object", fields: [[member, own]] }];
}

/** The get of an entity by its key. */
function rowByKey(
  scene: GraphqlScene,
  target: TypeEntity,
  getter: Getter,
): CapabilityDraft | string {
  const { draft } = target;
  const [part] = draft.key;
  const columns = scene.columns.get(target);
  if (part === undefined) return "its rows have no key";
  const made = ofKey(getter, target, "id", columns?.selection ?? "__typename");
  const label = takeSceneLabel(scene, draft, ["get"]);
  return draftOf(scene, bodyOf("query", made.declared, made.text, [keyed(made, part.name)]), {
    label,
    kind: "get",
    entity: draft,
    description: readWords(scene, label, describe(getter.field, draft, label)) ?? "",
    slots: [],
    response: { items_path: keysTo(getter.field.name), single: true },
    properties: columns?.properties ?? new Set(),
  });
}

/** One row that a root field answers by other means than its key: the one there is, or one by its name. */
function rootRow(
  scene: GraphqlScene,
  field: GraphqlField,
  target: TypeEntity,
): CapabilityDraft | string {
  const { draft } = target;
  const all = argumentsOf(field);
  const made = makeArguments(
    {
      ...scene,
      entity: draft,
      field,
      kind: "read",
      keyed: new Map(),
      paged: new Set(),
      taken: [...identityNamesOf(draft)],
    },
    all,
  );
  if (typeof made === "string") return made;
  const columns = scene.columns.get(target);
  const said = saidOf(field.name, draft);
  const by = made.slots.filter(({ required }) => required).map(({ name }) => name);
  const wanted = [
    said,
    ...(by.length > 0 ? [`by_${by.join("_")}`] : []),
    draft.key.length === 0 ? "get" : "",
    field.name,
  ];
  const label = takeSceneLabel(scene, draft, wanted);
  const description = readWords(scene, label, describe(field, draft, label));
  if (description === null) return changes(field);
  for (const line of made.left) scene.say(`query ${field.name}: ${line}`);
  const text = `${field.name}${made.passed} { ${columns?.selection ?? "__typename"} }`;
  return draftOf(scene, bodyOf("query", made.declared, text, made.variables), {
    label,
    kind: "singleton",
    entity: draft,
    description,
    slots: made.slots,
    response: { items_path: keysTo(field.name), single: true },
    properties: columns?.properties ?? new Set(),
  });
}

/** A value that a root field answers: a column of the API itself. */
function rootValue(scene: GraphqlScene, field: GraphqlField): CapabilityDraft | string {
  const { root } = scene.entities;
  const made = makeArguments(
    {
      ...scene,
      entity: root,
      field,
      kind: "read",
      keyed: new Map(),
      paged: new Set(),
      taken: ["id"],
    },
    argumentsOf(field),
  );
  if (typeof made === "string") return made;
  const label = takeSceneLabel(scene, root, [wordsOf(field.name).join("_")]);
  const description = readWords(scene, label, describe(field, root, label));
  if (description === null) return changes(field);
  const shape = shapeOf(typeSchema(field.type), field.name);
  scene.rootFields.set(field.name, {
    value: scene.values.ofShape(shape, field.name, root.snake),
    description,
  });
  return draftOf(
    scene,
    bodyOf("query", made.declared, `${field.name}${made.passed}`, made.variables),
    {
      label,
      kind: "singleton",
      entity: root,
      description,
      slots: made.slots,
      response: { items_path: ["data"], single: true },
      properties: new Set([field.name]),
    },
  );
}

/** What a root field of the queries gives, or why nothing. */
export function rootRead(scene: GraphqlScene, field: GraphqlField): CapabilityDraft | string {
  const rows = rowsOf(field.type);
  if (rows === null) {
    const isValue = isLeaf(field) || shapeOf(typeSchema(field.type)).kind === "list";
    return isValue && !whyNoRows(field.type).includes("union")
      ? rootValue(scene, field)
      : whyNoRows(field.type);
  }
  const target = scene.entities.of(rows.type);
  if (target === undefined)
    return `it answers ${rows.type.name}, of which nothing can be asked without an argument`;
  if (rows.isList) return rootList(scene, field, rows, target);
  const { getter } = target;
  return getter?.field === field && getter.argument !== null
    ? rowByKey(scene, target, getter)
    : rootRow(scene, field, target);
}

/** Gets of entities that only `node` finds. */
export const nodeReads = (scene: GraphqlScene): readonly CapabilityDraft[] =>
  scene.entities.all.flatMap((target) => {
    const { getter } = target;
    if (getter === null || getter.argument !== null) return [];
    const found = rowByKey(scene, target, getter);
    return typeof found === "string" ? [] : [found];
  });

/** Lists that lead from a row of one entity to those of another. */
export interface FoundRelations {
  readonly relations: ReadonlyMap<EntityDraft, readonly RelationDraft[]>;
  readonly lists: readonly CapabilityDraft[];
}

/** Whether a query of its own finds rows of an entity. */
const isDirect = ({ getter }: TypeEntity): boolean => getter !== null && getter.argument !== null;

/** Lists of one entity behind rows of others; each is a row of its table. */
const MOST_BEHIND = 24;

/** The argument of a root list that takes a row's key, where that list is what a field leads to. */
function scopedBy(
  reads: readonly CapabilityDraft[],
  from: TypeEntity,
  { field, target }: Lead,
): { readonly capability: CapabilityDraft; readonly param: string } | null {
  const plural = singular(folded(field.name)) === singular(target.draft.snake.replaceAll("_", ""));
  if (!plural) return null;
  for (const capability of reads) {
    if (capability.entity !== target.draft || capability.kind !== "query") continue;
    const scope = capability.slots.find(({ ref }) => ref === from.draft);
    const others = capability.slots.filter((slot) => slot !== scope && slot.required);
    if (scope !== undefined && others.length === 0) return { capability, param: scope.name };
  }
  return null;
}

/** A list that is a field of another entity's row, which its key finds. */
function listBehind(
  scene: GraphqlScene,
  from: TypeEntity,
  getter: Getter,
  { field, rows, target }: Lead,
): CapabilityDraft | string {
  const { draft } = target;
  const [key] = from.draft.key;
  if (key === undefined) return "it has no key";
  const all = argumentsOf(field);
  const at = keysTo(getter.field.name, field.name);
  const paging = graphqlPaging(all, rows, at);
  const param = catalogName(from.draft.snake, "key");
  const made = makeArguments(
    {
      ...scene,
      entity: draft,
      field,
      kind: "list",
      keyed: new Map(),
      paged: paging?.used ?? new Set(),
      taken: [...ownNamesOf(draft), param],
    },
    all,
  );
  if (typeof made === "string") return made;
  const columns = scene.columns.get(target);
  const selection = listSelection(
    rows,
    columns?.selection ?? "__typename",
    paging?.selection ?? "",
  );
  const top = field.args.some(({ name }) => name === "parent") ? "of" : "parent";
  const around = ofKey(getter, from, top, `${field.name}${made.passed} { ${selection} }`);
  const noun = from.draft.snake;
  const said = saidOf(field.name, draft);
  const label = takeSceneLabel(scene, draft, [
    ...(said === "" ? [] : [`${said}_of_${noun}`]),
    `of_${noun}`,
    `${wordsOf(field.name).join("_")}_of_${noun}`,
  ]);
  const description = readWords(scene, label, describe(field, draft, label));
  if (description === null) return changes(field);
  return draftOf(
    scene,
    bodyOf("query", [...around.declared, ...made.declared], around.text, [
      keyed(around, param),
      ...made.variables,
    ]),
    {
      label,
      kind: made.slots.some(({ role }) => role === "search") ? "search" : "query",
      entity: draft,
      description,
      slots: [
        {
          name: param,
          type: { kind: "value", value: scene.values.ofEntity(from.draft) },
          required: true,
          role: "scope",
          description: "",
          ref: from.draft,
        },
        ...made.slots,
      ],
      response: graphqlListResponse(rows, at),
      pagination: paging?.pagination ?? null,
      properties: columns?.properties ?? new Set(),
      remark: paging === null ? NO_PAGES : null,
    },
  );
}

/** Relations by which rows lead to lists: by a root list that takes their key, else by a list behind their own get. */
export function findTypeRelations(
  scene: GraphqlScene,
  reads: readonly CapabilityDraft[],
  isKept: (entity: TypeEntity) => boolean,
): FoundRelations {
  const relations = new Map<EntityDraft, RelationDraft[]>();
  const lists: CapabilityDraft[] = [];
  const behind = new Map<EntityDraft, number>();
  const byRank = scene.entities.all.toSorted((a, b) => Number(isDirect(b)) - Number(isDirect(a)));
  for (const from of byRank) {
    if (!isKept(from)) continue;
    const columns = scene.columns.get(from);
    const taken = new Set(
      (columns?.fields.fields ?? []).filter(({ ref }) => ref !== null).map(({ name }) => name),
    );
    for (const lead of (columns?.leads ?? []).filter(({ target }) => isKept(target))) {
      const { draft } = lead.target;
      const scoped = scopedBy(reads, from, lead);
      const where = `${from.type.name}.${lead.field.name}`;
      let found = scoped;
      if (found === null) {
        const count = behind.get(draft) ?? 0;
        if (from.getter === null) {
          const isRow = isObjectType(from.type) && from.draft.key.length > 0;
          if (isRow)
            scene.say(`${where}: rows of ${from.draft.name} cannot be asked for by their key`);
          continue;
        }
        if (count >= MOST_BEHIND) {
          scene.say(`${where}: ${draft.name} has ${MOST_BEHIND} lists behind other rows already`);
          continue;
        }
        const made = listBehind(scene, from, from.getter, lead);
        if (typeof made === "string") {
          scene.say(`${where}: ${made}`);
          continue;
        }
        behind.set(draft, count + 1);
        lists.push(made);
        // What needs more than the row's key is asked for by its own name.
        if (made.slots.filter(({ required }) => required).length > 1) continue;
        found = { capability: made, param: made.slots[0]?.name ?? "" };
      }
      const all = relations.get(from.draft) ?? [];
      relations.set(from.draft, all);
      const name = reserveName(taken, catalogName(lead.field.name, "rows"));
      all.push({
        name,
        target: draft,
        cardinality: "many",
        materialize: {
          kind: "query_scoped",
          capability: capabilityName(found.capability),
          param: found.param,
        },
        description: clauseBeside(lead.field.description ?? undefined, name, from.draft.name),
      });
    }
  }
  return { relations, lists };
}

/** The entity whose key an argument is: what a field of this name refers to, else the one that it names. */
export function refOfArgument(
  argument: Argument,
  entity: EntityDraft,
  { columns, entities }: Pick<GraphqlScene, "columns" | "entities">,
): EntityDraft | null {
  const own = entities.all.find(({ draft }) => draft === entity);
  const name = folded(argument.path.at(-1) ?? "");
  const fields = own === undefined ? [] : (columns.get(own)?.fields.fields ?? []);
  const field = fields.find(
    (one) => one.ref !== null && (folded(one.name) === name || `${folded(one.name)}id` === name),
  );
  const readable = entities.all.filter(({ getter }) => getter !== null);
  const said = readable.find(({ draft }) => isKeyOf(argument, draft, false))?.draft ?? null;
  if (field === undefined || field.ref === null) return said;
  const isForm = isKeyOf(argument, { ...field.ref, snake: name.replace(/id$/, "") }, true);
  const isSame = folded(field.name) === name;
  // A condition that is called like a reference has its target, or is plain (CAT-076).
  return isForm ? field.ref : isSame ? null : said;
}

import { isRequiredArgument } from "graphql";
import { type CapabilityDraft, type DraftExpression } from "../catalog/capability-draft.ts";
import { type EntityDraft, identityNamesOf, ownNamesOf } from "../catalog/entity-draft.ts";
import { shapeOf } from "../document/schema-shape.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import { type Argument, argumentsOf, isKeyOf, makeArguments } from "./arguments.ts";
import type { Getter, Lead, TypeEntity } from "./graphql-entities.ts";
import { endSelection, graphqlPaging } from "./graphql-paging.ts";
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

/** How a list is asked for: its arguments but those of pages, and what is read of its rows. */
interface AskedList {
  readonly made: Exclude<ReturnType<typeof makeArguments>, string>;
  /** the field as the text of a query has it */
  readonly text: string;
  readonly draft: Pick<
    Parameters<typeof draftOf>[2],
    "kind" | "entity" | "response" | "pagination" | "properties" | "remark"
  >;
}

/** Asks for the list that a field is, which stands at these keys of the answer; a text where it cannot be. */
export function askList(
  scene: GraphqlScene,
  { field, rows, target }: Pick<Lead, "field" | "rows" | "target">,
  at: ReturnType<typeof keysTo>,
  names: readonly string[],
): AskedList | string {
  const { draft } = target;
  const all = argumentsOf(field);
  const paging = graphqlPaging(all, rows, at);
  const columns = scene.columns.get(target);
  const named = new Set((columns?.fields.fields ?? []).map(({ name }) => name));
  const made = makeArguments(
    {
      ...scene,
      entity: draft,
      field,
      kind: "list",
      keyed: new Map(),
      paged: paging?.used ?? new Set(),
      isColumn: (name) => named.has(name),
      taken: [...ownNamesOf(draft), ...names],
    },
    all,
  );
  if (typeof made === "string") return made;
  const selection = listSelection(
    rows,
    columns?.selection ?? "__typename",
    paging?.selection ?? endSelection(rows),
  );
  return {
    made,
    text: `${field.name}${made.passed} { ${selection} }`,
    draft: {
      kind: made.slots.some(({ role }) => role === "search") ? "search" : "query",
      entity: draft,
      response: graphqlListResponse(rows, at),
      pagination: paging?.pagination ?? null,
      properties: columns?.properties ?? new Set(),
      remark: (paging?.used.size ?? 0) === 0 ? NO_PAGES : null,
    },
  };
}

/** A list that a root field answers; a change that its name tells of leaves it out. */
function rootList(
  scene: GraphqlScene,
  field: GraphqlField,
  rows: FieldRows,
  target: TypeEntity,
): CapabilityDraft | string {
  const { draft } = target;
  const asked = askList(scene, { field, rows, target }, keysTo(field.name), []);
  if (typeof asked === "string") return asked;
  const { made } = asked;
  const { kind } = asked.draft;
  const isPlain = singular(folded(field.name)) === singular(draft.snake.replaceAll("_", ""));
  const said = saidOf(field.name, draft);
  const label = takeSceneLabel(scene, draft, [...(isPlain ? [kind] : []), said, kind, field.name]);
  const description = readWords(scene, field, draft, label);
  if (description === null) return changesText(field);
  for (const line of made.left) scene.say(`query ${field.name}: ${line}`);
  return draftOf(scene, bodyOf("query", made.declared, asked.text, made.variables), {
    ...asked.draft,
    label,
    description,
    slots: made.slots,
  });
}

export const changesText = ({ name }: GraphqlField): string =>
  `${name} says that it changes something, and a query only reads`;

/** A selection of one row by its key. */
interface ByKey {
  readonly declared: readonly string[];
  readonly text: string;
  /** the variable that takes the key, and the member of it where that is an object */
  readonly variable: string;
  readonly member: string | null;
}

export function ofKey(
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
export function keyVariable(
  { variable, member }: ByKey,
  name: string,
): readonly [string, DraftExpression] {
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
  return draftOf(scene, bodyOf("query", made.declared, made.text, [keyVariable(made, part.name)]), {
    label,
    kind: "get",
    entity: draft,
    description: readWords(scene, getter.field, draft, label) ?? "",
    slots: [],
    response: { items_path: keysTo(getter.field.name), single: true },
    properties: columns?.properties ?? new Set(),
  });
}

/** What a root field is asked with that finds one row by other means than its key. */
const askOne = (scene: GraphqlScene, field: GraphqlField, { draft }: TypeEntity) =>
  makeArguments(
    {
      ...scene,
      entity: draft,
      field,
      kind: "read",
      keyed: new Map(),
      paged: new Set(),
      taken: [...identityNamesOf(draft)],
    },
    argumentsOf(field),
  );

/**
 * One row that a root field answers by other means than its key: the one there is, or one by its name. Lists in it that
 * no key leads to are asked for with it; what has neither values nor lists would be an empty row.
 */
function rootRow(
  scene: GraphqlScene,
  field: GraphqlField,
  target: TypeEntity,
): readonly CapabilityDraft[] | string {
  const { draft } = target;
  const made = askOne(scene, field, target);
  if (typeof made === "string") return made;
  const columns = scene.columns.get(target);
  const lists = target.getter === null ? listsWithin(scene, field, target) : [];
  if (draft.key.length === 0) sayUnreached(scene, target);
  if (columns === undefined || columns.properties.size === 0)
    return lists.length > 0
      ? lists
      : `it answers ${target.type.name}, of which nothing can be asked without an argument`;
  const said = saidOf(field.name, draft);
  const by = made.slots.filter(({ required }) => required).map(({ name }) => name);
  const wanted = [
    said,
    ...(by.length > 0 ? [`by_${by.join("_")}`] : []),
    draft.key.length === 0 ? "get" : "",
    field.name,
  ];
  const label = takeSceneLabel(scene, draft, wanted);
  const description = readWords(scene, field, draft, label);
  if (description === null) return changesText(field);
  for (const line of made.left) scene.say(`query ${field.name}: ${line}`);
  const text = `${field.name}${made.passed} { ${columns.selection} }`;
  const row = draftOf(scene, bodyOf("query", made.declared, text, made.variables), {
    label,
    kind: "singleton",
    entity: draft,
    description,
    slots: made.slots,
    response: { items_path: keysTo(field.name), single: true },
    properties: columns.properties,
  });
  return [row, ...lists];
}

/** Says what of a row without a key is behind arguments of its own, and is no list. */
function sayUnreached(scene: GraphqlScene, target: TypeEntity): void {
  const { type, draft } = target;
  const lists = new Set((scene.columns.get(target)?.leads ?? []).map(({ field }) => field));
  const names = Object.values(type.getFields())
    .filter((one) => one.args.some(isRequiredArgument) && !lists.has(one))
    .map(({ name }) => name);
  if (names.length > 0)
    scene.say(`${draft.name}: not asked for, since they take arguments: ${names.join(", ")}`);
}

/** Lists in the one row that a root field answers, each asked for with what the row is asked for. */
function listsWithin(
  scene: GraphqlScene,
  field: GraphqlField,
  target: TypeEntity,
): readonly CapabilityDraft[] {
  return (scene.columns.get(target)?.leads ?? []).flatMap((lead) => {
    const where = `${target.type.name}.${lead.field.name}`;
    const outer = askOne(scene, field, target);
    if (typeof outer === "string") return [];
    const at = keysTo(field.name, lead.field.name);
    const names = outer.slots.map(({ name }) => name);
    const asked = askList(scene, lead, at, names);
    if (typeof asked === "string") {
      scene.say(`${where}: ${asked}`);
      return [];
    }
    const { made } = asked;
    const twice = lead.field.args.find(({ name }) => field.args.some((one) => one.name === name));
    if (twice !== undefined) {
      scene.say(`${where}: it and ${field.name} both take ${twice.name}`);
      return [];
    }
    const { draft } = lead.target;
    const words = wordsOf(lead.field.name).join("_");
    const label = takeSceneLabel(scene, draft, [`${words}_of_${wordsOf(field.name).join("_")}`]);
    const description = readWords(scene, lead.field, draft, label);
    if (description === null) {
      scene.say(`${where}: ${changesText(lead.field)}`);
      return [];
    }
    const body = bodyOf(
      "query",
      [...outer.declared, ...made.declared],
      `${field.name}${outer.passed} { ${asked.text} }`,
      [...outer.variables, ...made.variables],
    );
    const slots = [...outer.slots, ...made.slots];
    return [draftOf(scene, body, { ...asked.draft, label, description, slots })];
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
  const description = readWords(scene, field, root, label);
  if (description === null) return changesText(field);
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
export function rootRead(
  scene: GraphqlScene,
  field: GraphqlField,
): CapabilityDraft | readonly CapabilityDraft[] | string {
  // What a gateway asks the parts of a federated schema.
  if (field.name === "_entities" || field.name === "_service") return "it is for gateways";
  const rows = rowsOf(field.type);
  if (rows === null) {
    const isValue = isLeaf(field) || shapeOf(typeSchema(field.type)).kind === "list";
    return isValue ? rootValue(scene, field) : whyNoRows(field.type);
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

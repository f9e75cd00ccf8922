import { getNamedType, isEnumType, isInterfaceType, isLeafType, isUnionType } from "graphql";
import type { GraphQLSchema } from "graphql";
import type { EntityDraft, KeyPart } from "../catalog/entity-draft.ts";
import type { EntityFields, FieldDraft } from "../catalog/entity-fields.ts";
import type { ValueTable } from "../catalog/value-table.ts";
import { shapeOf } from "../document/schema-shape.ts";
import { compareText } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { folded, pascal, snake, wordsOf } from "../names/words.ts";
import { type Argument, argumentsOf } from "./arguments.ts";
import {
  bare,
  type GraphqlField,
  isFlat,
  isLeaf,
  isRowType,
  typeSchema,
  openFields,
  plainKey,
  type FieldRows,
  rowsOf,
  type GraphqlRowType,
  unionRow,
  unionPartsOf,
} from "./schema-types.ts";

/** How one row is asked for by its key. */
export interface Getter {
  readonly field: GraphqlField;
  /** the argument that takes the key; null for `node`, which takes every id */
  readonly argument: Argument | null;
}

/** What a selection has of a row: a column, and the words that ask for it. */
interface Column {
  readonly field: GraphqlField;
  readonly kind: "leaf" | "ref" | "json";
  readonly select: string;
  readonly path: readonly string[];
  readonly ref: EntityDraft | null;
}

/** An entity, the type that its rows have, and how they are read. */
export interface TypeEntity {
  readonly draft: EntityDraft;
  readonly type: GraphqlRowType;
  readonly getter: Getter | null;
  /** whether a root field answers one row of it, whichever that is */
  readonly isAlone: boolean;
}

/** Rows of other entities that a row leads to. */
export interface Lead {
  readonly field: GraphqlField;
  readonly rows: FieldRows;
  readonly target: TypeEntity;
}

/** All entities of a schema. */
export interface TypeEntities {
  readonly all: readonly TypeEntity[];
  readonly of: (type: GraphqlRowType) => TypeEntity | undefined;
  /** values of the API itself, which are no row of anything; null until it is asked for */
  readonly root: EntityDraft;
}

const keyPart = (field: GraphqlField): KeyPart => ({
  name: catalogName(field.name, "key"),
  property: field.name,
  schema: typeSchema(field.type),
  ref: null,
});

const FINDS = new Set("by with for of get find fetch one lookup the a single".split(" "));

/** Whether a field may find its row by a value beside the row's id: `userByLogin`, and neither a newest nor a state. */
function tellsApart({ name }: GraphqlField, type: GraphqlRowType, value: GraphqlField): boolean {
  const valueType = getNamedType(value.type);
  if (isEnumType(valueType) || /^(?:boolean|float)$/i.test(valueType.name)) return false;
  const own = new Set([...wordsOf(type.name), ...wordsOf(value.name)]);
  return wordsOf(name).every((word) => own.has(word) || FINDS.has(word));
}

/** The only value that a field needs, or takes as a key, if rows of its type have a field of that name. */
function keyArgument(
  field: GraphqlField,
  type: GraphqlRowType,
): { argument: Argument; key: GraphqlField } | null {
  const all = argumentsOf(field);
  const required = all.filter((one) => one.required);
  const leaves = openFields(type).filter(isLeaf);
  const usual = plainKey(type);
  const noun = wordsOf(type.name).join("");
  const candidates = required.length > 0 ? required : all;
  if (required.length > 1) return null;
  for (const argument of candidates) {
    const bareType = getNamedType(argument.type);
    if (!isLeafType(bareType) || String(argument.type).startsWith("[")) continue;
    const name = folded(argument.path.at(-1) ?? "");
    const isId = bareType.name === "ID";
    const found =
      leaves.find((leaf) => folded(leaf.name) === name || `${noun}${folded(leaf.name)}` === name) ??
      (isId && required.length === 1 && (name === noun || name.endsWith("id")) ? usual : null);
    if (found === null || found === undefined) continue;
    // Without a need for it, only what is the usual key is taken for one: all else may be a filter.
    if (required.length === 0 && found !== usual) continue;
    // `latestOrder(status)` finds one of many by what tells none of them apart.
    if (found !== usual && usual !== null && !tellsApart(field, type, found)) continue;
    return { argument, key: found };
  }
  return null;
}

const ROOTS = (schema: GraphQLSchema): ReadonlySet<unknown> =>
  new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);

/** The root field that takes the id of any row (`node`). */
function nodeField(schema: GraphQLSchema): GraphqlField | null {
  const field = schema.getQueryType()?.getFields()["node"];
  const type = field === undefined ? null : bare(field.type);
  const fits = field?.args.some(({ name }) => name === "id") === true;
  return field !== undefined && fits && isInterfaceType(type) && type.name === "Node"
    ? field
    : null;
}

/** Finds the types whose rows can be told apart, or that a root field answers. */
export function findTypeEntities(
  schema: GraphQLSchema,
  fields: readonly GraphqlField[],
): TypeEntities {
  const roots = ROOTS(schema);
  const node = nodeField(schema);
  const getters = new Map<
    GraphqlRowType,
    { field: GraphqlField; argument: Argument; key: GraphqlField }
  >();
  const answered = new Set<GraphqlRowType>();
  const alone = new Set<GraphqlRowType>();
  for (const field of fields) {
    const rows = rowsOf(field.type);
    if (rows === null) continue;
    answered.add(rows.type);
    if (rows.isList || field === node) continue;
    alone.add(rows.type);
    const found = keyArgument(field, rows.type);
    if (found === null) continue;
    const before = getters.get(rows.type);
    const usual = plainKey(rows.type);
    if (before === undefined || (before.key !== usual && found.key === usual))
      getters.set(rows.type, { field, ...found });
  }
  const names = new Set<string>();
  const byType = new Map<GraphqlRowType, TypeEntity>();
  const types = Object.values(schema.getTypeMap())
    .flatMap((type): readonly GraphqlRowType[] => {
      if (!isUnionType(type)) return isRowType(type) ? [type] : [];
      // Its rows are made of several types: only what a query answers is one.
      const row = unionRow(type);
      return answered.has(row) ? [row] : [];
    })
    .filter((type) => !roots.has(type) && !type.name.startsWith("__") && type.name !== "Node")
    .toSorted((a, b) => compareText(a.name, b.name));
  for (const type of types) {
    const getter = getters.get(type);
    const isNode =
      node !== null &&
      "getInterfaces" in type &&
      type.getInterfaces().some(({ name }) => name === "Node");
    const usual = plainKey(type);
    // An id that `node` takes is a row's key, whatever else finds it.
    const byNode = isNode && usual?.name === "id" && getter?.key !== usual;
    const key = byNode ? usual : (getter?.key ?? usual);
    if (key === null && !answered.has(type)) continue;
    if (openFields(type).length === 0) continue;
    const name = catalogName(
      /^[A-Z]/.test(type.name) ? type.name : pascal(wordsOf(type.name)),
      "Thing",
    );
    const own = reserveName(names, name);
    byType.set(type, {
      type,
      draft: {
        name: own,
        snake: snake(wordsOf(own)),
        key: key === null ? [] : [keyPart(key)],
        home: null,
        implicit: false,
        description: clauseBeside(type.description ?? undefined, own),
        families: new Set(),
        records: [],
      },
      getter: byNode
        ? { field: node, argument: null }
        : getter === undefined
          ? null
          : { field: getter.field, argument: getter.argument },
      isAlone: alone.has(type),
    });
  }
  const root: EntityDraft = {
    name: reserveName(names, names.has("Api") ? "ApiRoot" : "Api"),
    snake: "api",
    key: [],
    home: null,
    implicit: true,
    description: "the API itself: values and calls that are about no row",
    families: new Set(),
    records: [],
  };
  return { all: [...byType.values()], of: (type) => byType.get(type), root };
}

const MOST_COLUMNS = 120;
const MOST_WITHIN = 40;
const DEEPEST = 2;

/** What is asked for of an object that is no row: its values, and those of objects in it. */
function within(type: GraphqlRowType, entities: TypeEntities, depth: number): string {
  const fields = openFields(type);
  const leaves = fields.filter(isFlat);
  const objects =
    depth >= DEEPEST ? [] : fields.flatMap((field) => objectWithin(field, entities, depth) ?? []);
  return [...leaves.map(({ name }) => name), ...objects].slice(0, MOST_WITHIN).join(" ");
}

/** What is asked for of an object in an object, or of a list of such that nothing cuts. */
function objectWithin(field: GraphqlField, entities: TypeEntities, depth: number): string | null {
  const plain = bare(field.type);
  const rows = rowsOf(plain);
  if (rows === null || rows.envelope !== null) return null;
  if (isUnionType(getNamedType(plain)) && (!rows.isList || field.args.length === 0))
    return `${field.name} { ${unionWithin(field)} }`;
  // A list that can be cut would be cut without a word.
  if (rows.isList && field.args.length > 0) return null;
  const target = entities.of(rows.type);
  const key = target?.draft.key[0]?.property;
  const isFound = target !== undefined && target.getter !== null && typeof key === "string";
  const select = isFound ? key : within(rows.type, entities, depth + 1);
  return select === "" ? null : `${field.name} { ${select} }`;
}

/** The keys of what a union holds; its name alone where keys have several forms. */
function unionWithin(field: GraphqlField): string {
  const union = getNamedType(field.type);
  if (!isUnionType(union)) return "__typename";
  const keys = union.getTypes().flatMap((type) => {
    const key = plainKey(type);
    return key === null ? [] : [{ type, key }];
  });
  const forms = new Set(keys.map(({ key }) => `${key.name} ${String(key.type)}`));
  const [form] = forms;
  if (form === undefined || forms.size > 1) return "__typename";
  return ["__typename", ...keys.map(({ type, key }) => `... on ${type.name} { ${key.name} }`)].join(
    " ",
  );
}

/** Whether a list of rows is asked for by itself: by its owner's key, or with the one owner that there is. */
const isReached = ({ getter, isAlone }: TypeEntity): boolean => getter !== null || isAlone;

function columnOf(field: GraphqlField, owner: TypeEntity, entities: TypeEntities): Column | null {
  const base = { field, path: [field.name], ref: null };
  if (isFlat(field)) return { ...base, kind: "leaf", select: field.name };
  const plain = bare(field.type);
  const rows = rowsOf(plain);
  if (rows === null || rows.envelope !== null) return null;
  if (isUnionType(getNamedType(plain)) && (!rows.isList || field.args.length === 0))
    return { ...base, kind: "json", select: `${field.name} { ${unionWithin(field)} }` };
  const target = entities.of(rows.type);
  if (rows.isList) {
    const isEntity = target !== undefined && target.draft.key.length > 0;
    if (isEntity && isReached(owner)) return null;
    // A list that can be cut would be cut without a word.
    if (field.args.length > 0) return null;
    const select = within(rows.type, entities, 1);
    return select === "" ? null : { ...base, kind: "json", select: `${field.name} { ${select} }` };
  }
  const key = target?.draft.key[0]?.property;
  if (target !== undefined && target.getter !== null && typeof key === "string") {
    const select = `${field.name} { ${key} }`;
    return { field, kind: "ref", select, path: [field.name, key], ref: target.draft };
  }
  const select = within(rows.type, entities, 0);
  return select === "" ? null : { ...base, kind: "json", select: `${field.name} { ${select} }` };
}

/** What is read of a row: the columns of its entity, and what lies behind it. */
export interface TypeColumns {
  readonly fields: EntityFields;
  readonly selection: string;
  readonly properties: ReadonlySet<string>;
  readonly leads: readonly Lead[];
  /** what the table has no room for */
  readonly left: readonly string[];
}

/** The columns of an entity's rows: their key, values, references, and objects that are no rows as JSON. */
export function typeColumns(
  owner: TypeEntity,
  entities: TypeEntities,
  values: ValueTable,
): TypeColumns {
  const { draft, type } = owner;
  const open = openFields(type);
  const keyName = draft.key[0]?.property ?? null;
  const found = open.flatMap((field) => columnOf(field, owner, entities) ?? []);
  const rank = ({ field, kind }: Column): number =>
    field.name === keyName ? 0 : { leaf: 1, ref: 2, json: 3 }[kind];
  const ranked = found.toSorted((a, b) => rank(a) - rank(b));
  const columns = ranked.slice(0, MOST_COLUMNS);
  const taken = new Set<string>();
  const fields = columns.map((column): FieldDraft => {
    const { field, kind, path, ref } = column;
    const isKey = field.name === keyName;
    const name = reserveName(
      taken,
      isKey ? (draft.key[0]?.name ?? field.name) : catalogName(field.name, "field"),
    );
    const shape =
      kind === "leaf" ? shapeOf(typeSchema(field.type), field.name) : ({ kind: "free" } as const);
    return {
      name,
      value: ref === null ? values.ofShape(shape, field.name, draft.snake) : values.ofEntity(ref),
      path: path.length === 1 && path[0] === name ? null : path,
      required: isKey || String(field.type).endsWith("!"),
      description: clauseBeside(field.description ?? undefined, name, draft.name),
      remark: null,
      property: field.name,
      ref,
    };
  });
  const ofUnion = unionPartsOf(type);
  const typeName = isInterfaceType(type) || ofUnion !== undefined;
  if (typeName)
    fields.push({
      name: reserveName(taken, "type"),
      value: values.ofShape({ kind: "scalar", type: "text" }, "type", draft.snake),
      path: ["__typename"],
      required: true,
      description: "what it is",
      remark: null,
      property: "__typename",
      ref: null,
    });
  const chosen = [...columns.map(({ select }) => select), ...(typeName ? ["__typename"] : [])];
  const lists = Object.values(type.getFields()).filter(
    ({ deprecationReason }) => typeof deprecationReason !== "string",
  );
  const shown = new Set(columns.map(({ field }) => field));
  const leads = lists.flatMap((field): readonly Lead[] => {
    if (shown.has(field)) return [];
    const rows = rowsOf(field.type);
    const target = rows?.isList === true ? entities.of(rows.type) : undefined;
    return rows === null || target === undefined || target.draft.key.length === 0
      ? []
      : [{ field, rows, target }];
  });
  return {
    fields: { fields, held: [] },
    selection: ofUnion?.selection ?? (chosen.length === 0 ? "__typename" : chosen.join(" ")),
    properties: new Set([
      ...columns.map(({ field }) => field.name),
      ...(typeName ? ["__typename"] : []),
    ]),
    leads,
    left: [...ranked.slice(MOST_COLUMNS).map(({ field }) => field.name), ...(ofUnion?.left ?? [])],
  };
}

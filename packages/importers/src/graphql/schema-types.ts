import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedInputType,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from "graphql";
import type { DocumentObject } from "../json.ts";
import { folded, wordsOf } from "../names/words.ts";
import { singular } from "../names/singular.ts";

export type GraphqlField = GraphQLField<unknown, unknown>;
/** A type whose rows have fields of their own. */
export type GraphqlRowType = GraphQLObjectType | GraphQLInterfaceType;

/** Scalars by what their names say; `text` is what all others are. */
const SCALARS: readonly (readonly [RegExp, DocumentObject])[] = [
  [
    /^(?:int|long|bigint|int\d+|short|smallint|byte|(?:unsigned|positive|nonnegative)(?:(?:big)?int\d*|long))$/,
    { type: "integer" },
  ],
  [
    /^(?:(?:big)?float\d*|double|number|numeric|(?:unsigned|positive|nonnegative)?(?:big)?decimal|(?:unsigned|positive|nonnegative)float)$/,
    { type: "number" },
  ],
  [/^boolean$/, { type: "boolean" }],
  [/^(?:uuid|guid)$/, { type: "string", format: "uuid" }],
  [/^(?:iso8601)?(?:localdate|date|day)$/, { type: "string", format: "date" }],
  [
    /^(?:.*datetime(?:tz|iso|utc)?|instant|timestamptz|offsetdatetime|datetimeoffset)$/,
    { type: "string", format: "date-time" },
  ],
  [/^(?:json.*|.*json|object|map|any|.*object|generic(?:scalar)?)$/, {}],
];

const known = new WeakMap<GraphQLNamedInputType, DocumentObject>();

/** What a type takes or answers, as a schema of JSON; input types may lead back to themselves. */
export function typeSchema(type: GraphQLInputType | GraphQLOutputType): DocumentObject {
  if (isNonNullType(type)) return typeSchema(type.ofType as GraphQLInputType);
  if (isListType(type))
    return { type: "array", items: typeSchema(type.ofType as GraphQLInputType) };
  if (isEnumType(type)) return { type: "string", enum: type.getValues().map(({ name }) => name) };
  if (isLeafType(type)) {
    const name = folded(type.name);
    return SCALARS.find(([words]) => words.test(name))?.[1] ?? { type: "string" };
  }
  if (!isInputObjectType(type)) return {};
  const before = known.get(type);
  if (before !== undefined) return before;
  const properties: Record<string, DocumentObject> = {};
  const required: string[] = [];
  const schema = { type: "object", properties, required };
  known.set(type, schema);
  for (const field of Object.values(type.getFields())) {
    const inner = typeSchema(field.type);
    const described = typeof field.description === "string" && inner["properties"] === undefined;
    properties[field.name] = described ? { ...inner, description: field.description } : inner;
    if (isNonNullType(field.type) && field.defaultValue === undefined) required.push(field.name);
  }
  return schema;
}

export const bare = (type: GraphQLOutputType): GraphQLOutputType =>
  isNonNullType(type) ? type.ofType : type;

export const isRowType = (type: unknown): type is GraphqlRowType =>
  isObjectType(type) || isInterfaceType(type);

/** Fields that can be selected without a value for anything. */
export const openFields = (type: GraphqlRowType): readonly GraphqlField[] =>
  Object.values(type.getFields()).filter(
    ({ args, deprecationReason }) =>
      !args.some(isRequiredArgument) && typeof deprecationReason !== "string",
  );

/** One value of a scalar or enumeration. */
export const isLeaf = ({ type }: Pick<GraphqlField, "type">): boolean => isLeafType(bare(type));

/** The rows that a field answers. */
export interface FieldRows {
  readonly type: GraphqlRowType;
  readonly isList: boolean;
  /** the names of fields that lead to them, from the field itself on */
  readonly path: readonly string[];
  /** the field of each element that is the row */
  readonly inner: string | null;
  /** the object around a list */
  readonly envelope: GraphqlRowType | null;
}

const ENVELOPES = /(?:connection|page|paginated|paginator|list|results?|collection|response|set)$/i;
/** Fields of an object that tell how the list in it goes on. */
const GOES_ON =
  /^(?:pageinfo|paging|pagination|paginatorinfo|meta|metadata|info|total|totalcount|hasmore|hasnextpage|next(?:page)?token|nextcursor|cursor)$/;
const LISTS = new Set(
  "items nodes results data records rows entries list values objects elements edges content".split(
    " ",
  ),
);

/** Columns of rows of several types; what most types have comes first. */
const MOST_OF_UNION = 40;

interface UnionColumn {
  readonly name: string;
  readonly field: GraphqlField;
  readonly types: GraphQLObjectType[];
}

/** Values of the types of a union: those that are alike under one name, others under one with their type. */
function unionColumns(union: GraphQLUnionType): readonly UnionColumn[] {
  const all = union.getTypes();
  const alike = new Map<string, UnionColumn>();
  for (const type of all)
    for (const field of openFields(type).filter(isFlat)) {
      const key = `${field.name} ${String(field.type)}`;
      const before = alike.get(key) ?? { name: field.name, field, types: [] };
      alike.set(key, before);
      before.types.push(type);
    }
  const taken = new Set<string>();
  const isKey = ({ name }: UnionColumn): boolean => /^(?:uu)?id$/i.test(name);
  return [...alike.values()]
    .toSorted((a, b) => b.types.length - a.types.length)
    .flatMap((one) => {
      // A key that some rows have not is no key.
      const isOwn = !taken.has(one.name) && (!isKey(one) || one.types.length === all.length);
      taken.add(one.name);
      return isOwn
        ? [one]
        : one.types.map((type) => ({ ...one, name: `${type.name}_${one.name}`, types: [type] }));
    });
}

const unionRows = new WeakMap<GraphQLUnionType, GraphQLObjectType>();

/** What is asked for of a row of a union, and which values it has no room for. */
interface UnionRow {
  readonly selection: string;
  readonly left: readonly string[];
}

const unionParts = new WeakMap<GraphqlRowType, UnionRow>();

/** How rows of a union are asked for; undefined of any other. */
export const unionPartsOf = (type: GraphqlRowType): UnionRow | undefined => unionParts.get(type);

/** Rows of a union as rows of one type, whose fields are values of the union's types. */
export function unionRow(union: GraphQLUnionType): GraphQLObjectType {
  const before = unionRows.get(union);
  if (before !== undefined) return before;
  const all = unionColumns(union);
  const columns = all.slice(0, MOST_OF_UNION);
  const fields = columns.map(({ name, field, types }) => {
    const isEvery = types.length === union.getTypes().length;
    const type = isEvery ? field.type : bare(field.type);
    // What one type says of a value need not hold for others.
    const said = new Set(types.map((one) => one.getFields()[field.name]?.description ?? null));
    const [description = null] = said.size === 1 ? said : [];
    return [name, { type, description }] as const;
  });
  const row = new GraphQLObjectType({
    name: union.name,
    description: union.description ?? null,
    fields: Object.fromEntries(fields),
  });
  const fragments = union.getTypes().flatMap((type) => {
    const own = columns.filter(({ types }) => types.includes(type));
    const selected = own.map(({ name, field }) =>
      name === field.name ? name : `${name}: ${field.name}`,
    );
    return own.length === 0 ? [] : [`... on ${type.name} { ${selected.join(" ")} }`];
  });
  unionRows.set(union, row);
  unionParts.set(row, {
    selection: ["__typename", ...fragments].join(" "),
    left: all.slice(MOST_OF_UNION).map(({ name }) => name),
  });
  return row;
}

/** A type as one of rows; null of a value. */
const asRow = (type: unknown): GraphqlRowType | null =>
  isUnionType(type) ? unionRow(type) : isRowType(type) ? type : null;

/** A value, or a list of values. */
export function isFlat({ type }: Pick<GraphqlField, "type">): boolean {
  const plain = bare(type);
  const element = isListType(plain) ? bare(plain.ofType) : plain;
  return isLeafType(element);
}

const elementOf = (type: GraphQLOutputType): GraphQLOutputType | null => {
  const list = bare(type);
  return isListType(list) ? bare(list.ofType) : null;
};

/** The list in an object that is only there to hold it; null where it is something of its own. */
function enveloped(type: GraphqlRowType): Omit<FieldRows, "isList" | "envelope"> | null {
  const fields = openFields(type);
  const nodes = fields.find(({ name }) => name === "nodes");
  const nodeType = asRow(nodes === undefined ? null : elementOf(nodes.type));
  if (nodeType !== null) return { type: nodeType, path: ["nodes"], inner: null };
  const edges = fields.find(({ name }) => name === "edges");
  const edge = edges === undefined ? null : elementOf(edges.type);
  if (isRowType(edge)) {
    const node = openFields(edge).find(({ name }) => name === "node");
    const row = asRow(node === undefined ? null : bare(node.type));
    if (row !== null) return { type: row, path: ["edges"], inner: "node" };
  }
  const lists = fields.flatMap((field) => {
    const element = elementOf(field.type);
    return isRowType(element) ? [{ field, element }] : [];
  });
  const [only, second] = lists;
  if (only === undefined || second !== undefined || plainKey(type) !== null) return null;
  const { field, element } = only;
  const isNamed =
    LISTS.has(field.name.toLowerCase()) || singular(folded(field.name)) === folded(element.name);
  const isWrapper =
    ENVELOPES.test(type.name) || fields.some(({ name }) => GOES_ON.test(folded(name)));
  return isNamed && isWrapper ? { type: element, path: [field.name], inner: null } : null;
}

/** The rows of a type; null where it has none: values, lists of lists. */
export function rowsOf(type: GraphQLOutputType): FieldRows | null {
  const plain = bare(type);
  const element = elementOf(plain);
  const alone = { path: [], inner: null, envelope: null };
  if (element !== null) {
    const row = asRow(element);
    return row === null ? null : { type: row, isList: true, ...alone };
  }
  const row = asRow(plain);
  if (row === null) return null;
  const within = enveloped(row);
  return within === null
    ? { type: row, isList: false, ...alone }
    : { ...within, isList: true, envelope: row };
}

/** Why a field has no rows that a table can hold. */
export const whyNoRows = (type: GraphQLOutputType): string =>
  `it answers ${String(type)}, which is no row`;

/** The field that usually tells rows of a type apart: its id, else the only field of type ID. */
export function plainKey(type: GraphqlRowType): GraphqlField | null {
  const leaves = openFields(type).filter(isLeaf);
  const name = wordsOf(type.name).join("");
  for (const wanted of ["id", "uuid", `${name}id`]) {
    const found = leaves.find((field) => folded(field.name) === wanted);
    if (found !== undefined) return found;
  }
  const ids = leaves.filter(
    (field) => getNamedType(field.type).name === "ID" && isNonNullType(field.type),
  );
  const [only, second] = ids;
  return only !== undefined && second === undefined ? only : null;
}

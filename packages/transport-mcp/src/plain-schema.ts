/** An object of JSON, or of a schema: anything else is an empty one. */
export type Tree = Readonly<Record<string, unknown>>;

export const tree = (value: unknown): Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Tree) : {};

/** Schemas are followed so deep: what is below is JSON, and a schema that holds itself ends. */
const MOST_DEPTH = 8;

const isNull = (schema: unknown): boolean => {
  const { type, const: only } = tree(schema);
  return type === "null" || only === null;
};

/** What a reference within the schema leads to; null where it leads nowhere here. */
function referred(root: unknown, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#/")) return null;
  const keys = reference
    .slice(2)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  let at: unknown = root;
  for (const key of keys) {
    if (!Object.hasOwn(tree(at), key)) return null;
    at = tree(at)[key];
  }
  return at;
}

/** The same without the option to be null, which says only that it may be missing. */
function withoutNull(schema: Tree): Tree {
  const { type, anyOf, oneOf, enum: options, ...rest } = schema;
  const types = Array.isArray(type) ? type.filter((one) => one !== "null") : null;
  const forms = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : null;
  const [form, other] = (forms ?? []).filter((one) => !isNull(one));
  if (form !== undefined && other === undefined)
    return { ...rest, ...tree(form), ...described(rest) };
  const given = Array.isArray(options) ? options.filter((one) => one !== null) : options;
  return {
    ...schema,
    ...(types === null ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(given === undefined ? {} : { enum: given }),
  };
}

/** What is said beside a form is of this very place. */
const described = ({ description }: Tree): Tree =>
  description === undefined ? {} : { description };

/** What schemas may come to when their references are followed: what a server names twice in each of thirty levels is no schema. */
const MOST_PARTS = 5_000;

/** A schema that is being read: all of it, and how many parts may still be made of it. */
interface Reading {
  readonly root: unknown;
  left: number;
}

function read(schema: unknown, reading: Reading, depth: number): Tree {
  if (depth > MOST_DEPTH || reading.left <= 0) return {};
  reading.left -= 1;
  const { $ref: reference, ...beside } = tree(schema);
  if (reference !== undefined) {
    const named = read(referred(reading.root, reference), reading, depth + 1);
    return { ...named, ...described(beside) };
  }
  const plain = withoutNull(beside);
  if (plain["$ref"] !== undefined) return read(plain, reading, depth + 1);
  const { properties, items } = plain;
  const members = Object.entries(tree(properties)).map(
    ([name, member]) => [name, read(member, reading, depth + 1)] as const,
  );
  return {
    ...plain,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(items === undefined ? {} : { items: read(items, reading, depth + 1) }),
  };
}

/** A schema as tools of any language have it, with its own references followed and null left out of what a value may be. */
export const plainSchema = (schema: unknown): Tree =>
  read(schema, { root: schema, left: MOST_PARTS }, 0);

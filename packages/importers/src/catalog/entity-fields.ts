import {
  itemShape,
  type RecordShape,
  type SchemaShape,
  shapeOf,
} from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { wordsOf } from "../names/words.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { heldKey } from "./entity-keys.ts";
import type { Entities } from "./find-entities.ts";
import { namedEntity } from "./named-entity.ts";
import { onlyKind } from "./sent-values.ts";
import type { ValueTable } from "./value-table.ts";

/** A field as the file has it. */
export interface FieldDraft {
  readonly name: string;
  readonly value: string;
  readonly path: readonly string[] | null;
  readonly required: boolean;
  /** it is rarely read: tables leave it out */
  readonly detail?: true;
  readonly description: string;
  /** what a person has to decide */
  readonly remark: string | null;
  /** the property of a row that it is; null for a part of the key that rows do not say */
  readonly property: string | null;
  /** the entity that it refers to */
  readonly ref: EntityDraft | null;
}

/** Rows of another entity that stand in a row. */
export interface HeldRows {
  readonly name: string;
  readonly target: EntityDraft;
  readonly property: string;
  readonly description: string;
}

export interface EntityFields {
  readonly fields: readonly FieldDraft[];
  readonly held: readonly HeldRows[];
}

interface Scene {
  readonly entity: EntityDraft;
  readonly entities: Entities;
  readonly values: ValueTable;
  readonly taken: Set<string>;
}

const describe = (schema: DocumentObject, name: string, entity: EntityDraft): string =>
  clauseBeside(textOf(memberOf(schema, "description")), name, entity.name);

/** Properties of all forms of a row; the fullest form wins. */
function propertiesOf(entity: EntityDraft): ReadonlyMap<string, DocumentObject> {
  const all = new Map<string, DocumentObject>();
  for (const record of entity.records) {
    for (const [name, schema] of record.properties) if (!all.has(name)) all.set(name, schema);
  }
  return new Map([...all].filter(([, schema]) => memberOf(schema, "writeOnly") !== true));
}

const alwaysThere = ({ records }: EntityDraft, property: string): boolean =>
  records.every((record: RecordShape) => record.required.has(property));

/** A description beside a name, and beside the entity whose key it is: nothing where it says that alone. */
export const describeSlot = (
  text: string | undefined,
  ref: EntityDraft | null,
  ...names: readonly string[]
): string =>
  clauseBeside(text, ...names, ...(ref === null ? [] : [ref.name, "id identifier unique"]));

/** What a text or number that is somebody else's key refers to, besides its name in `values`. */
export function slotValue(
  { entities, values }: Pick<Scene, "entities" | "values">,
  schema: DocumentObject,
  property: string,
  owner: string,
): { readonly value: string; readonly ref: EntityDraft | null } {
  const shape = shapeOf(schema, property);
  const ref = shape.kind === "scalar" ? namedEntity(entities, property, schema) : undefined;
  if (ref !== undefined) return { value: values.ofEntity(ref), ref };
  return { value: values.ofShape(shape, property, owner), ref: null };
}

/** Where a row says a part of its key: the keys that lead there, or why that is for a person to say. */
function placeOf(
  { entity, entities }: Scene,
  part: KeyPart,
  properties: ReadonlyMap<string, DocumentObject>,
): {
  readonly property: string | null;
  readonly path: readonly string[] | null;
  readonly remark: string | null;
} {
  const { name, property } = part;
  const schema = property === null ? undefined : properties.get(property);
  if (property !== null && schema !== undefined) {
    const { kind } = shapeOf(schema, property);
    const within = kind === "record" ? entities.ofSchema(schema) : undefined;
    const inner = within !== undefined && within === part.ref ? within.key[0]?.property : undefined;
    const plain = kind === "scalar" || kind === "options";
    if (plain) return { property, path: property === name ? null : [property], remark: null };
    if (typeof inner === "string") return { property, path: [property, inner], remark: null };
  }
  const held = property === null ? heldIn(entity, name) : null;
  if (held !== null && part === entity.key.at(-1))
    return { property: null, path: held, remark: null };
  // A path of its own keeps another property of that name from being taken for the key.
  const path = properties.has(name) ? [`{${name}}`] : null;
  if (path !== null) {
    const remark = `In rows, ${name} is something else: set the path of this part of the key, if they say it.`;
    return { property: null, path, remark };
  }
  const own = part === entity.key.at(-1) && !entity.implicit;
  if (!own) return { property: null, path, remark: null };
  const remark =
    "No property of a row is certainly this: set its path, or rows of lists have no key.";
  return { property: null, path: [name], remark };
}

/** Where each form of an entity's rows has its key in an object about the row; null if not all have it there. */
function heldIn({ records }: EntityDraft, name: string): readonly string[] | null {
  const [first, ...others] = records.map((record) => heldKey(record, name));
  const path = first ?? null;
  return path !== null && others.every((one) => one?.join() === path.join()) ? path : null;
}

/** The row of another entity whose key a row has as its own, as its document says: `the file's key` in the files of a folder. */
function otherRow(
  { entity, entities }: Scene,
  { property }: KeyPart,
  schema: DocumentObject | undefined,
): EntityDraft | null {
  const isOwn = property === null || schema === undefined || wordsOf(property).at(-1) === "id";
  const other = isOwn ? undefined : namedEntity(entities, property, schema);
  return other === undefined || other === entity ? null : other;
}

/** A part of the key: a property of the row, or what its address says. */
function keyField(
  scene: Scene,
  part: KeyPart,
  properties: ReadonlyMap<string, DocumentObject>,
): FieldDraft {
  const { entity, values } = scene;
  const { property, path, remark } = placeOf(scene, part, properties);
  const schema = property === null ? undefined : properties.get(property);
  const shape = shapeOf(schema ?? part.schema, part.name);
  const plain: SchemaShape =
    shape.kind === "scalar" || shape.kind === "options" ? shape : { kind: "scalar", type: "text" };
  const other = part.ref ?? otherRow(scene, part, schema);
  const ref = other?.key.length === 1 ? other : null;
  return {
    name: part.name,
    value: ref === null ? values.ofShape(plain, part.name, entity.snake) : values.ofEntity(ref),
    path,
    required: true,
    description: schema === undefined ? "" : describe(schema, part.name, entity),
    remark,
    property,
    ref,
  };
}

function plainField(scene: Scene, property: string, schema: DocumentObject): FieldDraft {
  const { entity, entities, taken } = scene;
  const plain = catalogName(property, "field");
  // A field called id would be a key, and what stands in others has none (CAT-040).
  const isOwnId = plain === "id" && entity.heldBy !== undefined;
  const name = reserveName(taken, isOwnId ? `${entity.snake}_id` : plain);
  const shape = shapeOf(schema, property);
  const within = shape.kind === "record" ? entities.ofSchema(schema) : undefined;
  const inner = within?.key[0]?.property ?? null;
  const found =
    within === undefined
      ? slotValue(scene, schema, property, entity.snake)
      : { value: scene.values.ofEntity(within), ref: within };
  const path = inner === null ? [property] : [property, inner];
  return {
    name,
    ...found,
    path: path.length === 1 && property === name ? null : path,
    required: alwaysThere(entity, property),
    description: withMembers(
      describeSlot(textOf(memberOf(schema, "description")), found.ref, property, entity.name),
      found.ref === null ? shape : null,
    ),
    remark: null,
    property,
  };
}

/** How many members of an object are named, and the most that a description takes with them. */
const MOST_MEMBERS = 5;
const MOST_SAID = 80;

/** What is said of a field, and, of JSON of known members, the first of them: a path into it needs their names. */
function withMembers(said: string, shape: SchemaShape | null): string {
  const [items] = shape?.kind === "list" ? [itemShape(shape)] : [shape];
  if (items?.kind !== "record" || items.properties.size === 0) return said;
  const names = [...items.properties.keys()];
  const first = names.slice(0, MOST_MEMBERS);
  const named = `{${first.join(", ")}${names.length > first.length ? ", …" : ""}}`;
  const all = said === "" ? named : `${said}: ${named}`;
  return all.length > MOST_SAID && said !== "" ? said : all;
}

/** What a resource of JSON:API holds: its own values, and the resources that it refers to. */
const ATTRIBUTES = "attributes";
const RELATIONSHIPS = "relationships";

/** The members of an object that a property is; none where it is no object of known members. */
const membersOf = (schema: DocumentObject | undefined): ReadonlyMap<string, DocumentObject> => {
  const shape = schema === undefined ? null : shapeOf(schema);
  return shape?.kind === "record" ? shape.properties : new Map();
};

/** Whether rows are resources of JSON:API: a type and an id beside the object that has their values. */
const isResource = (properties: ReadonlyMap<string, DocumentObject>): boolean =>
  ["id", "type"].every((name) => properties.has(name)) &&
  membersOf(properties.get(ATTRIBUTES)).size > 0;

/** The values of a resource as fields of its row, and the resources that it refers to one by one. */
function resourceFields(
  scene: Scene,
  properties: ReadonlyMap<string, DocumentObject>,
): readonly FieldDraft[] {
  const within = (field: FieldDraft, property: string, path: readonly string[]): FieldDraft => ({
    ...field,
    property,
    path,
    required: false,
  });
  const own = [...membersOf(properties.get(ATTRIBUTES))].map(([name, schema]) =>
    within(plainField(scene, name, schema), ATTRIBUTES, [ATTRIBUTES, name]),
  );
  const others = [...membersOf(properties.get(RELATIONSHIPS))].flatMap(([name, schema]) => {
    const id = membersOf(membersOf(schema).get("data")).get("id");
    if (id === undefined) return [];
    const ref = scene.entities.called(wordsOf(name), id) ?? null;
    const field = plainField(scene, name, id);
    const value = ref === null ? field.value : scene.values.ofEntity(ref);
    const description = describe(schema, name, scene.entity);
    const path = [RELATIONSHIPS, name, "data", "id"];
    return [within({ ...field, value, ref, description }, RELATIONSHIPS, path)];
  });
  return [...own, ...others];
}

/** Whether all rows have the same text in a property which says of what kind they are. */
function saysKindAlone({ records }: EntityDraft, property: string): boolean {
  const kinds = new Set(
    records.flatMap(({ properties }) => {
      const schema = properties.get(property);
      return schema === undefined ? [] : [onlyKind(schema, property)];
    }),
  );
  return kinds.size === 1 && !kinds.has(undefined);
}

/**
 * The fields of an entity, its key first, and the rows of others that its rows hold. What is the same of all rows, since it
 * only says of what kind they are, is none, unless parameters are called so (`asked`).
 */
export function entityFields(
  entity: EntityDraft,
  entities: Entities,
  values: ValueTable,
  asked: ReadonlySet<string> = new Set(),
): EntityFields {
  const scene: Scene = {
    entity,
    entities,
    values,
    taken: new Set(entity.key.map(({ name }) => name)),
  };
  const properties = propertiesOf(entity);
  const key = entity.key.map((part) => keyField(scene, part, properties));
  const said = new Set(key.flatMap(({ property }) => property ?? []));
  const unsaid = [...properties].filter(([name]) => !said.has(name));
  const telling = unsaid.filter(([name]) => asked.has(name) || !saysKindAlone(entity, name));
  const rest = telling.length === 0 ? unsaid : telling;
  const ranked = rest.toSorted(
    ([a], [b]) => Number(alwaysThere(entity, b)) - Number(alwaysThere(entity, a)),
  );
  const isOfJsonApi = isResource(properties);
  const fields: FieldDraft[] = [...key, ...(isOfJsonApi ? resourceFields(scene, properties) : [])];
  const held: HeldRows[] = [];
  for (const [property, schema] of ranked) {
    if (isOfJsonApi && property === ATTRIBUTES) continue;
    const shape = shapeOf(schema, property);
    const items = shape.kind === "list" && itemShape(shape).kind === "record" ? shape.items : null;
    const target = items === null ? undefined : entities.ofSchema(items);
    const description = describe(schema, property, entity);
    if (target !== undefined) {
      const name = reserveName(scene.taken, catalogName(property, "rows"));
      held.push({ name, target, property, description });
      continue;
    }
    const field = plainField(scene, property, schema);
    fields.push(field);
    const embedded = items === null ? undefined : entities.embedded(items);
    // What is not known elsewhere is read as a whole, too: a step of the same name follows it.
    if (embedded?.heldBy?.has(entity) === true)
      held.push({ name: field.name, target: embedded, property, description });
  }
  if (fields.length === key.length && held.length === 0) fields.push(wholeAnswer(scene));
  return { fields: [...holderField(scene), ...fields], held };
}

/** The row that a row without a key stands in (RUN-037), where there is but one entity of such rows. */
function holderField({ entity, values, taken }: Scene): readonly FieldDraft[] {
  const [holder, second] = entity.heldBy ?? [];
  if (holder === undefined || second !== undefined || holder.key.length !== 1) return [];
  if (taken.has(holder.snake)) return [];
  return [
    {
      name: holder.snake,
      value: values.ofEntity(holder),
      path: null,
      required: false,
      description: "",
      remark: null,
      property: null,
      ref: holder,
    },
  ];
}

/** The whole of what is answered, where the document does not say what that has. */
function wholeAnswer({ values, taken, entity }: Scene): FieldDraft {
  return {
    name: reserveName(taken, "answer"),
    value: values.ofShape({ kind: "free" }, "answer", entity.snake),
    path: [],
    required: false,
    description: "",
    remark: null,
    property: null,
    ref: null,
  };
}

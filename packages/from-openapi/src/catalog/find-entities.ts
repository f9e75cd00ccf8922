import type { Rows } from "../document/answer.ts";
import type { Operation, Segment } from "../document/operation.ts";
import { type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import { groupBy } from "../group-by.ts";
import { compareText, type JsonObject, memberOf, textOf } from "../json.ts";
import { freeName, takeName } from "../names/free-name.ts";
import { clauseBeside } from "../names/clause.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { baseOf, entityName, familyOf, pathWords } from "./entity-names.ts";
import { nounBefore, type PathName, pathNames } from "./path-names.ts";

/** All entities of a document, and which one the rows of each operation are. */
export interface Entities {
  /** in the order of their names */
  readonly all: readonly EntityDraft[];
  readonly homes: ReadonlyMap<string, EntityDraft>;
  /** entities by the path of their list or of what creates them */
  readonly collections: ReadonlyMap<string, EntityDraft>;
  /** Whose rows an operation answers; undefined if that is not certain. */
  readonly rowsOf: (operation: Operation) => EntityDraft | undefined;
  /** Whether an object has what an entity's rows are told apart by. */
  readonly saysKey: (entity: EntityDraft, record: RecordShape) => boolean;
  /** The entity that an object within a row stands for: it says the whole key of one that can be read. */
  readonly ofSchema: (schema: JsonObject) => EntityDraft | undefined;
  /** The entity of this name that can be read by one key of this form. */
  readonly called: (words: readonly string[], schema: JsonObject) => EntityDraft | undefined;
}

interface Table {
  readonly homes: Map<string, EntityDraft>;
  readonly collections: Map<string, EntityDraft>;
  readonly names: Set<string>;
  /** by the name of a schema, and by what forms of it have in common */
  readonly families: Map<string, EntityDraft[]>;
}

const rowsIn = ({ answer }: Operation): Rows | null =>
  answer.kind === "row" || answer.kind === "list" ? answer : null;

const endsInVariable = ({ segments }: Operation): boolean => segments.at(-1)?.kind === "variable";

const variablesIn = (segments: readonly Segment[]): number =>
  segments.filter(({ kind }) => kind === "variable").length;

const familyKey = (rows: Rows): string | undefined => {
  const name = schemaName(rows.schema);
  return name === undefined ? undefined : familyOf(name).join(" ");
};

const KEY_TYPES = new Set(["text", "uuid", "integer", "day", "instant", "number"]);

const isKeyProperty = (record: RecordShape, property: string): boolean => {
  const schema = record.properties.get(property);
  const shape = schema === undefined ? null : shapeOf(schema, property);
  return shape?.kind === "options" || (shape?.kind === "scalar" && KEY_TYPES.has(shape.type));
};

/** The property of a row that the last variable of its path names; null if that is not certain. */
function ownProperty(
  record: RecordShape,
  segments: readonly Segment[],
  entity: string,
): string | null {
  const last = segments.at(-1);
  const variable = last?.kind === "variable" ? last.name : "";
  const noun = nounBefore(segments, segments.length - 1);
  const words = wordsOf(variable);
  const rests = [noun, noun.slice(-1), wordsOf(entity), wordsOf(entity).slice(-1)].flatMap((said) =>
    said.length > 0 &&
    words.length > said.length &&
    words.slice(0, said.length).join() === said.join()
      ? [words.slice(said.length).join("")]
      : [],
  );
  const glued = [noun, wordsOf(entity)].flatMap((said) => {
    const [whole, name] = [said.join(""), words.join("")];
    return whole !== "" && name.startsWith(whole) ? [name.slice(whole.length)] : [];
  });
  const ids = words.at(-1) === "id" ? ["id", "uuid"] : [];
  for (const wanted of [words.join(""), ...rests, ...glued, ...ids]) {
    const found = [...record.properties.keys()].filter((name) => folded(name) === wanted);
    const [only] = found.filter((name) => isKeyProperty(record, name));
    if (only !== undefined) return only;
  }
  return null;
}

const descriptionOf = ({ schema }: Rows, name: string): string =>
  clauseBeside(
    textOf(memberOf(schema, "description")),
    name,
    schemaName(schema) ?? "",
    "full minimal simple",
  );

/** Whether rows say a part of their address: under its name, and in the form of the key that it is. */
function saysPart(record: RecordShape, { name, ref }: PathName): boolean {
  const schema = record.properties.get(name);
  const [key] = ref?.key ?? [];
  if (schema === undefined) return false;
  return key === undefined || sameForm(key.schema, schema) || shapeOf(schema).kind === "record";
}

/** The key that the path of a row has: all its variables, the last one being the row's own. */
function keyOf(
  table: Table,
  operation: Operation,
  record: RecordShape,
  name: string,
): readonly KeyPart[] {
  const { segments } = operation;
  const before = pathNames({ ...operation, segments: segments.slice(0, -1) }, table.homes);
  const parts = before.map((one): KeyPart => {
    const property = saysPart(record, one) ? one.name : null;
    return { name: one.name, property, schema: one.schema, ref: one.ref };
  });
  const last = segments.at(-1);
  if (last?.kind !== "variable") return parts;
  const property = ownProperty(record, segments, name);
  const taken = new Set(parts.map((part) => part.name));
  const own = takeName(taken, freeName(property ?? last.name, "key"));
  const schema =
    (property === null ? undefined : record.properties.get(property)) ??
    operation.pathParameters.get(last.name)?.schema ??
    {};
  return [...parts, { name: own, property, schema, ref: null }];
}

const sameForm = (a: JsonObject, b: JsonObject): boolean =>
  JSON.stringify(shapeOf(a)) === JSON.stringify(shapeOf(b));

/** Whether an object has the last part of an entity's key, in the same form. */
function saysKey({ key }: EntityDraft, record: RecordShape): boolean {
  const own = key.at(-1);
  const property = own?.property ?? null;
  if (own === undefined || property === null || !isKeyProperty(record, property)) return false;
  return sameForm(own.schema, record.properties.get(property) ?? {});
}

/** Whether rows of another place are rows of an entity: they say its key, in the same words. */
function fits(entity: EntityDraft, rows: Rows, operation: Operation): boolean {
  const [first] = entity.key;
  const own = entity.key.at(-1);
  if (entity.implicit || first === undefined || own === undefined) return false;
  if (!saysKey(entity, rows.record)) return false;
  if (entity.key.length === 1) return true;
  // The other parts of the key are those of the address, so it has to be the same one.
  const home = entity.home ?? "";
  const scope = home.slice(0, home.lastIndexOf("/{}", home.length - 2) + 3);
  return operation.template === scope || operation.template.startsWith(`${scope}/`);
}

function note(table: Table, rows: Rows, entity: EntityDraft): void {
  const family = familyKey(rows);
  if (family !== undefined) {
    entity.families.add(family);
    const all = table.families.get(family) ?? [];
    if (!all.includes(entity)) table.families.set(family, [...all, entity]);
  }
  if (!entity.records.includes(rows.record)) entity.records.push(rows.record);
}

/** Whether all that an object has is known of an entity, in the same forms. */
const isPartOf = (record: RecordShape, { records }: EntityDraft): boolean =>
  [...record.properties].every(([name, schema]) =>
    records.some(({ properties }) => {
      const own = properties.get(name);
      return own !== undefined && sameForm(own, schema);
    }),
  );

/** Whose rows these are: by the name of their schema; without one by the path's, if they have nothing else. */
function ofFamily(table: Table, rows: Rows, operation: Operation): EntityDraft | undefined {
  const family = familyKey(rows);
  if (family !== undefined) {
    return table.families.get(family)?.find((entity) => fits(entity, rows, operation));
  }
  const name = pathWords(operation).join("_");
  const all = [...table.homes.values(), ...table.collections.values()];
  return all.find(
    (entity) =>
      entity.snake === name && fits(entity, rows, operation) && isPartOf(rows.record, entity),
  );
}

interface NewEntity {
  readonly home: string | null;
  readonly implicit: boolean;
  readonly key: (name: string) => readonly KeyPart[];
}

function addEntity(table: Table, operation: Operation, rows: Rows, more: NewEntity): EntityDraft {
  const name = entityName(schemaName(rows.schema), operation, table.names);
  table.names.add(name.toLowerCase());
  const entity: EntityDraft = {
    name,
    snake: wordsOf(name).join("_"),
    key: more.key(name),
    home: more.home,
    implicit: more.implicit,
    description: descriptionOf(rows, name),
    families: new Set(),
    records: [],
  };
  if (more.home !== null) table.homes.set(more.home, entity);
  note(table, rows, entity);
  return entity;
}

/** Entities that a path of one row leads to, those of shorter paths first. */
function addItems(table: Table, operations: readonly Operation[]): void {
  const byTemplate = groupBy(operations.filter(endsInVariable), ({ template }) => template);
  const weight = (template: string): number =>
    operations.filter((one) => one.template === template || one.template.startsWith(`${template}/`))
      .length;
  const items = [...byTemplate]
    .map(([template, own]) => ({ template, own, weight: weight(template) }))
    .toSorted(
      (a, b) =>
        variablesIn(a.own[0]?.segments ?? []) - variablesIn(b.own[0]?.segments ?? []) ||
        b.weight - a.weight ||
        compareText(a.template, b.template),
    );
  for (const { template, own } of items) {
    const [any] = own;
    if (any === undefined) continue;
    const get = own.find(({ method, answer }) => method === "GET" && answer.kind === "row");
    const around = operations.filter((one) => one.template === baseOf(any));
    const list = around.find(({ method, answer }) => method === "GET" && answer.kind === "list");
    const reads = own.some(({ method }) => method === "GET");
    const source = get ?? (reads ? undefined : list);
    const rows = source === undefined ? null : rowsIn(source);
    if (source === undefined || rows === null) continue;
    const same = variablesIn(any.segments) === 1 ? ofFamily(table, rows, any) : undefined;
    if (same !== undefined && same.key.length === 1) {
      note(table, rows, same);
      continue;
    }
    const operation = { ...any, answer: source.answer };
    const key = (name: string) => keyOf(table, operation, rows.record, name);
    const entity = addEntity(table, operation, rows, { home: template, implicit: false, key });
    const listed = list === undefined ? null : rowsIn(list);
    if (listed !== null && (fits(entity, listed, any) || entity.key.at(-1)?.property === null)) {
      note(table, listed, entity);
      table.collections.set(baseOf(any), entity);
    } else if (around.some(({ method }) => method === "POST") && listed === null) {
      table.collections.set(baseOf(any), entity);
    }
  }
}

const USUAL_KEYS = ["id", "uuid", "_id"];
const LOCAL_KEYS = ["key", "name", "slug", "number", "code", "login"];

/** The key of rows that have no path of their own: what usually names a row, with what the list is of. */
function listKey(
  table: Table,
  operation: Operation,
  record: RecordShape,
  name: string,
): readonly KeyPart[] {
  const own = (names: readonly string[]): KeyPart | undefined => {
    const property = names.find((one) => isKeyProperty(record, one));
    if (property === undefined) return undefined;
    const schema = record.properties.get(property) ?? {};
    return { name: freeName(property, "key"), property, schema, ref: null };
  };
  const everywhere = own([...USUAL_KEYS, `${name.toLowerCase()}_id`, `${name.toLowerCase()}Id`]);
  if (everywhere !== undefined) return [everywhere];
  const within = own(LOCAL_KEYS);
  if (within === undefined) return [];
  const avoid = new Set([within.name]);
  const scope = pathNames(operation, table.homes, avoid).map((one): KeyPart => ({
    name: one.name,
    property: record.properties.has(one.name) ? one.name : null,
    schema: one.schema,
    ref: one.ref,
  }));
  return [...scope, within];
}

function addLists(table: Table, operations: readonly Operation[]): void {
  for (const operation of operations) {
    const rows = rowsIn(operation);
    if (rows?.kind !== "list" || operation.method !== "GET") continue;
    if (table.collections.has(operation.template)) continue;
    const same = ofFamily(table, rows, operation);
    if (same !== undefined) {
      note(table, rows, same);
      table.collections.set(operation.template, same);
      continue;
    }
    const key = (name: string) => listKey(table, operation, rows.record, name);
    const entity = addEntity(table, operation, rows, { home: null, implicit: false, key });
    table.collections.set(operation.template, entity);
  }
}

/** Entities of which there is one in its place: what a GET answers whose path names no row. */
function addSingles(table: Table, operations: readonly Operation[]): void {
  const left = operations
    .filter(({ method, answer }) => method === "GET" && answer.kind === "row")
    .filter(({ template }) => !table.homes.has(template))
    .toSorted((a, b) => variablesIn(a.segments) - variablesIn(b.segments));
  for (const operation of left) {
    const rows = rowsIn(operation);
    if (rows === null) continue;
    const same = ofFamily(table, rows, operation);
    if (same !== undefined) {
      note(table, rows, same);
      continue;
    }
    const key = (): readonly KeyPart[] =>
      pathNames(operation, table.homes).map(({ name, schema, ref }) => ({
        name,
        property: null,
        schema,
        ref,
      }));
    addEntity(table, operation, rows, { home: operation.template, implicit: true, key });
  }
}

/** Finds the entities of a document: what its paths lead to, and the forms of their rows. */
export function findEntities(operations: readonly Operation[]): Entities {
  const table: Table = {
    homes: new Map(),
    collections: new Map(),
    names: new Set(),
    families: new Map(),
  };
  addItems(table, operations);
  addLists(table, operations);
  addSingles(table, operations);
  const every = new Set([...table.homes.values(), ...table.collections.values()]);
  const rowsOf = (operation: Operation): EntityDraft | undefined => {
    const rows = rowsIn(operation);
    if (rows === null) return undefined;
    const place = operation.answer.kind === "list" ? table.collections : table.homes;
    const there = place.get(operation.template);
    return there ?? ofFamily(table, rows, operation);
  };
  const read = new Set(
    operations.filter(({ method }) => method === "GET").map(({ template }) => template),
  );
  const readable = [...every].filter(
    ({ home, key, implicit }) => home !== null && read.has(home) && key.length === 1 && !implicit,
  );
  const bySnake = new Map(readable.map((entity) => [entity.snake, entity]));
  return {
    saysKey,
    ofSchema: (schema) => {
      const name = schemaName(schema);
      const record = shapeOf(schema);
      if (name === undefined || record.kind !== "record") return undefined;
      const all = table.families.get(familyOf(name).join(" ")) ?? [];
      return all.find((entity) => readable.includes(entity) && saysKey(entity, record));
    },
    called: (words, schema) => {
      const entity = bySnake.get(words.join("_"));
      const [part] = entity?.key ?? [];
      return part !== undefined && sameForm(part.schema, schema) ? entity : undefined;
    },
    all: [...every].toSorted((a, b) => compareText(a.name, b.name)),
    homes: table.homes,
    collections: table.collections,
    rowsOf,
  };
}

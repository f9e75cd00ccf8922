import type { AnswerRows } from "../document/answer.ts";
import { type Operation, variablesIn } from "../document/operation.ts";
import { type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import { placeAsked } from "../document/reading-posts.ts";
import { groupBy } from "../group-by.ts";
import { compareText, type DocumentObject } from "../json.ts";
import { addPlaces } from "./effect-places.ts";
import { embeddedEntities } from "./embedded-entities.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { keyOf, listKey, sameForm, saysKey } from "./entity-keys.ts";
import { baseOf } from "./entity-names.ts";
import { addEntity, familyKey, isRowOf, note, ofFamily, type Table } from "./entity-table.ts";
import { type ListedHomes, listedHomes } from "./listed-homes.ts";
import { addMadeForms, madeForm } from "./made-forms.ts";
import { type FamilyName, ownForms } from "./own-forms.ts";
import { pathNames } from "./path-names.ts";

/** All entities of a document, and which one the rows of each operation are. */
export interface Entities {
  /** in the order of their names */
  readonly all: readonly EntityDraft[];
  readonly homes: ReadonlyMap<string, EntityDraft>;
  /** entities by the path of their list or of what creates them */
  readonly collections: ReadonlyMap<string, EntityDraft>;
  /** entities by the path of an effect that leads to nothing that can be read */
  readonly places: ReadonlyMap<string, EntityDraft>;
  /** entities whose key a path names that leads to nothing which is read */
  readonly named: ReadonlyMap<string, EntityDraft>;
  /** Whose rows an operation answers; undefined if that is not certain. */
  readonly rowsOf: (operation: Operation) => EntityDraft | undefined;
  /** Whether an object has what an entity's rows are told apart by. */
  readonly saysKey: (entity: EntityDraft, record: RecordShape) => boolean;
  /** The entity that an object within a row stands for: it says the whole key of one that can be read. */
  readonly ofSchema: (schema: DocumentObject) => EntityDraft | undefined;
  /** The entity of several keys whose row, of a named schema, an operation answers in whose path the others stand. */
  readonly ofPath: (operation: Operation, rows: AnswerRows) => EntityDraft | undefined;
  /** The entity of rows of this schema that stand in those of others and nowhere else. */
  readonly embedded: (schema: DocumentObject) => EntityDraft | undefined;
  /** The entity of this name that can be read by one key of this form. */
  readonly called: (words: readonly string[], schema: DocumentObject) => EntityDraft | undefined;
}

const rowsIn = ({ answer }: Operation): AnswerRows | null =>
  answer.kind === "row" || answer.kind === "list" ? answer : null;

const endsInVariable = ({ segments }: Operation): boolean => segments.at(-1)?.kind === "variable";

/** How many operations each path has, those of longer paths that go on from it included. */
function operationsBelow(operations: readonly Operation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { template } of operations) {
    for (let end = template.length; end > 0; end = template.lastIndexOf("/", end - 1)) {
      const path = template.slice(0, end);
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
  }
  return counts;
}

/** A path as it is sorted: `/boats/{}` before `/boats/versions/{}`. */
const shorterFirst = (template: string): string => template.replace(/\{\}$/, "");

/** Entities that a path of one row leads to, those of shorter paths first. */
function addItems(table: Table, operations: readonly Operation[], ahead: ListedHomes): void {
  const byTemplate = groupBy(operations.filter(endsInVariable), ({ template }) => template);
  const everywhere = groupBy(operations, ({ template }) => template);
  const weights = operationsBelow(operations);
  const items = [...byTemplate]
    .map(([template, own]) => ({ template, own, weight: weights.get(template) ?? 0 }))
    .toSorted(
      (a, b) =>
        variablesIn(a.own[0]?.segments ?? []) - variablesIn(b.own[0]?.segments ?? []) ||
        b.weight - a.weight ||
        compareText(shorterFirst(a.template), shorterFirst(b.template)),
    );
  for (const { template, own } of items) {
    const [any] = own;
    if (any === undefined) continue;
    const get = own.find(({ method, answer }) => method === "GET" && answer.kind === "row");
    const around = everywhere.get(baseOf(any)) ?? [];
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
    const { isFree } = rows;
    const made = isFree ? null : madeForm(around);
    const key = (name: string) => {
      const own = keyOf(table.homes, operation, rows.record, name);
      const part = own.at(-1);
      if (made === null || part === undefined || part.property !== null) return own;
      const said = keyOf(table.homes, operation, made, name).at(-1)?.property ?? null;
      return said === null ? own : own.with(-1, { ...part, property: said });
    };
    const entity = addEntity(table, operation, rows, { home: template, implicit: isFree, key });
    for (const [path, other] of ahead) if (other.home === template) table.homes.set(path, entity);
    const listed = list === undefined ? null : rowsIn(list);
    if (listed !== null && (isRowOf(entity, listed, any) || entity.key.at(-1)?.property === null)) {
      note(table, listed, entity);
      table.collections.set(baseOf(any), entity);
    } else if (around.some(({ method }) => method === "POST") && listed === null) {
      table.collections.set(baseOf(any), entity);
    }
  }
}

function addList(table: Table, operation: Operation): void {
  const rows = rowsIn(operation);
  if (rows?.kind !== "list" || !operation.reads) return;
  if (table.collections.has(operation.template)) return;
  const at =
    operation.method === "POST"
      ? { ...operation, segments: placeAsked(operation.segments) }
      : operation;
  const keyed = rows.isMap === true ? { ...rows, record: withId(rows.record) } : rows;
  const same = ofFamily(table, keyed, at);
  if (same !== undefined) {
    note(table, keyed, same);
    table.collections.set(operation.template, same);
    return;
  }
  const key = (name: string) => listKey(table.homes, at, keyed.record, name);
  const entity = addEntity(table, at, keyed, { home: null, implicit: false, key });
  table.collections.set(operation.template, entity);
}

/** Rows of a map, with the key under which each stands. */
const withId = (record: RecordShape): RecordShape =>
  record.properties.has("id")
    ? record
    : { ...record, properties: new Map([["id", { type: "string" }], ...record.properties]) };

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

/** The entities that operations read rows of; those that paths go on from, found `ahead`, are there first. */
function tableOf(
  operations: readonly Operation[],
  ahead: ListedHomes,
  known: ReadonlyMap<string, EntityDraft>,
  familyName: FamilyName,
): Table {
  const table: Table = {
    homes: new Map(),
    collections: new Map(),
    names: new Set(),
    families: new Map(),
    themes: new Map(),
    places: new Map(),
    named: new Map(),
    familyName,
  };
  for (const [path, { home, snake }] of ahead) {
    if (home !== null) continue;
    const lists = operations.filter(({ template }) => known.get(template)?.snake === snake);
    for (const operation of lists) addList(table, operation);
    const entity = table.collections.get(lists[0]?.template ?? "");
    if (entity !== undefined) table.homes.set(path, entity);
  }
  addItems(table, operations, ahead);
  // Where a path has a list of its own, what searches it by POST is of the same rows.
  for (const operation of operations.toSorted(
    (a, b) => Number(a.method === "POST") - Number(b.method === "POST"),
  ))
    addList(table, operation);
  return table;
}

/** Finds the entities of a document: what its paths lead to, and the forms of their rows. */
export function findEntities(operations: readonly Operation[]): Entities {
  const familyName = ownForms(operations);
  const first = tableOf(operations, new Map(), new Map(), familyName);
  const ahead = listedHomes(operations, first.homes, first.collections);
  const table =
    ahead.size === 0 ? first : tableOf(operations, ahead, first.collections, familyName);
  addSingles(table, operations);
  addMadeForms(table, operations, (rows) => familyKey(table, rows));
  addPlaces(table, operations);
  const every = new Set([
    ...table.homes.values(),
    ...table.collections.values(),
    ...table.themes.values(),
  ]);
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
  const ofSchema: Entities["ofSchema"] = (schema) => {
    const name = schemaName(schema);
    const record = shapeOf(schema);
    if (name === undefined || record.kind !== "record") return undefined;
    const all = table.families.get(familyName(name)) ?? [];
    return all.find((entity) => readable.includes(entity) && saysKey(entity, record));
  };
  const sorted = [...every].toSorted((a, b) => compareText(a.name, b.name));
  const embedded = embeddedEntities(sorted, {
    names: table.names,
    isKnown: (schema) => ofSchema(schema) !== undefined,
  });
  return {
    saysKey,
    ofSchema,
    ofPath: (operation, rows) => {
      if (rows.isMap === true || schemaName(rows.schema) === undefined) return undefined;
      const found = ofFamily(table, rows, operation);
      return found !== undefined && found.home !== null && read.has(found.home) ? found : undefined;
    },
    embedded: embedded.ofSchema,
    called: (words, schema) => {
      const entity = bySnake.get(words.join("_"));
      const [part] = entity?.key ?? [];
      if (entity === undefined || part === undefined) return undefined;
      // Paths take texts for keys that rows have as numbers.
      const forms = [
        part.schema,
        ...entity.records.map(({ properties }) => properties.get(part.property ?? "") ?? {}),
      ];
      return forms.some((form) => sameForm(form, schema)) ? entity : undefined;
    },
    all: [...sorted, ...embedded.all].toSorted((a, b) => compareText(a.name, b.name)),
    homes: table.homes,
    collections: table.collections,
    places: table.places,
    named: table.named,
    rowsOf,
  };
}

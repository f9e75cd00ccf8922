import type { AnswerRows } from "../document/answer.ts";
import { formOf, type Operation, type PathPiece, templateOf } from "../document/operation.ts";
import { type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import { placeAsked } from "../document/reading-posts.ts";
import { groupBy } from "../group-by.ts";
import { compareText, type DocumentObject, memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { wordsOf } from "../names/words.ts";
import { embeddedEntities } from "./embedded-entities.ts";
import type { EntityDraft, KeyPart } from "./entity-draft.ts";
import { keyOf, listKey, sameForm, saysKey, saysKeyPart } from "./entity-keys.ts";
import { baseOf, bestEntityName, entityName, familyOf, pathWords } from "./entity-names.ts";
import { type ListedHomes, listedHomes } from "./listed-homes.ts";
import { type FamilyName, ownForms } from "./own-forms.ts";
import { addMadeForms, madeForm } from "./made-forms.ts";
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

interface Table {
  readonly homes: Map<string, EntityDraft>;
  readonly collections: Map<string, EntityDraft>;
  readonly names: Set<string>;
  /** entities that stand for what effects without variables are about */
  readonly themes: Map<string, EntityDraft>;
  /** the same by the path of the effect */
  readonly places: Map<string, EntityDraft>;
  /** by the name of a schema, and by what forms of it have in common */
  readonly families: Map<string, EntityDraft[]>;
  readonly familyName: FamilyName;
}

const rowsIn = ({ answer }: Operation): AnswerRows | null =>
  answer.kind === "row" || answer.kind === "list" ? answer : null;

const endsInVariable = ({ segments }: Operation): boolean => segments.at(-1)?.kind === "variable";

const variablesIn = (segments: readonly PathPiece[]): number =>
  segments.filter(({ kind }) => kind === "variable").length;

/** What forms of one thing are called together, of the schema of rows. */
const familyKey = ({ familyName }: Table, { schema }: AnswerRows): string | undefined => {
  const name = schemaName(schema);
  return name === undefined ? undefined : familyName(name);
};

/** The name of the schema of rows; of one that the document tells apart by a word of its own, without it. */
const nameOf = ({ familyName }: Table, { schema }: AnswerRows): string | undefined => {
  const name = schemaName(schema);
  if (name === undefined) return undefined;
  const family = familyName(name);
  return family === familyOf(name).join(" ") ? name : family;
};

const descriptionOf = ({ schema }: AnswerRows, name: string): string =>
  clauseBeside(
    textOf(memberOf(schema, "description")),
    name,
    schemaName(schema) ?? "",
    "full minimal simple",
  );

/** Whether rows of another place are rows of an entity: they say its key, in the same words. */
function fits(entity: EntityDraft, rows: AnswerRows, operation: Operation): boolean {
  const [first] = entity.key;
  const own = entity.key.at(-1);
  if (entity.implicit || first === undefined || own === undefined) return false;
  if (!saysKey(entity, rows.record)) return false;
  if (entity.key.length === 1) return true;
  const others = entity.key.slice(0, -1);
  if (others.every((part) => saysKeyPart(part, rows.record))) return true;
  // The other parts of the key are those of the address, so it has to be the same one.
  const home = entity.home ?? "";
  const scope = home.slice(0, home.lastIndexOf("/{}", home.length - 4) + 3);
  const { template } = operation;
  return template === home || template === scope || template.startsWith(`${scope}/`);
}

function note(table: Table, rows: AnswerRows, entity: EntityDraft): void {
  const family = familyKey(table, rows);
  if (family !== undefined) {
    entity.families.add(family).add(familyOf(schemaName(rows.schema) ?? "").join(" "));
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
function ofFamily(table: Table, rows: AnswerRows, operation: Operation): EntityDraft | undefined {
  const family = familyKey(table, rows);
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

function addEntity(
  table: Table,
  operation: Operation,
  rows: AnswerRows,
  more: NewEntity,
): EntityDraft {
  const name = entityName(nameOf(table, rows), operation, table.names);
  const entity = newEntity(table, name, { ...more, description: descriptionOf(rows, name) });
  note(table, rows, entity);
  return entity;
}

function newEntity(
  table: Table,
  name: string,
  { home, implicit, key, description }: NewEntity & { readonly description: string },
): EntityDraft {
  table.names.add(name.toLowerCase());
  const entity: EntityDraft = {
    name,
    snake: wordsOf(name).join("_"),
    key: key(name),
    home,
    implicit,
    description,
    families: new Set(),
    records: [],
  };
  if (home !== null) table.homes.set(home, entity);
  return entity;
}

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
        compareText(a.template, b.template),
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
    if (listed !== null && (fits(entity, listed, any) || entity.key.at(-1)?.property === null)) {
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

/** The path up to its last variable: what an effect is done to whose path leads to nothing that is read. */
function placeOf({ segments }: Operation): readonly PathPiece[] {
  return segments.slice(0, segments.findLastIndex(({ kind }) => kind === "variable") + 1);
}

/** What a path goes on from: the path of a row, or that of a list of rows. */
export interface PlaceAbove {
  readonly entity: EntityDraft;
  readonly at: "row" | "list";
}

/**
 * What the longest beginning of an operation's path leads to. A list with variables in its path is the place of a
 * POST alone, and only where no variable comes after it: that call makes rows, whatever it is called.
 */
export function placeAbove(
  { homes, collections }: Pick<Entities, "homes" | "collections">,
  { method, segments }: Operation,
): PlaceAbove | undefined {
  const hasVariables = variablesIn(segments) > 0;
  const form = formOf(segments);
  // `{id}:publish` is done to the row, `boats:sweep` to the list.
  const whole = templateOf(segments);
  const plain = whole.replace(/:[A-Za-z]\w*$/, "");
  const row = plain === whole ? undefined : homes.get(plain);
  if (row !== undefined && row.key.length > 0) return { entity: row, at: "row" };
  const rows = plain === whole ? undefined : collections.get(plain);
  if (rows !== undefined && (method === "POST" || !hasVariables))
    return { entity: rows, at: "list" };
  for (let length = segments.length - 1; length > 0; length -= 1) {
    const template = templateOf(segments.slice(0, length));
    const home = homes.get(template) ?? homes.get(`${template}${form}`);
    if (home !== undefined && (home.key.length > 0 || !hasVariables))
      return { entity: home, at: "row" };
    const collection = collections.get(template) ?? collections.get(`${template}${form}`);
    const makes = method === "POST" && variablesIn(segments.slice(length)) === 0;
    if (collection !== undefined && (makes || !hasVariables))
      return { entity: collection, at: "list" };
  }
  return undefined;
}

/**
 * Entities for effects whose path leads to nothing that can be read: what its variables name, else what its
 * tag or the beginning of its path speaks of: the entity that is read by that name, if there is one.
 */
function addPlaces(table: Table, operations: readonly Operation[]): void {
  const byName = new Map(
    [...table.homes.values(), ...table.collections.values()].map((one) => [one.name, one] as const),
  );
  for (const operation of operations) {
    const { method, tags, template } = operation;
    // A list with variables in its path is the subject of what makes its rows, not of what is done to all of them.
    const hasSubject =
      table.homes.has(template) ||
      (table.collections.has(template) &&
        (method === "POST" || variablesIn(operation.segments) === 0));
    if (operation.reads || hasSubject || placeAbove(table, operation) !== undefined) continue;
    const segments = placeOf(operation);
    if (segments.length > 0) {
      const at = { ...operation, segments };
      const name = entityName(undefined, at, table.names);
      const home = templateOf(segments);
      const key = () => keyOf(table.homes, at, NO_RECORD, name);
      newEntity(table, name, { home, implicit: true, key, description: "" });
      continue;
    }
    const theme = themeOf(operation);
    const named = { written: theme, operation: { segments, tags } };
    const entity =
      table.themes.get(theme) ??
      byName.get(bestEntityName(named)) ??
      newEntity(table, entityName(theme, { segments, tags }, table.names), {
        home: null,
        implicit: true,
        key: () => [],
        description: "",
      });
    table.themes.set(theme, entity);
    table.places.set(template, entity);
  }
}

const NO_RECORD: RecordShape = { kind: "record", properties: new Map(), required: new Set() };

const VERSION = /^(?:api|rest|v\d[\w.]*)$/i;

/** What an operation without a row is about: its tag, else the first word of its path that says something. */
function themeOf({ tags, segments }: Operation): string {
  const [tag] = tags;
  const words = segments.flatMap((one) =>
    one.kind === "literal" && one.value !== "" && !VERSION.test(one.value) ? [one.value] : [],
  );
  return (tag === undefined || wordsOf(tag).length === 0 ? words[0] : tag) ?? "Api";
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
    rowsOf,
  };
}

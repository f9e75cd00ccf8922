import {
  formOf,
  type Operation,
  type PathPiece,
  templateOf,
  variablesIn,
} from "../document/operation.ts";
import type { RecordShape } from "../document/schema-shape.ts";
import { pascal, wordsOf } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { keyOf } from "./entity-keys.ts";
import { bestEntityName, entityName } from "./entity-names.ts";
import { newEntity, type Table } from "./entity-table.ts";

/** The path up to its last variable: what an effect is done to whose path leads to nothing that is read. */
function placeOf({ segments }: Operation): readonly PathPiece[] {
  return segments.slice(0, segments.findLastIndex(({ kind }) => kind === "variable") + 1);
}

/** Entities by the paths that lead to them. */
interface Places {
  readonly homes: ReadonlyMap<string, EntityDraft>;
  readonly collections: ReadonlyMap<string, EntityDraft>;
  readonly named: ReadonlyMap<string, EntityDraft>;
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
  { homes, collections, named }: Places,
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
    const home = homes.get(template) ?? homes.get(`${template}${form}`) ?? named.get(template);
    if (home !== undefined && (home.key.length > 0 || !hasVariables))
      return { entity: home, at: "row" };
    const collection = collections.get(template) ?? collections.get(`${template}${form}`);
    const makes = method === "POST" && variablesIn(segments.slice(length)) === 0;
    if (collection !== undefined && (makes || !hasVariables))
      return { entity: collection, at: "list" };
  }
  return undefined;
}

/** The entity that the only variable of a path names with its key, `{voice_id}`, and that is read by it elsewhere. */
function keyOwner(
  byName: ReadonlyMap<string, EntityDraft>,
  segments: readonly PathPiece[],
): EntityDraft | undefined {
  const last = segments.at(-1);
  if (last?.kind !== "variable" || variablesIn(segments) !== 1) return undefined;
  const words = wordsOf(last.name);
  if (words.length < 2 || !/^(?:id|uuid|guid|code|slug)$/.test(words.at(-1) ?? ""))
    return undefined;
  const owner = byName.get(pascal(words.slice(0, -1)));
  return owner === undefined || owner.implicit || owner.home === null || owner.key.length !== 1
    ? undefined
    : owner;
}

/**
 * Entities for effects whose path leads to nothing that can be read: what its variables name, else what its
 * tag or the beginning of its path speaks of: the entity that is read by that name, if there is one.
 */
export function addPlaces(table: Table, operations: readonly Operation[]): void {
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
    const owner = keyOwner(byName, segments);
    if (owner !== undefined) {
      table.named.set(templateOf(segments), owner);
      continue;
    }
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

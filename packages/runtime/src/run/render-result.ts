import type { Cgs, Entity, EntityKey, Json, PlanNode, ValueType } from "@plasm/core";
import { compareCodePoints, keyParts, valueTypeText } from "@plasm/core/internal";
import { isReferenceRelation } from "../decode/row-edges.ts";
import { eachOf, inSlices, type Pausable, visitEach } from "../base/turns.ts";
import { readCell, type Row } from "../rows/row.ts";
import type { RowSequence } from "../rows/row-list.ts";
import { sizeOf } from "../base/json-kinds.ts";
import { type ColumnPresentation, presentationOf } from "./column-presentation.ts";
import type { RunEngine } from "./engine.ts";
import type { ResultRow } from "./run-types.ts";

type Column = readonly [name: string, type: string];

/** A column with the path it is read by. */
interface Shown {
  readonly column: Column;
  readonly path: readonly string[];
}

/** The columns of whole rows: key parts in their order, then fields and references by name (RUN-036). */
function entityColumns(cgs: Cgs, entity: Entity): readonly Shown[] {
  const keys = keyParts(entity);
  const fields = [...entity.fields.values()].map(({ name, type }): Shown => ({
    column: [name, typeWord(cgs, type)],
    path: [name],
  }));
  const references = [...entity.relations.values()]
    .filter((relation) => isReferenceRelation(relation) && !entity.fields.has(relation.name))
    .flatMap(({ name, target }): Shown[] => {
      const to = cgs.entities.get(target);
      if (to === undefined) return [];
      const type = to.fields.get(to.idField)?.type;
      const word = type === undefined ? "str" : typeWord(cgs, type);
      return [{ column: [`${name}.${to.idField}`, word], path: [name, to.idField] }];
    });
  const rank = ({ column: [name] }: Shown): number => {
    const at = keys.indexOf(name);
    return at < 0 ? keys.length : at;
  };
  return [...fields, ...references].toSorted(
    (a, b) => rank(a) - rank(b) || compareCodePoints(a.column[0], b.column[0]),
  );
}

/** What one result shows: columns, rows, and the columns that no row has loaded. */
export interface Rendered {
  readonly entity: EntityKey | null;
  readonly columns: readonly Column[];
  readonly rows: readonly ResultRow[];
  readonly notLoaded: readonly string[];
  readonly presented: readonly ColumnPresentation[];
}

/** The catalog that the rows of a node are of: its own, or its source's; null for plain rows. */
export function entryIdOf(nodes: readonly PlanNode[], node: PlanNode): string | null {
  if ("catalog" in node) return node.catalog.entry_id;
  if (node.kind === "for_each") return node.body.catalog.entry_id;
  if (!("source" in node)) return null;
  const source = nodes.find(({ id }) => id === node.source);
  return source === undefined ? null : entryIdOf(nodes, source);
}

function shownColumns(cgs: Cgs | null, node: PlanNode): readonly Shown[] {
  const { columns, entity } = node.result;
  if (columns !== null) return columns.map((column) => ({ column, path: [column[0]] }));
  const declared = cgs?.entities.get(entity ?? "");
  return cgs === null || declared === undefined ? [] : entityColumns(cgs, declared);
}

/** The paths of a node's columns, as a result shows them; none where its rows are open. */
export function columnPaths(cgs: Cgs | null, node: PlanNode): readonly (readonly string[])[] {
  return shownColumns(cgs, node).map(({ path }) => path);
}

const OK: Shown = { column: ["ok", "bool"], path: ["ok"] };

/** An effect whose answer was empty shows `ok`, though rows of its entity were expected (RUN-040). */
function withOk(shown: readonly Shown[], node: PlanNode, inHand: InHand): readonly Shown[] {
  return node.result.columns === null && inHand.columns.has("ok") ? [...shown, OK] : shown;
}

/** Rows of an overlay's entities, read by a list of their template, show what they have beside it (RUN-103). */
function withOwnFields(
  cgs: Cgs | null,
  shown: readonly Shown[],
  node: PlanNode,
  { entities }: InHand,
): readonly Shown[] {
  if (cgs === null || node.result.columns !== null) return shown;
  const names = new Set(entities);
  names.delete(node.result.entity ?? "");
  const all = new Map(shown.map((each) => [each.column[0], each]));
  for (const name of [...names].toSorted(compareCodePoints)) {
    const entity = cgs.entities.get(name);
    for (const each of entity === undefined ? [] : entityColumns(cgs, entity)) {
      if (!all.has(each.column[0])) all.set(each.column[0], each);
    }
  }
  return [...all.values()];
}

/** What rows turn out to be. */
interface InHand {
  /** columns of those that are not whole, in order */
  readonly columns: ReadonlySet<string>;
  /** entities of those that are */
  readonly entities: ReadonlySet<string>;
}

function inHandOf(rows: RowSequence): InHand {
  const columns = new Set<string>();
  const entities = new Set<string>();
  for (const { base, cells } of rows) {
    if (cells !== null) for (const name of cells.keys()) columns.add(name);
    else if (base !== null) entities.add(base.entity);
  }
  return { columns, entities };
}

/** Rows of free form have no columns until they are there: those in hand, in order (LANG-060). */
const columnsInHand = ({ columns }: InHand): readonly Shown[] =>
  [...columns].map((name): Shown => ({ column: [name, "json"], path: [name] }));

interface ShownColumns {
  readonly cgs: Cgs | null;
  readonly shown: readonly Shown[];
}

/** The columns that a result of these rows has. */
function columnsOf(
  engine: RunEngine,
  entryId: string | null,
  node: PlanNode,
  rows: RowSequence,
): ShownColumns {
  const cgs = entryId === null ? null : engine.catalog(entryId).cgs;
  const isOpen = node.result.columns?.length === 0;
  const inHand = inHandOf(isOpen || node.result.columns === null ? rows : []);
  const shown = isOpen
    ? columnsInHand(inHand)
    : withOk(withOwnFields(cgs, shownColumns(cgs, node), node, inHand), node, inHand);
  return { cgs, shown };
}

/** How many bytes rows of a node are when they are written out as {@link renderRows} renders them. */
export function* renderedSize(
  engine: RunEngine,
  entryId: string | null,
  node: PlanNode,
  rows: RowSequence,
): Pausable<number> {
  const { cgs, shown } = columnsOf(engine, entryId, node, rows);
  const names = shown.map(({ column: [name] }) => sizeOf(name).bytes + 2);
  let bytes = 0;
  const count = (row: Row): void => {
    for (const [at, { path }] of shown.entries()) {
      const value = readCell(cgs, row, path);
      if (value !== undefined) bytes += sizeOf(value).bytes + (names[at] ?? 0);
    }
  };
  yield* visitEach(rows, count, shown.length);
  return bytes;
}

/** Renders rows of a node as a result shows them: unknown cells are left out (RUN-035, SURF-13). */
export async function resultRows(
  engine: RunEngine,
  entryId: string | null,
  node: PlanNode,
  rows: RowSequence,
): Promise<Rendered> {
  const { cgs, shown } = columnsOf(engine, entryId, node, rows);
  const loaded = new Set<string>();
  const rendering = eachOf(rows, (row): ResultRow => {
    const cells: (readonly [string, Json])[] = [];
    for (const { column, path } of shown) {
      const value = readCell(cgs, row, path);
      if (value === undefined) continue;
      cells.push([column[0], value]);
      loaded.add(column[0]);
    }
    // Columns named by a program may be called `__proto__`: entries make it a member of its own.
    return { ref: row.base?.identity?.text ?? null, values: Object.fromEntries(cells) };
  });
  const rendered = await inSlices(rendering, engine.nextTurn);
  const { entity } = node.result;
  const names = shown.map(({ column: [name] }) => name);
  const presented = shown.flatMap(({ column: [name, word], path }) => {
    return presentationOf(cgs, entity, { name, path, word }) ?? [];
  });
  return {
    entity: entryId === null || entity === null ? null : { entryId, entity },
    columns: shown.map(({ column }) => column),
    rows: rendered,
    notLoaded: rows.length === 0 ? [] : names.filter((name) => !loaded.has(name)),
    presented,
  };
}

function referenceText(cgs: Cgs, target: string): string {
  const entity = cgs.entities.get(target);
  const parts = entity === undefined ? [] : keyParts(entity);
  const types = parts.map((part) => {
    const type = entity?.fields.get(part)?.type;
    if (type?.kind === "entity_ref") return type.target;
    return type === undefined ? "str" : typeWord(cgs, type);
  });
  return `${target}(${types.join(", ")})`;
}

/** A type as the teaching table writes it, references as `Entity(keytype)` (TEACH-21). */
const typeWord = (cgs: Cgs, type: ValueType): string =>
  valueTypeText(type, {
    option: (option) => option,
    reference: (target) => referenceText(cgs, target),
  });

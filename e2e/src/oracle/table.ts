import { type Cell, entityOf, type Entity, type FieldType, type Row } from "./model.ts";
import type { Path } from "./program.ts";
import { rowByReference, type State } from "./state.ts";

export interface Column {
  readonly name: string;
  readonly type: FieldType;
  readonly target: string | null;
}

/** A row of a result: the row of the API that it is, if it is one, and its cells by column. */
export interface Item {
  readonly row: Row | null;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** How much of a result is certain where the API keeps something back. */
export type Certain =
  /** it is exactly this */
  | "exact"
  /** it says that it is partial, and has rows of these, or it is exactly this */
  | "some"
  /** it says that it is partial, or it is exactly this */
  | "told"
  /** its rows depend on an order that is not certain */
  | "open";

/** Rows of one node, as the data alone has them. */
export interface Table {
  /** whose rows they are; null for rows of none */
  readonly entity: Entity | null;
  /** whether they are whole rows of it, of which lists leave some fields out */
  readonly whole: boolean;
  readonly columns: readonly Column[];
  readonly items: readonly Item[];
  /** whether it holds one row at most, whatever the data is (LANG-060) */
  readonly single: boolean;
  /** whether the order is certain */
  readonly ordered: boolean;
  /** whether its rows stood in others, which have less of them than lists have */
  readonly inside: boolean;
  readonly certain: Certain;
}

export const columnsOf = ({ fields }: Entity): readonly Column[] =>
  fields.map(({ name, type, target }) => ({ name, type, target }));

/** Whole rows of an entity, as they are now: what effects do later does not show in them. */
export const wholeRows = (
  entity: Entity,
  rows: readonly Row[],
  more: Partial<Table> = {},
): Table => ({
  entity,
  whole: true,
  columns: columnsOf(entity),
  items: rows.map((row) => ({ row: { ...row }, cells: { ...row.cells } })),
  single: false,
  ordered: true,
  inside: false,
  certain: "exact",
  ...more,
});

/** Rows that are made of others, and are none of an entity. */
export const madeRows = (
  columns: readonly Column[],
  items: readonly Item[],
  { single, ordered, certain }: Pick<Table, "single" | "ordered" | "certain">,
): Table => ({
  entity: null,
  whole: false,
  inside: false,
  columns,
  items,
  single,
  ordered,
  certain,
});

/** A cell with the type that its comparisons are of. */
export interface Typed {
  readonly cell: Cell;
  readonly type: FieldType;
  readonly target: string | null;
}

const NOTHING: Cell = null;

function stepInto(cell: Cell, step: string): Cell {
  if (Array.isArray(cell)) return (cell as readonly Cell[])[Number(step)] ?? NOTHING;
  if (typeof cell !== "object" || cell === null) return NOTHING;
  return (cell as { readonly [key: string]: Cell })[step] ?? NOTHING;
}

/** A key part as the reference itself has it, whether or not its row is there. */
const keyPart = ({ key }: Entity, reference: Cell, part: string): Cell =>
  key.length === 1 ? reference : stepInto(reference, part);

/** Follows what stands behind a column: references to rows, and paths into JSON. */
function behind(state: State, at: Typed, rest: Path): Typed {
  const [step, ...later] = rest;
  if (step === undefined) return at;
  if (at.type !== "ref" || at.target === null) {
    return behind(state, { cell: stepInto(at.cell, step), type: "json", target: null }, later);
  }
  const entity = entityOf(state.world, at.target);
  const column = columnsOf(entity).find(({ name }) => name === step);
  if (column === undefined) throw new Error(`${entity.name} has no column ${step}`);
  const row = at.cell === null ? undefined : rowByReference(state, entity.name, at.cell);
  const cell = entity.key.includes(step) ? keyPart(entity, at.cell, step) : row?.cells[step];
  return behind(state, { ...column, cell: cell ?? NOTHING }, later);
}

/** What a path says of a row: a column of that very name, else what stands behind its first column. */
export function typedAt(state: State, table: Table, item: Item, path: Path): Typed {
  const whole = path.join(".");
  const exact = table.columns.find(({ name }) => name === whole);
  if (exact !== undefined) return { ...exact, cell: item.cells[whole] ?? NOTHING };
  const [first = "", ...rest] = path;
  const column = table.columns.find(({ name }) => name === first);
  if (column === undefined) throw new Error(`there is no column ${whole}`);
  return behind(state, { ...column, cell: item.cells[first] ?? NOTHING }, rest);
}

/** The column that a path makes where it is projected or grouped by. */
export function columnAt(state: State, table: Table, path: Path): Column {
  const { type, target } = typedAt(state, table, { row: null, cells: {} }, path);
  return { name: path.join("."), type, target };
}

import type { JsonObject, PlanNode, PlanValue, ValueType } from "@plasm/core";
import {
  type ComputeNode,
  type Exact,
  type PlanColumn,
  type PlanKey,
  isPath,
  settled,
  valueText,
} from "@plasm/core/internal";
import { isArray, sizeOf } from "../base/json-kinds.ts";
import { RunFailure, failure } from "../base/run-failure.ts";
import { type Pausable, inSlices, visitEach } from "../base/turns.ts";
import { RunStop } from "../limits/limits.ts";
import { type NoteUnfit, cellWork, computedWork, unfitDetail, wordType } from "../rows/cell-key.ts";
import { type NoteFault, type RowValue, exactValue } from "../rows/computed.ts";
import { areNumbers, numbersDetail } from "../rows/number-texts.ts";
import { type RowSequence, holdRows } from "../rows/row-list.ts";
import { RowWork } from "../rows/row-work.ts";
import { type Row, type RowColumn, rowColumn, rowName } from "../rows/row.ts";
import { type RowSchema, type RunEngine, rowsName, schemaOf } from "./engine.ts";
import { type Demand, type Feed, PORTION, type RowReader, SourceEnded } from "./feed.ts";
import { hydrate, isWholeAndLacks } from "./hydrate.ts";
import { ShownRows, withShown } from "./marks.ts";
import { neededNames, wholeBases } from "./row-filter.ts";

type Path = readonly string[];

/** A step over all rows of its source, and where a cursor left it. */
export interface WholeStep {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly node: ComputeNode;
  readonly source: Feed;
  readonly state: JsonObject | null;
}

/** All rows of a source, and how a step reads them. */
export interface WholeSource {
  readonly rows: RowSequence;
  /** whether the source has no others */
  readonly isAll: boolean;
  /** a column as a step reads it, or a value computed of columns */
  readonly column: (column: PlanColumn | PlanKey) => RowColumn;
  /** says that a cell counts as null, of which no row is lost */
  readonly unfit: NoteUnfit;
  /** says so of one that what is made of the rows leaves out, which is then not whole (LANG-066) */
  readonly leftOut: NoteUnfit;
}

function noteUnfit(feed: Feed): NoteUnfit {
  return (column, expected, cell, row) =>
    feed.log.add("cell_unfit", unfitDetail(column, expected, cell, "so it is null"), row);
}

/** Says of which columns the order is that of characters, and not that of the numbers in them (LANG-065). */
export async function tellNumbers(
  { engine, feed }: WholeStep,
  rows: RowSequence,
  columns: readonly RowColumn[],
): Promise<void> {
  for (const column of columns) {
    if (!(await engine.work(areNumbers(rows, column)))) continue;
    feed.log.add("text_order", numbersDetail(column.name));
  }
}

/**
 * Reads all rows of a source, or as many as are asked for, and hydrates what these paths name (RUN-057). Where a budget cuts that,
 * the step works on the rows in hand, and what it makes of them is marked (LANG-067, PLAN-051).
 * Throws SourceEnded.
 */
export async function wholeSource(
  engine: RunEngine,
  feed: Feed,
  source: Feed,
  paths: readonly Path[],
  demand: Demand = "all",
): Promise<WholeSource> {
  const cut = await source.needInHand(demand);
  // While it is open others may have it read on.
  const rows = demand === "all" ? source.rows : source.rows.slice();
  const isAll = source.ending.kind === "ended" && source.short === null;
  const names = neededNames(paths, rows);
  const holding = holdRows(rows, (row) => isWholeAndLacks(row, names));
  const lacking = await inSlices(holding, engine.pause);
  const stopped = await hydrate(engine, feed, wholeBases(lacking), names, names);
  const reason = cut ?? stopped?.reason ?? null;
  if (reason !== null) feed.mark(reason);
  const schema = schemaOf(engine, rows);
  const unfit = noteUnfit(feed);
  const leftOut: NoteUnfit = (...what) => {
    unfit(...what);
    feed.mark("cell_unfit");
  };
  const column = (read: PlanColumn | PlanKey): RowColumn => {
    if (isPath(read)) return rowColumn(schema, read);
    if (!("as" in read))
      return computedColumn(read, valueText(read), schema, fault(feed, rows.length));
    if ("cell" in read.value) return { ...rowColumn(schema, read.value.cell), name: read.as };
    return computedColumn(read.value, read.as, schema, fault(feed, rows.length));
  };
  return { rows, isAll, column, unfit, leftOut };
}

/** Says which values the cells of rows do not allow, once for each row: a step may read a row again. */
function fault(feed: Feed, rows: number): { readonly note: NoteFault; readonly read: () => void } {
  let taken = 0;
  return {
    read: () => {
      taken += 1;
    },
    note: (detail) => {
      if (taken > rows) return;
      feed.log.add("cell_unfit", detail);
      feed.mark("cell_unfit");
    },
  };
}

function computedColumn(
  value: PlanValue,
  name: string,
  schema: RowSchema,
  { note, read }: ReturnType<typeof fault>,
): RowColumn {
  const cells = (path: Path): RowValue => {
    const column = rowColumn(schema, path);
    return (row) => column.read(row) ?? null;
  };
  const work = new RowWork();
  const of = exactValue(value, cells, note, work);
  const type = "args" in value || "total" in value ? wordType(value.type) : JSON_TYPE;
  const exactly = (row: Row): Exact => {
    read();
    work.begin();
    return of(row);
  };
  return {
    name,
    type,
    read: (row) => settled(exactly(row)),
    exactly,
    computed: () => work.pieces(),
  };
}

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

/** What the key of a cell takes in memory while rows are compared, in bytes, besides what stands in it. */
const KEY_MEMORY = 32;

/**
 * What it takes in memory to tell rows apart by columns, or to bring them in order: a key for each cell, which
 * of an object is its text.
 */
export function* keysMemory(rows: RowSequence, columns: readonly RowColumn[]): Pausable<number> {
  let bytes = rows.length * columns.length * KEY_MEMORY;
  const open = columns.filter(
    ({ type, computed }) => computed !== undefined || type.kind === "json" || type.kind === "array",
  );
  if (open.length === 0) return bytes;
  let pieces = 0;
  const look = (row: Row): void => {
    pieces = open.length;
    for (const { read, computed } of open) {
      const cell = read(row);
      // A text of a column stands in its row; one that is computed is made for its key.
      const isMade = computed !== undefined && typeof cell === "string";
      const own = isMade || (typeof cell === "object" && cell !== null) ? sizeOf(cell).bytes : 0;
      bytes += own;
      pieces += cellWork(cell);
    }
    pieces += computedWork(open);
  };
  yield* visitEach(rows, look, () => pieces);
  return bytes;
}

type Names = readonly (string | null)[];

const namesOf = (state: JsonObject | null): Names => {
  const names = state?.["names"];
  return isArray(names) ? names.map((one) => (typeof one === "string" ? one : null)) : [];
};

/** A step that must see all rows and used up what the run may work: of a part of them it would be wrong (PLAN-053). */
function tooMuchWork({ engine, node }: MadeAtOnce): RunFailure {
  const name = rowsName(engine, node.id);
  const most = engine.budget.limits.work.toLocaleString("en-US");
  return new RunFailure(
    failure(
      "budget_exceeded",
      `Making ${name} takes more work than this run may do: ${most} units in all.`,
      "use fewer rows with .limit(n) or a narrower condition, or fewer conditions, keys, aggregates or columns, or raise the setting work",
    ),
  );
}

async function made(step: MadeAtOnce): Promise<RowSequence> {
  try {
    return await step.make();
  } catch (thrown) {
    throw thrown instanceof RunStop && thrown.reason === "work" ? tooMuchWork(step) : thrown;
  }
}

interface MadeAtOnce {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly node: PlanNode;
  /** the node as a cursor keeps it, with what it takes from other nodes filled in; null while that is not known */
  readonly known?: () => PlanNode | null;
  /** where a cursor left it */
  readonly state: JsonObject | null;
  readonly sources: readonly Feed[];
  readonly make: () => Promise<RowSequence>;
  /** whether what was made is whole, whatever is missing behind the rows of its sources */
  readonly isFull?: () => boolean;
}

/**
 * A node whose rows are made of all rows of its sources at once (LANG-067). Made anew after an effect,
 * it gives those that were not shown: known by name, or by their number (PLAN-083).
 */
export function wholeReader(step: MadeAtOnce): RowReader {
  const { feed, node, state, sources, known = () => node, isFull = () => false } = step;
  /** what the rows of earlier pages are known by */
  const before = namesOf(state);
  const names = (count: number): Names => {
    const own = feed.rows.slice(0, Math.max(0, count - before.length));
    return [...before, ...own.map(rowName)].slice(0, count);
  };
  return {
    sources,
    whole: true,
    async read() {
      const rows = await made(step);
      const end = { ended: true, full: isFull() };
      if (before.length === 0) return { rows, ...end };
      const shown = new ShownRows(withShown({}, before));
      return { rows: shown.dropBare(shown.drop([...rows])), ...end };
    },
    save(given) {
      const own = known();
      return own && { node: own, state: given === 0 ? {} : { names: names(given) }, used: 0 };
    },
    anew(from) {
      const own = known();
      return own && { node: own, state: from === 0 ? {} : { names: names(from) }, from: 0 };
    },
  };
}

/** The next rows of a source for a node that makes one row of each. */
interface TakenRows {
  readonly rows: readonly Row[];
  /** whether nothing comes after them */
  readonly last: boolean;
}

/**
 * Takes the rows after the first `used`: as many as the demand asks for, `have` being there, and of
 * those in hand as many ahead as it would take. Throws SourceEnded where the source ended without
 * more.
 */
export async function takeRows(
  source: Feed,
  used: number,
  have: number,
  demand: Demand,
): Promise<TakenRows> {
  const needed = typeof demand === "object" ? Math.max(1, demand.rows - have) : 1;
  const ahead = typeof demand === "object" ? (demand.ahead ?? 0) : Number.POSITIVE_INFINITY;
  const cut = await source.needInHand(demand === "all" ? "all" : { rows: used + needed, ahead });
  // Of all rows there may be too many to have them in hand at once: those that are left are taken next.
  const most = demand === "all" ? PORTION : needed + ahead;
  const rows = source.rows.slice(used, used + most);
  if (rows.length === 0 && cut !== null) throw new SourceEnded(source);
  return { rows, last: source.isUsedUp(used + rows.length) };
}

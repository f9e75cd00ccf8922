import { canonical, compareCells, contains, isEqual, isSame } from "./compare-cells.ts";
import { addDecimals, type Decimal, decimalOf, decimalText, meanOf } from "./decimals.ts";
import {
  type Cell,
  type Entity,
  entityOf,
  isList,
  isUnordered,
  keyedGet,
  type Param,
  type Row,
  type World,
} from "./model.ts";
import { computedCell, computedType } from "./computed.ts";
import type { Aggregate, ComputedKey, Condition, Path, Step, Value } from "./program.ts";
import { joined } from "./join-tables.ts";
import { equal, relatedRows, rowByReference, rowsOf, type State } from "./state.ts";
import {
  type Certain,
  type Column,
  columnAt,
  type Item,
  madeRows,
  type Table,
  typedAt,
  type Typed,
  wholeRows,
} from "./table.ts";

export interface Scope {
  readonly state: State;
  readonly labels: ReadonlyMap<string, Table>;
}

/** The row that `_` is. */
export interface Holder {
  readonly table: Table;
  readonly item: Item;
}

/** What a value is: itself, made of the row at hand, or a cell of the one row of a label. */
export function valueIn(scope: Scope, value: Value, at: Holder | null): Cell {
  const { state, labels } = scope;
  if (value.kind === "literal") return value.value;
  if (value.kind === "computed" || value.kind === "related") {
    if (at === null) throw new Error("no row to compute of");
    return value.kind === "related"
      ? relatedCell(scope, value, at)
      : computedAt(state, at.table, at.item, value).cell;
  }
  if (value.of === "_" && at !== null) return typedAt(state, at.table, at.item, value.path).cell;
  const table = labels.get(value.of);
  const [item] = table?.items ?? [];
  if (table === undefined || item === undefined) throw new Error(`no row of ${value.of}`);
  return typedAt(state, table, item, value.path).cell;
}

/** What is computed of a cell of a row. */
function computedAt(
  state: State,
  table: Table,
  item: Item,
  { fn, path }: Pick<ComputedKey, "fn" | "path">,
): Typed {
  const { type, cell } = typedAt(state, table, item, path);
  return { type: computedType(fn, type), target: null, cell: computedCell(fn, type, cell) };
}

/** The table that the rows of a relation of one row are. */
function relatedTable({ state }: Scope, { table, item }: Holder, relation: string): Table {
  const { entity } = table;
  const found = entity?.relations.find(({ name }) => name === relation);
  if (entity === null || found === undefined || item.row === null) {
    throw new Error(`no relation ${relation}`);
  }
  return wholeRows(
    entityOf(state.world, found.target),
    relatedRows(state, entity, found, item.row),
  );
}

function relatedCell(scope: Scope, value: Extract<Value, { kind: "related" }>, at: Holder): Cell {
  const rows = relatedTable(scope, at, value.relation);
  const path = value.column === null ? null : [value.column];
  return aggregated(scope, rows, rows.items, { as: "", fn: value.fn, path });
}

/** The values right of `in`: each by itself, or a whole column without its nulls. */
function valuesIn(scope: Scope, values: readonly Value[]): readonly Cell[] {
  return values.flatMap((value) => {
    if (value.kind !== "column") return [valueIn(scope, value, null)];
    const table = scope.labels.get(value.of);
    if (table === undefined) throw new Error(`no label ${value.of}`);
    const cells = table.items.map((item) => typedAt(scope.state, table, item, value.path).cell);
    return cells.filter((cell) => cell !== null);
  });
}

function compares({ cell, type }: Typed, op: string, wanted: Cell): boolean {
  const isList = type === "words" || type === "options";
  switch (op) {
    case "=":
      return isList ? has(cell, wanted) : isEqual(type, cell, wanted);
    case "!=":
      return isList ? !has(cell, wanted) : !isEqual(type, cell, wanted);
    case "~":
      return contains(cell, wanted);
    default: {
      if (cell === null) return false;
      const order = compareCells(type, cell, wanted);
      if (op === "<") return order < 0;
      if (op === "<=") return order <= 0;
      return op === ">" ? order > 0 : order >= 0;
    }
  }
}

/** Whether a condition finds something: an empty list is nothing. */
const hasValue = (cell: Cell): boolean =>
  cell !== null && !(Array.isArray(cell) && cell.length === 0);

const has = (cell: Cell, wanted: Cell): boolean =>
  Array.isArray(cell) && cell.some((each: Cell) => canonical(each) === canonical(wanted));

function paramOf(scope: Scope, entity: Entity | null, name: string): Param {
  const found = scope.state.world.capabilities
    .filter((each) => each.entity === entity?.name)
    .flatMap(({ params }) => params)
    .find((param) => param.name === name && param.keeps.kind !== "field");
  if (found === undefined) throw new Error(`no filter ${name}`);
  return found;
}

function isKept({ state }: Scope, row: Row, param: Param, value: Cell): boolean {
  const { keeps } = param;
  if (keeps.kind === "hidden") return equal(row.hidden[param.name] ?? null, value);
  if (keeps.kind !== "related") throw new Error(`${param.name} is no filter`);
  const parent = entityOf(state.world, keeps.entity);
  const relation = parent.relations.find(({ name }) => name === keeps.relation);
  const of = rowByReference(state, parent.name, value);
  if (relation === undefined || of === undefined) return false;
  return relatedRows(state, parent, relation, of).some(({ at }) => at === row.at);
}

/** Whether all conditions hold of a row. */
export function holds(
  scope: Scope,
  table: Table,
  item: Item,
  conditions: readonly Condition[],
): boolean {
  const typed = (path: Path): Typed => typedAt(scope.state, table, item, path);
  const one = (condition: Condition): boolean => {
    switch (condition.kind) {
      case "compare":
        return compares(typed(condition.path), condition.op, valueIn(scope, condition.value, null));
      case "computed": {
        const at = computedAt(scope.state, table, item, condition);
        return compares(at, condition.op, valueIn(scope, condition.value, null));
      }
      case "in": {
        const at = typed(condition.path);
        return valuesIn(scope, condition.values).some((value) => compares(at, "=", value));
      }
      case "exists":
        return hasValue(typed(condition.path).cell);
      case "is_null":
        return (typed(condition.path).cell === null) !== condition.negated;
      case "param": {
        const param = paramOf(scope, table.entity, condition.param);
        const value = valueIn(scope, condition.value, null);
        return item.row !== null && isKept(scope, item.row, param, value);
      }
      case "any":
        return condition.items.some(one);
      case "all":
        return condition.items.every(one);
      case "not":
        return !condition.items.every(one);
    }
  };
  return conditions.every(one);
}

function sorted(scope: Scope, table: Table, { by }: Extract<Step, { kind: "sort" }>): Table {
  const compare = (a: Item, b: Item): number => {
    for (const { path, desc } of by) {
      const [left, right] = [
        typedAt(scope.state, table, a, path),
        typedAt(scope.state, table, b, path),
      ];
      if (left.cell === null || right.cell === null) {
        const nulls = Number(left.cell === null) - Number(right.cell === null);
        if (nulls !== 0) return nulls;
        continue;
      }
      const order = compareCells(left.type, left.cell, right.cell);
      if (order !== 0) return desc ? -order : order;
    }
    return 0;
  };
  const { certain } = table;
  return { ...table, items: table.items.toSorted(compare), certain };
}

/** Items of one combination of cells together, in the order in which each first appears. */
function grouped(
  { state }: Scope,
  table: Table,
  paths: readonly Path[],
  computed: readonly ComputedKey[] = [],
): readonly (readonly Item[])[] {
  const groups: Item[][] = [];
  const keys = (item: Item): readonly Typed[] => [
    ...paths.map((path) => typedAt(state, table, item, path)),
    ...computed.map((key) => computedAt(state, table, item, key)),
  ];
  const same = (a: Item, b: Item): boolean => {
    const others = keys(b);
    return keys(a).every(({ type, cell }, at) => isSame(type, cell, others[at]?.cell ?? null));
  };
  for (const item of table.items) {
    const group = groups.find(([first]) => first !== undefined && same(first, item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

const NUMBERS: readonly string[] = ["integer", "number"];

function aggregated(
  scope: Scope,
  table: Table,
  items: readonly Item[],
  { fn, path }: Aggregate,
): Cell {
  if (path === null) return items.length;
  const typed = items.map((item) => typedAt(scope.state, table, item, path));
  const filled = typed.filter(({ cell }) => cell !== null);
  if (fn === "count") return filled.length;
  if (fn === "min" || fn === "max") {
    const [first, ...rest] = filled;
    if (first === undefined) return null;
    const better = (a: Typed, b: Typed): boolean => {
      const order = compareCells(a.type, a.cell, b.cell);
      return fn === "min" ? order < 0 : order > 0;
    };
    return rest.reduce((best, each) => (better(each, best) ? each : best), first).cell;
  }
  const numbers = filled.map(({ cell }) => decimalOf(cell)).filter((each) => each !== null);
  const zero: Decimal = { units: 0n, scale: 0 };
  if (fn === "sum") return decimalText(numbers.reduce(addDecimals, zero));
  return numbers.length === 0 ? null : decimalText(meanOf(numbers));
}

const aggregateColumn = (scope: Scope, table: Table, { as, fn, path }: Aggregate): Column => {
  if (path === null || fn === "count") return { name: as, type: "integer", target: null };
  const { type } = columnAt(scope.state, table, path);
  // The least and the greatest of whole numbers are whole.
  const isMeasured = NUMBERS.includes(type) && (fn === "sum" || fn === "avg");
  return { name: as, type: isMeasured ? "number" : type, target: null };
};

const cells = (
  scope: Scope,
  table: Table,
  items: readonly Item[],
  aggregates: readonly Aggregate[],
) => Object.fromEntries(aggregates.map((each) => [each.as, aggregated(scope, table, items, each)]));

/**
 * Whether conditions make other reads of one list, which come in an order of their own: keys that are listed are
 * read one by one (LANG-027), and a condition behind a reference may become a list for each row that it names.
 */
export function choosesReads(world: World, entity: Entity, items: readonly Condition[]): boolean {
  const isListed = (name: string): boolean =>
    world.capabilities.some(
      (each) =>
        each.entity === entity.name &&
        isList(each) &&
        each.params.some((param) => param.name === name),
    );
  return items.some((item) => {
    switch (item.kind) {
      case "any":
      case "all":
      case "not":
        return choosesReads(world, entity, item.items);
      case "param":
        return false;
      case "in":
      case "compare":
      case "computed":
      case "exists":
      case "is_null": {
        const [first = "", ...behind] = item.path;
        const isKey = item.kind === "in" && entity.key.includes(item.path.join("."));
        return isKey || (behind.length > 0 && isListed(first));
      }
    }
  });
}

/** What is certain of a step that sees all rows, where some of them may be kept back. */
const toldUnlessExact = ({ certain }: Table): Certain =>
  certain === "exact" || certain === "open" ? certain : "told";

/** What is certain of a step that keeps the first of several. */
const firstOf = (table: Table, kept: number): Certain =>
  table.ordered || kept === table.items.length ? toldUnlessExact(table) : "open";

function followed(scope: Scope, table: Table, step: Extract<Step, { kind: "follow" }>): Table {
  const { state } = scope;
  const { entity } = table;
  if (entity === null) throw new Error("rows of nothing have no relations");
  const relation = entity.relations.find(({ name }) => name === step.name);
  const field = entity.fields.find(({ name, type }) => name === step.name && type === "ref");
  const target = entityOf(state.world, relation?.target ?? field?.target ?? "");
  const rows = table.items.flatMap(({ row }): readonly Row[] => {
    if (row === null) throw new Error("a row without identity");
    if (relation !== undefined) return relatedRows(state, entity, relation, row);
    const to = rowByReference(state, target.name, row.cells[step.name]);
    return to === undefined ? [] : [to];
  });
  const listed =
    relation?.via.kind === "query_scoped" ||
    relation?.via.kind === "query_scoped_bindings" ||
    (relation?.many === true && relation.via.kind === "none");
  // Rows that stand in others do not have the keys that lists have, and nothing can be asked for them.
  const unsaid =
    table.inside && relation?.via.kind === "none" && keyedGet(state.world, entity.name) === null;
  const kept = unsaid || (listed && mayKeepBack(state, target)) ? "some" : "exact";
  // A reference to a row that an effect took away still has its key, which is all that some programs ask for.
  const dangles =
    field !== undefined &&
    table.items.some(({ row }) => {
      const to = row?.cells[field.name] ?? null;
      return to !== null && rowByReference(state, target.name, to) === undefined;
    });
  const certain = dangles ? "open" : table.certain === "exact" ? kept : table.certain;
  const single = table.single && relation?.many !== true;
  // Rows of a parent that is kept back come first elsewhere.
  const ordered =
    table.ordered &&
    certain === "exact" &&
    !(listed && isUnordered(state.world, target.name)) &&
    !choosesReads(state.world, target, step.items);
  const inside = relation?.via.kind === "from_parent_get";
  const found = wholeRows(target, [...new Set(rows)], { single, ordered, inside, certain });
  return { ...found, items: found.items.filter((item) => holds(scope, found, item, step.items)) };
}

const mayKeepBack = (state: State, { name }: Entity): boolean =>
  state.world.capabilities.some(
    (each) =>
      each.entity === name &&
      "paging" in each &&
      each.paging.kind === "undeclared" &&
      rowsOf(state, name).length > each.paging.size,
  );

/** A row of each combination of keys, with what its rows come to. */
function groupedBy(scope: Scope, table: Table, step: Extract<Step, { kind: "group_by" }>): Table {
  const keys = step.paths.map((path) => columnAt(scope.state, table, path));
  const columns = [
    ...keys,
    ...step.computed.map(({ as, fn, path }): Column => ({
      name: as,
      type: computedType(fn, columnAt(scope.state, table, path).type),
      target: null,
    })),
    ...step.aggregates.map((each) => aggregateColumn(scope, table, each)),
  ];
  const items = grouped(scope, table, step.paths, step.computed).map((group): Item => {
    const [first] = group;
    if (first === undefined) throw new Error("a group of nothing");
    const own = step.paths.map((path) => [
      path.join("."),
      typedAt(scope.state, table, first, path).cell,
    ]);
    const made = step.computed.map((key) => [
      key.as,
      computedAt(scope.state, table, first, key).cell,
    ]);
    return {
      row: null,
      cells: {
        ...Object.fromEntries([...own, ...made]),
        ...cells(scope, table, group, step.aggregates),
      },
    };
  });
  const { ordered } = table;
  return madeRows(columns, items, { single: false, ordered, certain: toldUnlessExact(table) });
}

/** What a step makes of rows. */
export function evaluateStep(scope: Scope, table: Table, step: Step): Table {
  switch (step.kind) {
    case "filter":
      return {
        ...table,
        ordered:
          table.ordered &&
          (table.entity === null || !choosesReads(scope.state.world, table.entity, step.items)),
        items: table.items.filter((item) => holds(scope, table, item, step.items)),
      };
    case "sort":
      return sorted(scope, table, step);
    case "limit": {
      const { count, per } = step;
      const groups = per === null ? [table.items] : grouped(scope, table, [per]);
      const kept = new Set(groups.flatMap((group) => group.slice(0, count)));
      return {
        ...table,
        items: table.items.filter((item) => kept.has(item)),
        single: table.single || (per === null && count === 1),
        certain: firstOf(table, kept.size),
      };
    }
    case "page_size":
      return table;
    case "join":
      return joined(scope.state, table, scope.labels.get(step.label), step);
    case "singleton":
      return { ...table, single: true };
    case "distinct": {
      const groups = grouped(scope, table, step.paths);
      const items = groups.flatMap(([first]) => (first === undefined ? [] : [first]));
      return { ...table, items, certain: firstOf(table, items.length) };
    }
    case "project": {
      const columns = step.paths.map((path) => columnAt(scope.state, table, path));
      const items = table.items.map((item) => {
        const entries = step.paths.map((path) => [
          path.join("."),
          typedAt(scope.state, table, item, path).cell,
        ]);
        return { row: item.row, cells: Object.fromEntries(entries) as Item["cells"] };
      });
      return { ...table, whole: false, columns, items };
    }
    case "follow":
      return followed(scope, table, step);
    case "aggregate": {
      const columns = step.aggregates.map((each) => aggregateColumn(scope, table, each));
      const items = [{ row: null, cells: cells(scope, table, table.items, step.aggregates) }];
      return madeRows(columns, items, {
        single: true,
        ordered: true,
        certain: toldUnlessExact(table),
      });
    }
    case "group_by":
      return groupedBy(scope, table, step);
  }
}

import type { Choices } from "./choices.ts";
import { computedCell, computedType, drawFunction } from "./computed.ts";
import { drawValue, SOUGHT } from "./draw-values.ts";
import { type Cell, entityOf, type FieldType, keyedGet, type World } from "./model.ts";
import type { Condition, Operator, Path, Value } from "./program.ts";
import { referenceTo, rowsOf } from "./state.ts";
import { type Column, columnsOf, type Table, typedAt } from "./table.ts";
import type { Run } from "./evaluate.ts";

const EQUALITY: readonly [Operator, ...Operator[]] = ["=", "!="];
const ORDER: readonly [Operator, ...Operator[]] = ["=", "!=", "<", "<=", ">", ">="];

/** The operators of a type (LANG-050). */
function operatorsOf(type: FieldType): readonly [Operator, ...Operator[]] {
  switch (type) {
    case "text":
      return [...ORDER, "~"];
    case "uuid":
    case "integer":
    case "number":
    case "day":
    case "instant":
    case "unix_sec":
    case "unix_ms":
      return ORDER;
    case "words":
    case "options":
      return ["~", "=", "!="];
    case "json":
      return ["~"];
    default:
      return EQUALITY;
  }
}

/** A column, or what stands behind a reference, with what it is. */
export interface Reached extends Column {
  readonly path: Path;
}

/** Columns of rows, and with `deep` those of the rows that they refer to and that can be read. */
export function reachable(world: World, table: Table, deep: boolean): readonly Reached[] {
  const own = table.columns.map((column) => ({ ...column, path: column.name.split(".") }));
  if (!deep || table.entity === null || !table.whole) return own;
  const behind = table.columns.flatMap((column): readonly Reached[] => {
    if (column.type !== "ref" || column.target === null) return [];
    if (keyedGet(world, column.target) === null) return [];
    const target = entityOf(world, column.target);
    return columnsOf(target).map((each) => ({ ...each, path: [column.name, each.name] }));
  });
  return [...own, ...behind];
}

/** A value that a slot of this type takes: mostly one that occurs. */
export function drawLiteral(
  choices: Choices,
  run: Run,
  column: Pick<Column, "type" | "target">,
  occurring: readonly Cell[],
): Value | null {
  const { type, target } = column;
  const known = occurring.filter((cell) => cell !== null && cell !== "");
  const literal = (value: Cell): Value => ({ kind: "literal", type, target, value });
  if (type === "ref") {
    const entity = entityOf(run.state.world, target ?? "");
    const refs = rowsOf(run.state, entity.name).map((row) => referenceTo(entity, row));
    const value = choices.pickAny([...known, ...refs]);
    return value === null ? null : literal(value);
  }
  if (type === "json") return null;
  if (known.length > 0 && choices.chance(75)) return literal(choices.pickAny(known));
  const options = type === "select" || type === "options" ? optionsIn(run.state.world) : [];
  // An empty text names no row.
  const drawn = drawValue(choices, { type, options });
  return literal(drawn === "" ? "ann" : drawn);
}

const optionsIn = ({ entities }: World): readonly string[] =>
  entities.flatMap(({ fields }) => fields).find(({ options }) => options.length > 0)?.options ?? [];

const cellsAt = (run: Run, table: Table, path: Path): readonly Cell[] =>
  table.items.map((item) => typedAt(run.state, table, item, path).cell);

function drawComparison(choices: Choices, run: Run, table: Table, at: Reached): Condition | null {
  const op = choices.pick(operatorsOf(at.type));
  const { path } = at;
  const cells = cellsAt(run, table, path);
  if (op === "~" || at.type === "words" || at.type === "options") {
    const elements = cells.flatMap((cell) =>
      Array.isArray(cell) ? (cell as readonly Cell[]) : [],
    );
    const text = choices.pickAny(
      at.type === "options" ? optionsIn(run.state.world) : [...elements, ...SOUGHT],
    );
    const value = { kind: "literal", type: "text", target: null, value: text } as const;
    return at.type === "json" ? null : { kind: "compare", path, op, value };
  }
  if (["instant", "unix_sec", "unix_ms"].includes(at.type) && choices.chance(30)) {
    const day = drawValue(choices, { type: "day", options: [] });
    return {
      kind: "compare",
      path,
      op,
      value: { kind: "literal", type: "day", target: null, value: day },
    };
  }
  const value = drawLiteral(choices, run, at, cells);
  return value === null ? null : { kind: "compare", path, op, value };
}

/** A comparison of what is computed of a cell with what is computed of some cell, or of nothing that occurs. */
function drawComputed(choices: Choices, run: Run, table: Table, at: Reached): Condition | null {
  const fn = drawFunction(choices, at.type);
  if (fn === null) return null;
  const type = computedType(fn, at.type);
  const cells = cellsAt(run, table, at.path).filter((cell) => cell !== null && cell !== "");
  const cell = choices.pickAny(cells) ?? drawValue(choices, { type: at.type, options: [] });
  const value = {
    kind: "literal",
    type,
    target: null,
    value: computedCell(fn, at.type, cell),
  } as const;
  const op = choices.pick(type === "text" ? EQUALITY : ORDER);
  return { kind: "computed", fn, path: at.path, op, value };
}

function drawIn(choices: Choices, run: Run, table: Table, at: Reached): Condition | null {
  if (["words", "options", "json"].includes(at.type)) return null;
  const cells = cellsAt(run, table, at.path);
  const count = 1 + choices.below(3);
  const values: Value[] = [];
  for (let drawn = 0; drawn < count; drawn += 1) {
    const value = drawLiteral(choices, run, at, cells);
    if (value !== null) values.push(value);
  }
  return values.length === 0 ? null : { kind: "in", path: at.path, values };
}

/** A column of an earlier label that holds what this one does. */
function drawInColumn(choices: Choices, run: Run, at: Reached): Condition | null {
  const found = [...run.labels].flatMap(([label, table]) =>
    table.certain !== "exact"
      ? []
      : table.columns
          .filter(
            ({ type, target, name }) =>
              type === at.type && target === at.target && !name.includes("."),
          )
          .map(({ name }) => [label, name] as const),
  );
  const column = choices.pickAny(found);
  if (column === null || ["words", "options", "json"].includes(at.type)) return null;
  const [of, name] = column;
  return { kind: "in", path: at.path, values: [{ kind: "column", of, path: [name] }] };
}

const GROUPS = ["any", "all", "not"] as const;

function drawGroup(
  choices: Choices,
  run: Run,
  table: Table,
  depth: number,
  deep: boolean,
): Condition | null {
  const count = 1 + choices.below(3);
  const items: Condition[] = [];
  for (let drawn = 0; drawn < count; drawn += 1) {
    const item = drawCondition(choices, run, table, depth - 1, deep);
    if (item !== null) items.push(item);
  }
  return items.length === 0 ? null : { kind: choices.pick(GROUPS), items };
}

/** Draws a condition on rows that are at hand; null where none comes of it. */
function drawCondition(
  choices: Choices,
  run: Run,
  table: Table,
  depth: number,
  deep: boolean,
): Condition | null {
  const kind = choices.below(11);
  if (kind === 9 && depth > 0) return drawGroup(choices, run, table, depth, deep);
  const at = choices.pickAny(reachable(run.state.world, table, deep));
  if (at === null) return null;
  switch (kind) {
    case 5:
      return { kind: "exists", path: at.path };
    case 6:
      return { kind: "is_null", path: at.path, negated: choices.chance(50) };
    case 7:
      return drawIn(choices, run, table, at);
    case 8:
      return drawInColumn(choices, run, at);
    case 10:
      return drawComputed(choices, run, table, at);
    default:
      return drawComparison(choices, run, table, at);
  }
}

/** Draws up to so many conditions. */
export function drawConditions(
  choices: Choices,
  run: Run,
  table: Table,
  most: number,
  deep: boolean,
): readonly Condition[] {
  const count = choices.below(most + 1);
  const drawn: Condition[] = [];
  for (let at = 0; at < count; at += 1) {
    const condition = drawCondition(choices, run, table, 2, deep);
    if (condition !== null) drawn.push(condition);
  }
  return drawn;
}

import type { Choices } from "./choices.ts";
import { drawFunction } from "./computed.ts";
import { drawConditions, reachable, type Reached } from "./draw-conditions.ts";
import type { Run } from "./evaluate.ts";
import { evaluateStep } from "./evaluate-steps.ts";
import { type Entity, keyedGet, type Relation } from "./model.ts";
import type { Aggregate, ComputedKey, Path, Step } from "./program.ts";
import { relatedRows } from "./state.ts";
import type { Column, Table } from "./table.ts";

/** How rows came about: what stands inside them is at hand, or needs their get. */
export type Origin = "get" | "list" | "other";

/** Rows as far as a chain is drawn. */
export interface Drawing {
  readonly table: Table;
  readonly origin: Origin;
}

const UNORDERED: readonly string[] = ["words", "options", "json"];
const DATES: readonly string[] = ["day", "instant", "unix_sec", "unix_ms"];

const sortable = (at: Reached): boolean => !UNORDERED.includes(at.type);

export function canFollow(
  run: Run,
  { table, origin }: Drawing,
  entity: Entity,
  relation: Relation,
): boolean {
  const { world } = run.state;
  const { via, many } = relation;
  const rows = table.items.map(({ row }) => row).filter((row) => row !== null);
  const each = (has: (related: number) => boolean): boolean =>
    rows.every((row) => has(relatedRows(run.state, entity, relation, row).length));
  switch (via.kind) {
    case "none":
      return !many && keyedGet(world, relation.target) !== null;
    case "query_scoped":
      return true;
    case "query_scoped_bindings":
      return rows.every((row) => (row.cells[via.field] ?? null) !== null);
    case "get_scoped_bindings":
      return each((related) => related === 1);
    case "from_parent_get":
      if (origin === "get" || (origin === "list" && via.inLists)) return true;
      return keyedGet(world, entity.name) !== null;
  }
}

function drawFollow(choices: Choices, run: Run, drawing: Drawing): Step | null {
  const { table } = drawing;
  const { entity } = table;
  const { world } = run.state;
  if (entity === null) return null;
  const relations = entity.relations.filter((each) => canFollow(run, drawing, entity, each));
  const refs = entity.fields.filter(
    ({ type, target }) => type === "ref" && target !== null && keyedGet(world, target) !== null,
  );
  const step = choices.pickAny([...relations, ...refs]);
  if (step === null) return null;
  const bare: Step = { kind: "follow", name: step.name, items: [] };
  if (!choices.chance(30)) return bare;
  const items = drawConditions(choices, run, evaluateStep(run, table, bare), 2, false);
  return { ...bare, items };
}

const aggregable = (at: Reached): boolean =>
  at.type === "number" || at.type === "integer" || at.type === "text" || DATES.includes(at.type);

const ENDS = ["min", "max"] as const;
const MEASURES = ["sum", "avg", ...ENDS] as const;

function drawAggregates(choices: Choices, run: Run, table: Table): readonly Aggregate[] {
  const columns = reachable(run.state.world, table, false);
  const count = 1 + choices.below(3);
  const drawn: Aggregate[] = [];
  for (let at = 0; at < count; at += 1) {
    const [as = ""] = [`n${at}`, `k${at}`, `q${at}`].filter(
      (name) => !table.columns.some((column) => column.name === name),
    );
    const counted = choices.pickAny(columns);
    const measured = choices.pickAny(columns.filter(aggregable));
    const numeric = measured?.type === "number" || measured?.type === "integer";
    const fn = numeric ? choices.pick(MEASURES) : choices.pick(ENDS);
    if (choices.chance(30) && counted !== null) drawn.push({ as, fn: "count", path: counted.path });
    else if (choices.chance(60) && measured !== null) drawn.push({ as, fn, path: measured.path });
    else drawn.push({ as, fn: "count", path: null });
  }
  return drawn;
}

function pathsOf(choices: Choices, columns: readonly Reached[], most: number): readonly Path[] {
  const first = choices.pickAny(columns);
  if (first === null) return [];
  const others = choices.some(columns, most - 1).filter((each) => each !== first);
  return [first, ...others].map(({ path }) => path);
}

/** Columns by which rows meet others: of one type, and none of them behind a reference. */
function drawPairs(choices: Choices, own: readonly Reached[], others: readonly Column[]) {
  const found = own.flatMap(({ name, type, target }) =>
    others
      .filter((each) => each.type === type && each.target === target && !UNORDERED.includes(type))
      .map((each) => [name, each.name] as const),
  );
  const direct = found.filter((pair) => pair.every((name) => !name.includes(".")));
  const first = choices.pickAny(direct);
  if (first === null) return [];
  const second = choices.chance(15) ? choices.pickAny(direct) : null;
  return second === null || second[0] === first[0] ? [first] : [first, second];
}

function drawJoin(choices: Choices, run: Run, table: Table): Step | null {
  const label = choices.pickAny([...run.labels.keys()]);
  const right = run.labels.get(label ?? "");
  if (label === null || right === undefined) return null;
  // What is joined to rows twice would have its columns twice.
  if (table.columns.some(({ name }) => name.startsWith(`${label}.`))) return null;
  const pairs = drawPairs(choices, reachable(run.state.world, table, false), right.columns);
  return pairs.length === 0 ? null : { kind: "join", label, pairs, outer: choices.chance(40) };
}

function drawComputedKeys(choices: Choices, columns: readonly Reached[]): readonly ComputedKey[] {
  const at = choices.pickAny(columns);
  const fn = at === null || !choices.chance(40) ? null : drawFunction(choices, at.type);
  return at === null || fn === null ? [] : [{ as: "made", fn, path: at.path }];
}

/** Draws a step that rows can take; null where none comes of it. */
export function drawStep(choices: Choices, run: Run, drawing: Drawing): Step | null {
  const { table } = drawing;
  const { world } = run.state;
  const columns = reachable(world, table, true);
  switch (choices.below(11)) {
    case 0: {
      const items = drawConditions(choices, run, table, 2, true);
      return items.length === 0 ? null : { kind: "filter", items };
    }
    case 1: {
      const paths = pathsOf(choices, columns.filter(sortable), 2);
      const by = paths.map((path) => ({ path, desc: choices.chance(50) }));
      return by.length === 0 ? null : { kind: "sort", by };
    }
    case 2: {
      const count = 1 + choices.below(5);
      const per = choices.chance(30)
        ? choices.pickAny(reachable(world, table, false).filter(sortable))
        : null;
      return { kind: "limit", count, per: per?.path ?? null };
    }
    case 3: {
      const own = reachable(world, table, false).filter(sortable);
      const paths = pathsOf(choices, own, 2);
      return paths.length === 0 ? null : { kind: "distinct", paths };
    }
    case 4:
    case 5: {
      const paths = pathsOf(choices, columns, 4);
      return paths.length === 0 ? null : { kind: "project", paths };
    }
    case 6:
    case 7:
      return drawFollow(choices, run, drawing);
    case 8: {
      const paths = pathsOf(choices, columns.filter(sortable), 2);
      if (paths.length === 0 || choices.chance(40)) {
        return { kind: "aggregate", aggregates: drawAggregates(choices, run, table) };
      }
      const computed = drawComputedKeys(choices, columns);
      return { kind: "group_by", paths, computed, aggregates: drawAggregates(choices, run, table) };
    }
    case 9:
      return drawJoin(choices, run, table);
    default:
      return table.items.length === 1 && table.certain === "exact" ? { kind: "singleton" } : null;
  }
}

/** Where rows come from once a step was taken. */
export const originAfter = (origin: Origin, step: Step): Origin =>
  step.kind === "follow" ? "other" : origin;

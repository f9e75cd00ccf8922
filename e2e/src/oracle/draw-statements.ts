import type { Choices } from "./choices.ts";
import { drawConditions, drawLiteral } from "./draw-conditions.ts";
import { drawMistake } from "./draw-mistakes.ts";
import { drawCall, drawKey, drawTail } from "./draw-tails.ts";
import { type Drawing, drawStep, originAfter, type Origin } from "./draw-steps.ts";
import { SOUGHT } from "./draw-values.ts";
import { evaluateNode, isEffect, type Run, startRun } from "./evaluate.ts";
import { evaluateStep } from "./evaluate-steps.ts";
import {
  capabilitiesOf,
  type Capability,
  type Entity,
  entityOf,
  isList,
  keyedGet,
  type ListCapability,
  type Param,
  type World,
} from "./model.ts";

import type { Condition, Node, Program, Source, Statement, Step } from "./program.ts";
import { referenceTo, rowsOf } from "./state.ts";
import type { Table } from "./table.ts";

const MOST_STEPS = 4;
const MOST_STATEMENTS = 4;

const isOpen = (list: ListCapability): boolean =>
  list.kind === "query" && list.shows === null && list.params.every(({ required }) => !required);

/** A filter that no field shows, with a value that some row has. */
function drawParam(choices: Choices, run: Run, entity: Entity, param: Param): Condition | null {
  const { name, keeps, type, target } = param;
  if (keeps.kind === "hidden") {
    const marks = rowsOf(run.state, entity.name).map(({ hidden }) => hidden[name] ?? null);
    const value = drawLiteral(choices, run, { type, target }, marks);
    return value === null ? null : { kind: "param", param: name, value };
  }
  const parent = entityOf(run.state.world, target ?? "");
  const row = choices.pickAny(rowsOf(run.state, parent.name));
  if (row === null) return null;
  const value = { kind: "literal", type, target, value: referenceTo(parent, row) } as const;
  return keeps.kind === "field"
    ? { kind: "compare", path: [keeps.field], op: "=", value }
    : { kind: "param", param: name, value };
}

/** The fields by which lists of an entity are scoped: a condition on two of them fits no list. */
const scoping = (world: World, entity: Entity): readonly string[] =>
  capabilitiesOf(world, entity.name).flatMap(({ params }) =>
    params.filter(({ required, role }) => required && role === "scope").map(({ name }) => name),
  );

/** Whether a condition names one of these fields. */
const namesScope = (condition: Condition, names: readonly string[]): boolean => {
  if (condition.kind === "all") return condition.items.some((item) => namesScope(item, names));
  return (
    (condition.kind === "compare" || condition.kind === "in") &&
    condition.path.length === 1 &&
    names.includes(condition.path[0] ?? "")
  );
};

function drawList(choices: Choices, run: Run, entity: Entity): Source | null {
  const { world } = run.state;
  const lists = capabilitiesOf(world, entity.name).filter(isList);
  const list = choices.pickAny(
    lists.filter(({ kind, shows }) => kind === "query" && shows === null),
  );
  if (list === null) return null;
  const params = list.params.filter(({ required, keeps }) => required || keeps.kind === "hidden");
  const asked = params.filter(({ required }) => required || choices.chance(30));
  const set = asked.map((param) => drawParam(choices, run, entity, param));
  if (set.includes(null)) return null;
  const source: Source = {
    kind: "list",
    entity: entity.name,
    items: set.filter((each) => each !== null),
  };
  const table = evaluateNode(run, { kind: "chain", source, steps: [], tail: null });
  const names = scoping(world, entity);
  const more = drawConditions(choices, run, table, 2, true).filter(
    (each) => !namesScope(each, names),
  );
  return { ...source, items: [...source.items, ...more] };
}

/** Whether a capability reads the row of whoever asks, and that row is still there. */
function isViewerOf({ state }: Run, each: Capability): boolean {
  if (each.kind !== "get" || typeof each.answers !== "object" || !("row" in each.answers))
    return false;
  const { row } = each.answers;
  return rowsOf(state, each.entity).some(({ at }) => at === row);
}

function drawSource(choices: Choices, run: Run): { source: Source; origin: Origin } | null {
  const { world } = run.state;
  const entity = choices.pickAny(world.entities);
  if (entity === null) return null;
  const capabilities = capabilitiesOf(world, entity.name);
  const viewer = capabilities.find((each) => isViewerOf(run, each));
  const open = capabilities.some((each) => isList(each) && isOpen(each));
  switch (choices.below(7)) {
    case 6: {
      const named = choices.pickAny(
        capabilities.filter(isList).filter(({ shows }) => shows !== null),
      );
      if (named === null) return null;
      return { source: { kind: "named", entity: entity.name, label: named.label }, origin: "list" };
    }
    case 3: {
      const key = keyedGet(world, entity.name) === null ? null : drawKey(choices, run, entity);
      return key === null
        ? null
        : { source: { kind: "get", entity: entity.name, key }, origin: "get" };
    }
    case 4: {
      if (!capabilities.some(({ kind }) => kind === "search")) return null;
      const words = choices.pick(SOUGHT);
      return { source: { kind: "search", entity: entity.name, words, items: [] }, origin: "list" };
    }
    case 5:
      return viewer === undefined
        ? null
        : { source: { kind: "viewer", entity: entity.name, label: viewer.label }, origin: "get" };
    default: {
      if (!open && !capabilities.some(isList)) return null;
      const source = drawList(choices, run, entity);
      return source === null ? null : { source, origin: "list" };
    }
  }
}

/** A create whose API answers nothing has rows by its type, and none in fact (RUN-040). */
const answersNothing = ({ columns }: Table, node: Node): boolean =>
  node.kind === "call" && node.key === null && columns[0]?.name === "ok";

const ended = (step: Step): boolean => step.kind === "aggregate" || step.kind === "group_by";

/** A step whose filter names no scope: rows of a list have theirs, and another one fits no list. */
function withinScope(world: World, { table, origin }: Drawing, step: Step | null): Step | null {
  if (step?.kind !== "filter" || table.entity === null || origin === "get") return step;
  const names = scoping(world, table.entity);
  const items = step.items.filter((each) => !namesScope(each, names));
  return items.length === 0 ? null : { ...step, items };
}

/**
 * Rows of a join that are shown bare have the columns that their reads gave; those that are named are read. Null where
 * a step behind the join names them already.
 */
function namedAfterJoin(choices: Choices, steps: readonly Step[], table: Table): Step | null {
  const join = steps.findLastIndex(({ kind }) => kind === "join");
  const isNamed = steps.slice(join + 1).some((step) => step.kind === "project" || ended(step));
  const [first, ...others] = table.columns.map(({ name }) => name.split("."));
  if (join < 0 || isNamed || first === undefined) return null;
  return { kind: "project", paths: [first, ...choices.some(others, 3)] };
}

/** Draws a chain: a source, steps, and what may follow them. */
function drawChain(choices: Choices, run: Run, tails: boolean): Node | null {
  const label = choices.chance(35) ? choices.pickAny([...run.labels.keys()]) : null;
  const from =
    label === null
      ? drawSource(choices, run)
      : { source: { kind: "label", label } as const, origin: "other" as const };
  if (from === null) return null;
  const { source, origin } = from;
  const bare: Node = { kind: "chain", source, steps: [], tail: null };
  let drawing: Drawing = { table: evaluateNode(run, bare), origin };
  const steps: Step[] = [];
  const count = choices.below(MOST_STEPS + 1);
  for (let at = 0; at < count; at += 1) {
    const step = withinScope(run.state.world, drawing, drawStep(choices, run, drawing));
    if (step === null) continue;
    steps.push(step);
    const table = evaluateStep(run, drawing.table, step);
    drawing = { table, origin: originAfter(drawing.origin, step) };
    if (ended(step)) break;
  }
  const named = namedAfterJoin(choices, steps, drawing.table);
  if (named !== null) {
    steps.push(named);
    drawing = { ...drawing, table: evaluateStep(run, drawing.table, named) };
  }
  const tail = tails && choices.chance(35) ? drawTail(choices, run, drawing) : null;
  const paged = tail === null && choices.chance(15);
  const size: readonly Step[] = paged ? [{ kind: "page_size", count: 1 + choices.below(4) }] : [];
  return { kind: "chain", source, steps: [...steps, ...size], tail };
}

/** The open list of the entity that an effect is on, as a statement; null if it has none. */
function readBeside(world: World, node: Node): Statement | null {
  const entity =
    node.kind === "call" ? node.entity : node.tail?.kind === "call_each" ? node.tail.entity : null;
  const isRead =
    entity !== null && capabilitiesOf(world, entity).some((each) => isList(each) && isOpen(each));
  if (!isRead) return null;
  const source: Source = { kind: "list", entity, items: [] };
  return { label: null, node: { kind: "chain", source, steps: [], tail: null } };
}

/** Draws a program that is right: it plans, and what it does the API can do. Null where nothing came of it. */
export function drawProgram(choices: Choices, world: World): Program | null {
  const run = startRun(world);
  const statements: Statement[] = [];
  const count = 1 + choices.below(MOST_STATEMENTS);
  for (let at = 0; at < count; at += 1) {
    const node = choices.chance(20) ? drawCall(choices, run) : drawChain(choices, run, true);
    if (node === null) continue;
    const bound = choices.chance(50) ? `r${at}` : null;
    // What an effect changed is read anew, however it was asked for before (17.11).
    const twice = isEffect(node) && choices.chance(40) ? readBeside(world, node) : null;
    if (twice !== null) statements.push(twice);
    const table = evaluateNode(run, node);
    // What was read before an effect is not what there is behind it.
    if (isEffect(node)) run.labels.clear();
    statements.push({ label: bound, node });
    if (twice !== null) statements.push(twice);
    if (bound === null) continue;
    if (!answersNothing(table, node)) run.labels.set(bound, table);
    const root: Node = {
      kind: "chain",
      source: { kind: "label", label: bound },
      steps: [],
      tail: null,
    };
    statements.push({ label: null, node: root });
  }
  if (statements.length === 0) return null;
  const mistake = choices.chance(8) ? drawMistake(choices, startRun(world)) : null;
  // What is found by reading is found when all before it is done.
  return { statements: mistake?.found === "read" ? [] : statements, mistake };
}

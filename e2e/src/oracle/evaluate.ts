/**
 * What a program is to answer, and what it is to leave behind: computed of the data alone, by looking at every
 * row. Nothing here is of the product; the words that it follows are those of the specification.
 */
import { computedType } from "./computed.ts";
import { choosesReads, evaluateStep, type Holder, holds, valueIn } from "./evaluate-steps.ts";
import {
  cellText,
  type EffectCapability,
  type Entity,
  entityOf,
  fieldOf,
  isList,
  isUnordered,
  keyedGet,
  type World,
} from "./model.ts";
import type { Given, Node, Program, Source, Tail, Value } from "./program.ts";
import {
  type Arguments,
  beginning,
  effectText,
  perform,
  referenceTo,
  rowByReference,
  rowsOf,
  type State,
} from "./state.ts";
import { type Certain, columnAt, type Item, type Table, wholeRows } from "./table.ts";

/** What a program comes to. */
export interface Expected {
  /** its results, in the order of its roots */
  readonly results: readonly Result[];
  /** the state that it leaves */
  readonly state: State;
  /** the effects that the API receives */
  readonly effects: readonly string[];
}

export interface Result {
  readonly label: string | null;
  readonly table: Table;
  /** rows of an effect, of which only what it answers is certain */
  readonly reply: "rows" | "effect";
}

/** A program while it is evaluated. */
export interface Run {
  readonly state: State;
  readonly labels: Map<string, Table>;
  readonly effects: string[];
}

/** Whether a list of the entity keeps rows back that its catalog does not say it does. */
function keepsBack(world: World, entity: string, rows: number): boolean {
  return world.capabilities.some(
    (each) =>
      each.entity === entity &&
      isList(each) &&
      each.paging.kind === "undeclared" &&
      rows > each.paging.size,
  );
}

/** Whether an effect took rows away, so that references to them lead nowhere and answers may say so. */
export const lostRows = ({ world, rows }: State): boolean =>
  world.entities.some((entity) =>
    entity.rows.some(({ at }) => !rows.get(entity.name)?.some((row) => row.at === at)),
  );

const certainAlone = (state: State): Certain => (lostRows(state) ? "some" : "exact");

function certainOf(state: State, entity: string): Certain {
  return lostRows(state) || keepsBack(state.world, entity, rowsOf(state, entity).length)
    ? "some"
    : "exact";
}

function keyIn(run: Run, key: Given, at: Holder | null) {
  const parts = key.map(([name, value]) => [name, valueIn(run, value, at)] as const);
  const [only] = parts;
  // One value is the key of one part, or a reference that holds all parts.
  return parts.length === 1 && only !== undefined ? only[1] : Object.fromEntries(parts);
}

function evaluateSource(run: Run, source: Source): Table {
  const { state } = run;
  if (source.kind === "label") {
    const table = run.labels.get(source.label);
    if (table === undefined) throw new Error(`no label ${source.label}`);
    return table;
  }
  const entity = entityOf(state.world, source.entity);
  switch (source.kind) {
    case "get": {
      const row = rowByReference(state, entity.name, keyIn(run, source.key, null));
      if (row === undefined) throw new Error(`a program reads a ${entity.name} that is not there`);
      return wholeRows(entity, [row], { single: true, certain: certainAlone(state) });
    }
    case "viewer": {
      const viewer = state.world.capabilities.find(
        (each) => each.entity === entity.name && each.label === source.label,
      );
      const at =
        viewer?.kind === "get" && typeof viewer.answers === "object" && "row" in viewer.answers
          ? viewer.answers.row
          : -1;
      const rows = rowsOf(state, entity.name).filter((row) => row.at === at);
      return wholeRows(entity, rows, { single: true, certain: certainAlone(state) });
    }
    case "named": {
      const list = state.world.capabilities.find(
        (each) => each.entity === entity.name && each.label === source.label,
      );
      if (list === undefined || !isList(list)) throw new Error(`no list ${source.label}`);
      const rows = rowsOf(state, entity.name).filter(({ at }) => list.shows?.includes(at));
      const ordered = list.container.kind !== "map";
      return wholeRows(entity, rows, { ordered, certain: certainOf(state, entity.name) });
    }
    default: {
      const certain = certainOf(state, entity.name);
      const all = wholeRows(entity, rowsOf(state, entity.name), { certain });
      const words = source.kind === "search" ? source.words : null;
      const ordered =
        !choosesReads(state.world, entity, source.items) && !isUnordered(state.world, entity.name);
      const found = all.items.filter(
        ({ row }) => words === null || isFound(state, entity, row, words),
      );
      return {
        ...all,
        ordered,
        items: found.filter((item) => holds(run, all, item, source.items)),
      };
    }
  }
}

function isFound(state: State, entity: Entity, row: Item["row"], words: string): boolean {
  const search = state.world.capabilities.find(
    (each) => each.entity === entity.name && each.kind === "search",
  );
  const keeps = search?.params[0]?.keeps;
  const text = keeps?.kind === "words" ? row?.cells[keeps.field] : null;
  return cellText(text ?? "")
    .toLowerCase()
    .includes(words.toLowerCase());
}

const argumentsOf = (run: Run, args: Given, at: Holder | null): Arguments =>
  Object.fromEntries(args.map(([name, value]) => [name, valueIn(run, value, at)]));

function effectOf(world: World, entity: string, label: string): EffectCapability {
  const found = world.capabilities.find((each) => each.entity === entity && each.label === label);
  if (found === undefined || isList(found) || found.kind === "get") {
    throw new Error(`${entity} has no effect ${label}`);
  }
  return found;
}

const OK: Table = {
  entity: null,
  whole: false,
  columns: [{ name: "ok", type: "boolean", target: null }],
  items: [{ row: null, cells: { ok: true } }],
  single: true,
  ordered: true,
  inside: false,
  certain: "exact",
};

/** Performs an effect, and gives the rows that it answers. */
function call(run: Run, effect: EffectCapability, on: Item["row"], args: Arguments): Table {
  const entity = entityOf(run.state.world, effect.entity);
  const live = rowsOf(run.state, effect.entity).find(({ at }) => at === on?.at);
  if (on !== null && live === undefined) throw new Error("a program changes a row that is gone");
  run.effects.push(effectText(effect, live === undefined ? null : referenceTo(entity, live), args));
  const row = perform(run.state, effect, live ?? null, args);
  // A created row whose answer is empty has the key that it was given (17.8).
  const keyed = effect.does.kind === "create" && effect.does.key === "client";
  if ((effect.reply === "nothing" && !keyed) || row === null) return OK;
  const answered = wholeRows(entity, [row], { single: true });
  if (effect.reply === "row") return answered;
  const columns = answered.columns.filter(({ name }) => entity.key.includes(name));
  // Of a row that only its key is known of, what it refers to cannot be known where nothing reads it.
  const certain = keyedGet(run.state.world, entity.name) === null ? "some" : answered.certain;
  return { ...answered, columns, certain };
}

function evaluateTail(run: Run, table: Table, tail: Tail): Table {
  const { state } = run;
  switch (tail.kind) {
    case "derive": {
      const items = table.items.map((item): Item => {
        const entries = tail.entries.map(([name, value]) => [
          name,
          valueIn(run, value, { table, item }),
        ]);
        return { row: null, cells: Object.fromEntries(entries) as Item["cells"] };
      });
      const columns = tail.entries.map(([name, value]) => ({ ...typeOf(run, value, table), name }));
      const certains = tail.entries.map(([, value]) =>
        value.kind === "related"
          ? evaluateStep(run, table, { kind: "follow", name: value.relation, items: [] }).certain
          : "exact",
      );
      const isKnown = table.certain !== "exact" || certains.every((each) => each === "exact");
      const certain = isKnown ? table.certain : "told";
      return { ...table, entity: null, whole: false, columns, items, certain };
    }
    case "template": {
      const lines = table.items.map((item) =>
        tail.paths
          .map((path) => shown(valueIn(run, { kind: "cell", of: "_", path }, { table, item })))
          .join("|"),
      );
      const text = lines.map((line) => `${line};`).join("");
      const columns = [{ name: "content", type: "text", target: null } as const];
      const isKnown = table.ordered || table.items.length < 2;
      const whole = table.certain === "exact" ? "exact" : "told";
      const certain = isKnown && table.certain !== "open" ? whole : "open";
      return {
        ...OK,
        columns,
        items: [{ row: null, cells: { content: text } }],
        certain,
        ordered: table.ordered,
      };
    }
    case "read_each": {
      const entity = entityOf(state.world, tail.entity);
      const rows = table.items.flatMap((item) => {
        const row = rowByReference(state, entity.name, keyIn(run, tail.key, { table, item }));
        return row === undefined ? [] : [row];
      });
      const { ordered, certain } = table;
      return wholeRows(entity, [...new Set(rows)], { ordered, certain });
    }
    case "call_each": {
      const { entity } = table;
      if (entity === null) throw new Error("an effect on rows of nothing");
      const effect = effectOf(state.world, entity.name, tail.label);
      const given = table.items.map((item) => argumentsOf(run, tail.args, { table, item }));
      const tables = table.items.map(({ row }, at) => call(run, effect, row, given[at] ?? {}));
      const [first = { ...OK, columns: [] }] = tables;
      const { ordered } = table;
      return { ...first, single: false, ordered, items: tables.flatMap(({ items }) => items) };
    }
  }
}

/** A cell as templates show it: null is nothing. */
const shown = (cell: unknown): string =>
  cell === null ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell as string);

function typeOf(
  run: Run,
  value: Value,
  table: Table,
): { type: Table["columns"][number]["type"]; target: string | null } {
  if (value.kind === "literal") return { type: value.type, target: value.target };
  if (value.kind === "computed") {
    const { type } = columnAt(run.state, table, value.path);
    return { type: computedType(value.fn, type), target: null };
  }
  if (value.kind === "related") {
    const { fn, column, relation } = value;
    if (fn === "count") return { type: "integer", target: null };
    const target = table.entity?.relations.find(({ name }) => name === relation)?.target ?? "";
    const field = fieldOf(entityOf(run.state.world, target), column ?? "");
    return { type: fn === "min" || fn === "max" ? field.type : "number", target: null };
  }
  const of = value.of === "_" ? table : run.labels.get(value.of);
  const column = of?.columns.find(({ name }) => name === value.path.join("."));
  return column ?? { type: "json", target: null };
}

/** Evaluates a node, and does what its effects do. */
export function evaluateNode(run: Run, node: Node): Table {
  if (node.kind === "call") {
    const effect = effectOf(run.state.world, node.entity, node.label);
    const args = argumentsOf(run, node.args, null);
    const key = node.key === null ? null : keyIn(run, node.key, null);
    const on = key === null ? null : rowByReference(run.state, node.entity, key);
    if (on === undefined) throw new Error(`a program changes a ${node.entity} that is not there`);
    return call(run, effect, on, args);
  }
  let table = evaluateSource(run, node.source);
  for (const step of node.steps) table = evaluateStep(run, table, step);
  return node.tail === null ? table : evaluateTail(run, table, node.tail);
}

export const isEffect = (node: Node): boolean =>
  node.kind === "call" || (node.kind === "chain" && node.tail?.kind === "call_each");

export const startRun = (world: World): Run => ({
  state: beginning(world),
  labels: new Map(),
  effects: [],
});

/** Evaluates a program on the data of a world. Throws for a program that no drawer may draw. */
export function evaluate(world: World, program: Program): Expected {
  const run = startRun(world);
  const results: Result[] = [];
  const effects = new Set<string>();
  for (const { label, node } of program.statements) {
    const bare =
      node.kind === "chain" && node.steps.length === 0 && node.tail === null ? node.source : null;
    const table = evaluateNode(run, node);
    if (label !== null) {
      run.labels.set(label, table);
      if (isEffect(node)) effects.add(label);
      continue;
    }
    const named = bare?.kind === "label" ? bare.label : null;
    // A label that is returned twice is returned once (PLAN-005).
    if (named !== null && results.some((result) => result.label === named)) continue;
    const reply = isEffect(node) || (named !== null && effects.has(named)) ? "effect" : "rows";
    results.push({ label: named, table, reply });
  }
  return { results, state: run.state, effects: run.effects };
}

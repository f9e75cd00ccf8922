import type { Choices } from "./choices.ts";
import { drawFunction } from "./computed.ts";
import { canFollow, type Drawing } from "./draw-steps.ts";
import { drawLiteral, reachable } from "./draw-conditions.ts";
import type { Run } from "./evaluate.ts";
import {
  capabilitiesOf,
  type Cell,
  type EffectCapability,
  type Entity,
  entityOf,
  fieldOf,
  isList,
  keyedGet,
  type Param,
} from "./model.ts";
import type { Given, Node, Tail, Value } from "./program.ts";
import { rowsOf } from "./state.ts";
import { type Table, typedAt } from "./table.ts";

const isEffect = (each: ReturnType<typeof capabilitiesOf>[number]): each is EffectCapability =>
  !isList(each) && each.kind !== "get";

const effectsOf = (run: Run, entity: string): readonly EffectCapability[] =>
  capabilitiesOf(run.state.world, entity).filter(isEffect);

const TOLD: readonly string[] = ["text", "integer", "select", "day", "uuid"];

/** The key of a row that is there, as a program writes it. */
export function drawKey(choices: Choices, run: Run, entity: Entity): Given | null {
  const row = choices.pickAny(rowsOf(run.state, entity.name));
  if (row === null) return null;
  return entity.key.map((part) => {
    const { type, target } = fieldOf(entity, part);
    return [part, { kind: "literal", type, target, value: row.cells[part] ?? null }];
  });
}

/** A key part that no row has: told by who creates. */
function freshPart(choices: Choices, run: Run, entity: Entity, param: Param): Value | null {
  const { type, target } = param;
  if (type === "ref") return drawLiteral(choices, run, param, []);
  const number = 5000 + rowsOf(run.state, entity.name).length + choices.below(3) * 50;
  const value: Cell = type === "integer" ? number : `made ${number}`;
  return { kind: "literal", type, target, value };
}

/** A cell of a label that holds one row, for a slot of its type. */
function drawHole(choices: Choices, run: Run, param: Param): Value | null {
  const found = [...run.labels].flatMap(([of, table]) => {
    const [item] = table.items;
    if (!table.single || item === undefined || table.entity === null) return [];
    if (table.certain !== "exact") return [];
    return table.columns
      .filter(
        ({ type, target, name }) =>
          type === param.type && target === param.target && !name.includes("."),
      )
      .filter(({ name }) => (item.cells[name] ?? null) !== null)
      .map(({ name }): Value => ({ kind: "cell", of, path: [name] }));
  });
  return choices.pickAny(found);
}

function drawArguments(
  choices: Choices,
  run: Run,
  effect: EffectCapability,
  table: Table | null,
): Given | null {
  const entity = entityOf(run.state.world, effect.entity);
  const chosen = effect.params.filter(({ required }) => required || choices.chance(70));
  const given = chosen.map((param) => {
    const value = drawArgument(choices, run, entity, param, table);
    return value === null ? null : ([param.name, value] as const);
  });
  if (given.includes(null)) return null;
  return effect.kind === "update" && given.length === 0
    ? null
    : given.filter((each) => each !== null);
}

function drawArgument(
  choices: Choices,
  run: Run,
  entity: Entity,
  param: Param,
  table: Table | null,
): Value | null {
  if (entity.key.includes(param.name)) return freshPart(choices, run, entity, param);
  const fitting = (table?.columns ?? []).filter(
    ({ type, target, name }) =>
      type === param.type && target === param.target && !name.includes("."),
  );
  const filled = fitting.filter(({ name }) =>
    (table?.items ?? []).every(
      (item) => table !== null && typedAt(run.state, table, item, [name]).cell !== null,
    ),
  );
  const column = choices.pickAny(filled);
  if (column !== null && choices.chance(60)) return { kind: "cell", of: "_", path: [column.name] };
  return drawLiteral(choices, run, param, []);
}

/** An effect of a row that is there, or a create. */
export function drawCall(choices: Choices, run: Run): Node | null {
  const entity = choices.pickAny(run.state.world.entities);
  const effect = choices.pickAny(effectsOf(run, entity?.name ?? ""));
  if (entity === null || effect === null) return null;
  const key = effect.kind === "create" ? null : drawKey(choices, run, entity);
  if (effect.kind !== "create" && key === null) return null;
  const args = drawArguments(choices, run, effect, null);
  if (args === null) return null;
  const filled = args.map(([name, value]) => {
    const param = effect.params.find((each) => each.name === name);
    const hole = param === undefined || !choices.chance(25) ? null : drawHole(choices, run, param);
    return [name, entity.key.includes(name) ? value : (hole ?? value)] as const;
  });
  return { kind: "call", entity: entity.name, label: effect.label, key, args: filled };
}

function drawCallEach(choices: Choices, run: Run, table: Table): Tail | null {
  const { entity } = table;
  if (entity === null || table.certain !== "exact") return null;
  const effect = choices.pickAny(
    effectsOf(run, entity.name).filter(({ kind }) => kind !== "create"),
  );
  if (effect === null) return null;
  const args = drawArguments(choices, run, effect, table);
  return args === null
    ? null
    : {
        kind: "call_each",
        entity: entity.name,
        capability: effect.name,
        label: effect.label,
        args,
      };
}

function drawReadEach(choices: Choices, run: Run, table: Table): Tail | null {
  const { world } = run.state;
  const refs = table.columns.filter(
    ({ type, target, name }) =>
      type === "ref" &&
      target !== null &&
      !name.includes(".") &&
      keyedGet(world, target) !== null &&
      table.items.every((item) => (item.cells[name] ?? null) !== null),
  );
  const column = choices.pickAny(refs);
  if (column === null || column.target === null) return null;
  const key: Given = [["key", { kind: "cell", of: "_", path: [column.name] }]];
  return { kind: "read_each", entity: column.target, key };
}

const FUNCTIONS = ["sum", "min", "max", "avg", "count"] as const;

/** What the rows that a relation of each row leads to come to (LANG-055). */
function drawRelated(choices: Choices, run: Run, drawing: Drawing): Value | null {
  const { entity } = drawing.table;
  if (entity === null) return null;
  const relation = choices.pickAny(
    entity.relations.filter((each) => each.many && canFollow(run, drawing, entity, each)),
  );
  if (relation === null) return null;
  const { fields } = entityOf(run.state.world, relation.target);
  const field = choices.chance(50) ? choices.pickAny(fields) : null;
  const numeric = field?.type === "number" || field?.type === "integer";
  const fn = numeric ? choices.pick(FUNCTIONS) : "count";
  return { kind: "related", fn, relation: relation.name, column: field?.name ?? null };
}

/** Draws what may follow rows; null where nothing comes of it. */
export function drawTail(choices: Choices, run: Run, drawing: Drawing): Tail | null {
  const { table } = drawing;
  switch (choices.below(5)) {
    case 0:
    case 1: {
      const columns = choices.some(reachable(run.state.world, table, true), 3);
      const made = columns.map(({ path, type }): Value => {
        const fn = choices.chance(40) ? drawFunction(choices, type) : null;
        return fn === null ? { kind: "cell", of: "_", path } : { kind: "computed", fn, path };
      });
      const related = choices.chance(30) ? drawRelated(choices, run, drawing) : null;
      const values = related === null ? made : [...made, related];
      const entries = values.map((value, at): Given[number] => [`c${at}`, value]);
      return entries.length === 0 ? null : { kind: "derive", entries };
    }
    case 2: {
      const told = reachable(run.state.world, table, false).filter(({ type }) =>
        TOLD.includes(type),
      );
      const paths = choices
        .some(
          told.filter(({ path }) => path.length === 1),
          2,
        )
        .map(({ path }) => path);
      return paths.length === 0 ? null : { kind: "template", paths };
    }
    case 3:
      return drawReadEach(choices, run, table);
    default:
      return drawCallEach(choices, run, table);
  }
}

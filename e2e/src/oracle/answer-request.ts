import { cutPage, type Page } from "./cut-page.ts";
import type { Answered, Asked } from "./exchange.ts";
import {
  type Capability,
  cellText,
  type Cell,
  entityOf,
  type Entity,
  type Field,
  fieldOf,
  isList,
  type ListCapability,
  type Param,
  type Row,
} from "./model.ts";
import {
  type Arguments,
  effectText,
  equal,
  perform,
  referenceTo,
  relatedRows,
  rowByReference,
  rowsOf,
  sameKey,
  type State,
} from "./state.ts";

const answer = (json: unknown, status = 200): Answered => ({ status, headers: {}, json });
const NOT_FOUND = answer({ message: "no such row" }, 404);

type Vars = Readonly<Record<string, string>>;

/** The variables of a path that a request's path fits, or null. */
function match({ path, method }: Capability, asked: Asked): Vars | null {
  const parts = asked.path.split("/").filter((part) => part !== "");
  if (asked.method !== method || parts.length !== path.length) return null;
  const vars: Record<string, string> = {};
  for (const [at, segment] of path.entries()) {
    const part = decodeURIComponent(parts[at] ?? "");
    if ("name" in segment) vars[segment.name] = part;
    else if (segment.literal !== part) return null;
  }
  return vars;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = "", ...rest] = path;
  if (rest.length === 0) {
    into[first] = value;
    return;
  }
  into[first] ??= {};
  put(into[first] as Record<string, unknown>, rest, value);
}

/** A cell as answers have it; a number that is a key may come as text in some rows (RUN-046). */
function cellOnWire({ name, asText }: Field, { at, cells }: Row): Cell {
  const cell = cells[name] ?? null;
  return asText && typeof cell === "number" && at % 2 === 1 ? `${cell}` : cell;
}

/** A row as answers have it: in full, or as lists have it. */
function rowOnWire(state: State, entity: Entity, row: Row, full: boolean): object {
  const wire: Record<string, unknown> = {};
  for (const field of entity.fields) {
    const value = cellOnWire(field, row);
    if (field.detail && !full) continue;
    if (value !== null || !entity.leavesNullsOut) put(wire, field.path, value);
  }
  for (const relation of entity.relations) {
    const { via, many, name } = relation;
    const target = entityOf(state.world, relation.target);
    if (via.kind === "none" && !many) {
      const [only] = relatedRows(state, entity, relation, row);
      put(wire, [name], only === undefined ? null : referenceTo(target, only));
    }
    if (via.kind !== "from_parent_get" || (!full && !via.inLists)) continue;
    const rows = relatedRows(state, entity, relation, row);
    const shown = rows.map((one) => embedded(target, one, via.omits));
    put(wire, via.path, many ? shown : (shown[0] ?? null));
  }
  return wire;
}

/** A row inside another: as lists have it, without what is inside it in turn. */
function embedded(entity: Entity, row: Row, omits: readonly string[]): object {
  const wire: Record<string, unknown> = {};
  for (const field of entity.fields) {
    if (!field.detail && !omits.includes(field.name)) put(wire, field.path, cellOnWire(field, row));
  }
  return wire;
}

/** Reads what came as text in a path or query as a value of its parameter. */
const given = (text: string | null | undefined): Cell | undefined =>
  text === null || text === undefined ? undefined : text;

/** The key that a path names, for the entity whose row it is. */
function keyed(entity: Entity, vars: Vars): Cell {
  if (entity.key.length === 1) return Object.values(vars)[0] ?? null;
  return Object.fromEntries(entity.key.map((part) => [part, vars[part] ?? null]));
}

function keeps(state: State, { entity: name }: Capability, param: Param, value: Cell) {
  const entity = entityOf(state.world, name);
  const { keeps: rule } = param;
  switch (rule.kind) {
    case "field":
      return (row: Row) => equal(row.cells[rule.field] ?? null, value);
    case "hidden":
      return (row: Row) => equal(row.hidden[param.name] ?? null, value);
    case "words": {
      const words = cellText(value).toLowerCase();
      return (row: Row) =>
        cellText(row.cells[rule.field] ?? "")
          .toLowerCase()
          .includes(words);
    }
    case "related": {
      const parent = entityOf(state.world, rule.entity);
      const relation = parent.relations.find((each) => each.name === rule.relation);
      const row = rowByReference(state, parent.name, value);
      if (relation === undefined || row === undefined) return () => false;
      const own = relatedRows(state, parent, relation, row);
      return (one: Row) =>
        own.some((each) => sameKey(referenceTo(entity, each), referenceTo(entity, one)));
    }
  }
}

function valueOf(state: State, param: Param, asked: Asked, vars: Vars): Cell | undefined {
  if (param.place === "query") return given(asked.query.get(param.name));
  if (param.place === "body") return asked.body[param.name];
  if (param.target === null) return given(vars[param.name]);
  const target = entityOf(state.world, param.target);
  return target.key.length === 1 ? given(vars[param.name]) : keyed(target, vars);
}

function answerList(state: State, list: ListCapability, asked: Asked, vars: Vars): Answered {
  let rows: readonly Row[] = rowsOf(state, list.entity);
  for (const param of list.params) {
    const value = valueOf(state, param, asked, vars);
    if (value === undefined && param.required) return answer({ message: `${param.name}?` }, 400);
    if (value !== undefined) rows = rows.filter(keeps(state, list, param, value));
  }
  if (list.shows !== null) rows = rows.filter(({ at }) => list.shows?.includes(at));
  const page = cutPage(list.paging, rows.length, asked);
  const cut = rows.slice(page.from, page.to);
  return { status: 200, headers: page.headers, json: contained(state, list, cut, page) };
}

/** Rows as a list has them, which does not repeat its own scope in each. */
function listed(state: State, { entity: name, leavesOut }: ListCapability, row: Row) {
  const entity = entityOf(state.world, name);
  const wire = rowOnWire(state, entity, row, false) as Record<string, unknown>;
  if (leavesOut !== null) delete wire[leavesOut];
  return wire;
}

function contained(state: State, list: ListCapability, rows: readonly Row[], page: Page): unknown {
  const { container } = list;
  const wires = rows.map((row) => listed(state, list, row));
  if (container.kind === "bare") return wires;
  const body: Record<string, unknown> = {};
  for (const [path, value] of page.beside) put(body, path, value);
  switch (container.kind) {
    case "items":
      put(body, container.path, wires);
      return body;
    case "inner": {
      const { inner } = container;
      put(
        body,
        container.path,
        wires.map((row) => ({ [inner]: row, score: 1 })),
      );
      return body;
    }
    case "map": {
      const members = wires.map(({ [container.into]: key, ...rest }) => [String(key), rest]);
      put(body, container.path, Object.fromEntries(members));
      return body;
    }
  }
}

/** What came in a body as values of the fields that are to hold them. */
const argumentsIn = ({ params }: Capability, { body }: Asked): Arguments =>
  Object.fromEntries(
    params.flatMap(({ name }) => {
      const value = body[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const keyOnWire = (entity: Entity, row: Row): object => {
  const wire: Record<string, unknown> = {};
  const parts: readonly Field[] = entity.key.map((part) => fieldOf(entity, part));
  for (const { name, path } of parts) put(wire, path, row.cells[name] ?? null);
  return wire;
};

/** The row that a get answers with: by the key in its path, by a row that it belongs to, or always one. */
function got(state: State, capability: Capability, vars: Vars): Row | undefined {
  const entity = entityOf(state.world, capability.entity);
  if (capability.kind !== "get" || capability.answers === "key") {
    return rowByReference(state, entity.name, keyed(entity, vars));
  }
  const { answers } = capability;
  if ("row" in answers) return rowsOf(state, entity.name).find(({ at }) => at === answers.row);
  const parent = entityOf(state.world, answers.entity);
  const relation = parent.relations.find(({ name }) => name === answers.relation);
  const row = rowByReference(state, parent.name, keyed(parent, vars));
  return relation && row ? relatedRows(state, parent, relation, row)[0] : undefined;
}

interface Route {
  readonly capability: Capability;
  readonly vars: Vars;
}

/** What a request asks for; null for an address that the API has not. */
function routeOf({ world }: State, asked: Asked): Route | null {
  const fitting = world.capabilities
    .flatMap((capability) => {
      const vars = match(capability, asked);
      return vars === null ? [] : [{ capability, vars }];
    })
    // A path that says more is meant before one that takes anything.
    .toSorted((a, b) => Object.keys(a.vars).length - Object.keys(b.vars).length);
  return fitting[0] ?? null;
}

/** The capability that a request is for; null for an address that the API has not. */
export const capabilityAsked = (state: State, asked: Asked): Capability | null =>
  routeOf(state, asked)?.capability ?? null;

/** The effect that a request asks for, and the row that it is on, as one text; null where it only reads. */
export function effectAsked(state: State, asked: Asked): string | null {
  const found = routeOf(state, asked);
  if (found === null || isList(found.capability) || found.capability.kind === "get") return null;
  const { capability, vars } = found;
  const entity = entityOf(state.world, capability.entity);
  const on = capability.kind === "create" ? null : keyed(entity, vars);
  return effectText(capability, on, argumentsIn(capability, asked));
}

/** Answers a request, and does what it asks for. */
export function answerRequest(state: State, asked: Asked): Answered {
  const found = routeOf(state, asked);
  if (found === null) return answer({ message: "no such address" }, 404);
  const { capability, vars } = found;
  if (isList(capability)) return answerList(state, capability, asked, vars);
  const entity = entityOf(state.world, capability.entity);
  const row = capability.kind === "create" ? null : got(state, capability, vars);
  if (row === undefined) return NOT_FOUND;
  if (capability.kind === "get") {
    const wire = row === null ? null : rowOnWire(state, entity, row, true);
    return answer(capability.wrapped ? { data: wire } : wire);
  }
  const after = perform(state, capability, row, argumentsIn(capability, asked));
  if (after === null || capability.reply === "nothing") return answer(undefined, 204);
  const wire =
    capability.reply === "key" ? keyOnWire(entity, after) : rowOnWire(state, entity, after, true);
  return answer(wire, capability.kind === "create" ? 201 : 200);
}

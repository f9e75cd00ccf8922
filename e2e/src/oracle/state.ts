import {
  type Cell,
  type EffectCapability,
  type Entity,
  entityOf,
  fieldOf,
  type Relation,
  type Row,
  type World,
} from "./model.ts";

/** What an API holds at some time: rows of each entity, in the order in which lists give them. */
export interface State {
  readonly world: World;
  readonly rows: Map<string, Row[]>;
}

/** The state in which a world begins; effects on it do not touch the world. */
export function beginning(world: World): State {
  const copied = world.entities.map(({ name, rows }) => {
    const own = rows.map((row) => ({ ...row, cells: { ...row.cells }, hidden: { ...row.hidden } }));
    return [name, own] as const;
  });
  return { world, rows: new Map(copied) };
}

export const rowsOf = ({ rows }: State, entity: string): Row[] => rows.get(entity) ?? [];

/** Two cells that mean the same key: `1` and `"1"` do (RUN-046). */
export function sameKey(a: Cell | undefined, b: Cell | undefined): boolean {
  return (a ?? null) !== null && (b ?? null) !== null && keyText(a) === keyText(b);
}

/** A key in the one text that names it: its parts by name, in the order of their names. */
export function keyText(cell: Cell | undefined): string {
  if (typeof cell !== "object" || cell === null) return String(cell);
  const parts = Object.entries(cell).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return parts
    .map(([name, part]) => `${encoded(name)}=${encoded(keyText(part as Cell))}`)
    .join(",");
}

const encoded = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll(",", "%2C").replaceAll("=", "%3D");

/** What refers to a row: of one key part its value, else the parts by name. */
export function referenceTo({ key }: Pick<Entity, "key">, row: Row): Cell {
  const [only = ""] = key;
  if (key.length === 1) return row.cells[only] ?? null;
  return Object.fromEntries(key.map((part) => [part, row.cells[part] ?? null]));
}

export const rowByReference = (
  state: State,
  name: string,
  to: Cell | undefined,
): Row | undefined => {
  const entity = entityOf(state.world, name);
  return rowsOf(state, name).find((row) => sameKey(referenceTo(entity, row), to));
};

/** The rows that a relation leads to from a row, in the order in which the API lists them. */
export function relatedRows(
  state: State,
  of: Entity,
  { target, related, many }: Relation,
  parent: Row,
): readonly Row[] {
  const all = rowsOf(state, target);
  switch (related.by) {
    case "reference": {
      const own = referenceTo(of, parent);
      return all.filter((row) => sameKey(row.cells[related.child], own));
    }
    case "fields": {
      const wanted = parent.cells[related.parent] ?? null;
      if (wanted === null) return [];
      return all.filter((row) => equal(row.cells[related.child] ?? null, wanted));
    }
    case "pairs": {
      const children = related.edges.filter(([at]) => at === parent.at).map(([, at]) => at);
      const found = all.filter(({ at }) => children.includes(at));
      return many ? found : found.slice(0, 1);
    }
  }
}

/** Whether an API takes two values for the same: references by key, others as they are. */
export const equal = (a: Cell, b: Cell): boolean =>
  typeof a === "object" || typeof b === "object"
    ? a !== null && b !== null && keyText(a) === keyText(b)
    : a !== null && String(a) === String(b);

/** The key that the API gives to the next row of an entity. */
function freshKey(entity: Entity, at: number): Cell {
  const [only = ""] = entity.key;
  return fieldOf(entity, only).type === "integer" ? 1000 + at : `new ${at}`;
}

export type Arguments = Readonly<Record<string, Cell>>;

/** An effect as one text: what is called, the key of the row that it is on, what it is told. */
export const effectText = ({ name }: EffectCapability, on: Cell, args: Arguments): string =>
  [name, on === null ? "" : keyText(on), argumentsText(args)].join(" ");

const argumentsText = (args: Arguments): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .toSorted()
    .join(" ");

/** Does what an effect does, and gives the row that it was on, as it is afterwards. */
export function perform(
  state: State,
  { entity: name, does }: EffectCapability,
  on: Row | null,
  args: Arguments,
): Row | null {
  const entity = entityOf(state.world, name);
  const rows = rowsOf(state, name);
  switch (does.kind) {
    case "create": {
      // The place of a row that is gone is not taken again: it stays missing.
      const at = Math.max(-1, ...[...entity.rows, ...rows].map((row) => row.at)) + 1;
      const [only = ""] = entity.key;
      const blank = Object.fromEntries(entity.fields.map((field) => [field.name, null]));
      const key = does.key === "server" ? { [only]: freshKey(entity, at) } : {};
      const row: Row = { at, cells: { ...blank, ...key, ...args }, hidden: {} };
      rows.push(row);
      return row;
    }
    case "update":
      if (on !== null) on.cells = { ...on.cells, ...args };
      return on;
    case "set":
      if (on !== null) on.cells = { ...on.cells, [does.field]: does.value };
      return on;
    case "delete":
      if (on !== null) rows.splice(rows.indexOf(on), 1);
      return on;
  }
}

/** A state as text, so that two can be compared: rows in order, fields in theirs. */
export function stateText({ world, rows }: State): string {
  const lines = world.entities.flatMap(({ name, fields }) =>
    (rows.get(name) ?? []).map((row) => {
      const cells = fields.map((field) => row.cells[field.name] ?? null);
      return `${name} ${JSON.stringify(cells)}`;
    }),
  );
  return lines.join("\n");
}

import type { Choices } from "./choices.ts";
import { drawCapabilities } from "./draw-capabilities.ts";
import { drawKeyText, drawValue, FIELD_TYPES } from "./draw-values.ts";
import type { Cell, Field, Row, World } from "./model.ts";
import { referenceTo } from "./state.ts";

const NAMES = ["Item", "Shop", "Order", "Member", "Ticket", "Note"] as const;
/** Names that several entities have, so that what is meant for one may be taken for another's. */
const KEY_NAMES = ["id", "name", "code", "number", "slug"] as const;
const FIELD_NAMES = [
  "title",
  "name",
  "status",
  "kind",
  "size",
  "due",
  "note",
  "id",
  "code",
  "tags",
  "owner_name",
  "active",
] as const;
const OPTIONS = ["open", "closed", "on hold", "lost"] as const;
const MOST_ROWS = 8;
const OTHER_CATALOG = "other";

/** An entity while it is drawn: its references need the others. */
interface Outline {
  readonly name: string;
  readonly catalog: string;
  readonly key: readonly string[];
  readonly fields: Field[];
  readonly rows: Row[];
  readonly leavesNullsOut: boolean;
}

const plain = (name: string, type: Field["type"], more: Partial<Field> = {}): Field => ({
  name,
  type,
  target: null,
  options: [],
  path: [name],
  detail: false,
  asText: false,
  ...more,
});

function drawPath(choices: Choices, name: string): readonly string[] {
  switch (choices.below(8)) {
    case 6:
      return [`${name}_value`];
    case 7:
      return ["attributes", name];
    default:
      return [name];
  }
}

function drawKey(choices: Choices, before: readonly Outline[]): readonly Field[] {
  const simple = before.filter(({ key }) => key.length === 1);
  const type = choices.chance(40) ? "integer" : "text";
  if (!choices.chance(30)) {
    const name = choices.pick(KEY_NAMES);
    return [plain(name, type, { path: drawPath(choices, name) })];
  }
  const owner = choices.pickAny(simple);
  const last = plain(choices.pick(["number", "code"]), type);
  if (owner === null || choices.chance(40)) return [plain("zone", "text"), last];
  return [plain(owner.name.toLowerCase(), "ref", { target: owner.name }), last];
}

function drawFields(choices: Choices, taken: readonly string[]): readonly Field[] {
  const free = FIELD_NAMES.filter((name) => !taken.includes(name));
  return choices.some(free, 6).map((name) => {
    const type = choices.pick(FIELD_TYPES);
    const options = type === "select" || type === "options" ? OPTIONS : [];
    const path = drawPath(choices, name);
    return plain(name, type, { options, path, detail: choices.chance(20) });
  });
}

function drawOutline(
  choices: Choices,
  { name, catalog }: { readonly name: string; readonly catalog: string },
  before: readonly Outline[],
): Outline {
  const key = drawKey(choices, before.filter(within(catalog)));
  const names = key.map((part) => part.name);
  const fields = [...key, ...drawFields(choices, names)];
  return { name, catalog, key: names, fields, rows: [], leavesNullsOut: choices.chance(25) };
}

/** Catalogs refer to no entity of another. */
const within =
  (catalog: string) =>
  (each: { readonly catalog: string }): boolean =>
    each.catalog === catalog;

/** References, once all entities are there: to each of them, the own one, too. */
function drawReferences(choices: Choices, of: Outline, all: readonly Outline[]): void {
  const targets = choices.some(all.filter(within(of.catalog)), 2);
  for (const target of targets) {
    const own = target.name.toLowerCase();
    const name = choices.pick([`${own}_ref`, "parent", "lead", own]);
    if (of.fields.some((field) => field.name === name)) continue;
    const detail = choices.chance(15);
    const more = { target: target.name, detail, asText: choices.chance(30) };
    of.fields.push(plain(name, "ref", more));
  }
}

function drawKeyCell(choices: Choices, part: Field, at: number, all: readonly Outline[]): Cell {
  if (part.type === "integer") return at * 2 + choices.below(2);
  if (part.type !== "ref") return drawKeyText(choices, at);
  const target = all.find(({ name }) => name === part.target);
  const row = choices.pickAny(target?.rows ?? []);
  return target === undefined || row === null ? null : referenceTo(target, row);
}

function drawRows(choices: Choices, of: Outline, all: readonly Outline[]): void {
  const count = choices.below(MOST_ROWS + 1);
  for (let at = 0; at < count; at += 1) {
    const cells: Record<string, Cell> = {};
    for (const name of of.key) {
      const part = of.fields.find((field) => field.name === name);
      if (part !== undefined) cells[name] = drawKeyCell(choices, part, at, all);
    }
    // A row whose key would refer to nothing is none.
    if (Object.values(cells).includes(null)) continue;
    for (const field of of.fields) {
      if (of.key.includes(field.name) || field.type === "ref") continue;
      cells[field.name] = choices.chance(20) ? null : drawValue(choices, field);
    }
    of.rows.push({ at, cells, hidden: {} });
  }
}

function drawReferenceCells(choices: Choices, of: Outline, all: readonly Outline[]): void {
  for (const field of of.fields) {
    if (field.type !== "ref" || of.key.includes(field.name)) continue;
    const target = all.find(({ name }) => name === field.target);
    for (const row of of.rows) {
      const to = choices.chance(20) ? null : choices.pickAny(target?.rows ?? []);
      row.cells[field.name] = to === null || target === undefined ? null : referenceTo(target, to);
    }
  }
}

/** Draws an API with its data. `id` names it, in its catalog and in the paths of its requests. */
export function drawWorld(choices: Choices, id: string): World {
  const names = choices.shuffled(NAMES).slice(0, 1 + choices.below(4));
  const outlines: Outline[] = [];
  const isSpread = choices.chance(25);
  for (const name of names) {
    const catalog = isSpread && choices.chance(50) ? OTHER_CATALOG : id;
    outlines.push(drawOutline(choices, { name, catalog }, outlines));
  }
  for (const outline of outlines) drawReferences(choices, outline, outlines);
  for (const outline of outlines) drawRows(choices, outline, outlines);
  for (const outline of outlines) drawReferenceCells(choices, outline, outlines);
  return drawCapabilities(choices, id, outlines);
}

import type { Json, PlanValue, ValueType } from "@plasm/core";
import { referenceCell } from "../decode/row-references.ts";
import { resolveRelativeDate, wireDate } from "../rows/relative-date.ts";
import { pathType, readCell, type Row } from "../rows/row.ts";
import { failure, RunFailure } from "../run-failure.ts";
import type { Engine } from "./engine.ts";
import { SourceEnded, type Feed } from "./feed.ts";
import { holeValue, type HoleSlot } from "./hole-value.ts";
import { hydrate } from "./hydrate.ts";

/** Where a value goes: the node that asks, and the slot if it has a type. */
export interface ValueUse {
  readonly engine: Engine;
  readonly feed: Feed;
  readonly slot: HoleSlot | null;
}

type Hole = Extract<PlanValue, { from: string }>;

const JSON_TYPE: ValueType = Object.freeze({ kind: "json" });

function relativeDate(text: string, use: ValueUse): Json {
  const date = resolveRelativeDate(text, use.engine.context.startedAt);
  if (date === null) throw new Error(`the plan holds no relative date: ${text}`);
  const type = use.slot?.type;
  return type?.kind === "date" ? (wireDate(date, type.format) ?? date) : date;
}

/** A row as a value: its reference, its only column, else an object of its columns (LANG-044). */
function rowValue(row: Row, slot: HoleSlot | null): Json {
  if (slot?.type.kind === "entity_ref" && row.base?.identity) {
    return referenceCell({ identity: row.base.identity, embedded: null });
  }
  const cells = row.cells ?? row.base?.fields ?? new Map<string, Json>();
  const values = [...cells.values()];
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : Object.fromEntries(cells);
}

async function cellOf(hole: Hole, row: Row, use: ValueUse): Promise<Json> {
  if (hole.path.length === 0) return rowValue(row, use.slot);
  const base = row.base;
  if (base === null) return readCell(null, row, hole.path) ?? null;
  const { cgs } = use.engine.catalog(base.entryId);
  if (row.cells === null) await hydrate(use.engine, use.feed, [base], hole.path.slice(0, 1), []);
  return readCell(cgs, row, hole.path) ?? null;
}

function sourceType(hole: Hole, row: Row | undefined, use: ValueUse): ValueType {
  const base = row?.base ?? null;
  if (base === null) return JSON_TYPE;
  return pathType(use.engine.catalog(base.entryId).cgs, base.entity, hole.path);
}

function elementType(type: ValueType): ValueType {
  if (type.kind === "array") return type.items;
  return type.kind === "multi_select" ? { kind: "select", options: type.options } : type;
}

async function fillHole(hole: Hole, use: ValueUse): Promise<Json> {
  const source = use.engine.feedOf(hole.from);
  if (hole.many) {
    await source.need("all");
    const { slot } = use;
    const element = slot === null ? null : { ...slot, type: elementType(slot.type) };
    const cells = await Promise.all(
      source.rows.map(async (row) => {
        const cell = await cellOf(hole, row, { ...use, slot: element });
        return element === null ? cell : holeValue(cell, sourceType(hole, row, use), element);
      }),
    );
    return cells.filter((cell) => cell !== null);
  }
  const cut = await source.needInHand({ rows: 1 });
  const [row] = source.rows;
  if (row === undefined) {
    if (cut !== null) throw new SourceEnded(source);
    throw new RunFailure(
      failure("no_row", `${hole.from} has no row to take a value from.`, "check its condition"),
    );
  }
  const cell = await cellOf(hole, row, use);
  return use.slot === null ? cell : holeValue(cell, sourceType(hole, row, use), use.slot);
}

/** Fills the holes of a plan value, each by its slot's type (PLAN-064). Throws RunFailure. */
export async function resolveValue(value: PlanValue, use: ValueUse): Promise<Json> {
  if ("lit" in value) return value.lit;
  if ("dec" in value) return value.dec;
  if ("now" in value) return relativeDate(value.now, use);
  if ("from" in value) return fillHole(value, use);
  if ("list" in value) return Promise.all(value.list.map((item) => resolveValue(item, use)));
  if ("obj" in value) return resolveMembers(value.obj, { ...use, slot: null });
  if ("ref" in value) {
    const key = await resolveMembers(value.ref.key, { ...use, slot: null });
    const parts = Object.values(key);
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : key;
  }
  throw new Error("a value of the plan reads the row of a for_each outside of one");
}

async function resolveMembers(
  members: Readonly<Record<string, PlanValue>>,
  use: ValueUse,
): Promise<Record<string, Json>> {
  const entries = await Promise.all(
    Object.entries(members).map(
      async ([name, value]) => [name, await resolveValue(value, use)] as const,
    ),
  );
  return Object.fromEntries(entries);
}

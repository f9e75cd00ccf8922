import type { Json, PlanValue, ValueType } from "@plasm/core";
import {
  type Exact,
  type KeptName,
  ValueFault,
  WORK,
  computeExactly,
  elementType,
  keptName,
  namedFile,
  relativeDateValue,
  settled,
  valueText,
} from "@plasm/core/internal";
import type { PartialReason } from "../base/diagnostic.ts";
import { RunFailure, failure } from "../base/run-failure.ts";
import { inSlices } from "../base/turns.ts";
import { referenceValue } from "../decode/row-references.ts";
import { wordType } from "../rows/cell-key.ts";
import { type NoteFault, faultDetail } from "../rows/computed.ts";
import { holdRows } from "../rows/row-list.ts";
import { RowWork } from "../rows/row-work.ts";
import { type Row, pathType, readCell, totalKey } from "../rows/row.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import { type Feed, PORTION, SourceEnded } from "./feed.ts";
import { type HoleSlot, holeValue, nullValue } from "./hole-value.ts";
import { hydrate, isWholeAndLacks, loadRow } from "./hydrate.ts";
import { neededNames, wholeBases } from "./row-filter.ts";
import { takenFile } from "./taken-file.ts";

/** Where a value goes: the node that asks, and the slot if it has a type. */
export interface ValueUse {
  readonly engine: RunEngine;
  readonly feed: Feed;
  readonly slot: HoleSlot | null;
  /** told of a value that its parts do not allow, which then is null; without it the run fails */
  readonly fault?: NoteFault;
  /** counts what is computed, of one row or of some together; without it each value is counted by itself */
  readonly work?: RowWork;
}

type Hole = Extract<PlanValue, { from: string }>;

/** A relative date against the run's clock reading (PLAN-063), as its slot takes it. */
function relativeDate(text: string, { engine, slot }: ValueUse): Json {
  const format = slot?.type.kind === "date" ? slot.type.format : null;
  const date = relativeDateValue(text, engine.context.startedAt, format);
  if (date !== null) return date;
  throw new RunFailure(
    failure("argument_invalid", `${text} leaves the calendar.`, "write a date nearer to today"),
  );
}

/** The failure of a value from a label without rows; names it and its condition (LANG-045). */
function noRow(engine: RunEngine, node: string): RunFailure {
  const { name: label, text } = engine.nameOf(node);
  const name = rowsName(engine, node);
  const bound = text === null || label === node ? name : `${name} = ${text}`;
  const which = `the condition of ${bound}`;
  return new RunFailure(
    failure("no_row", `${name} has no row to take a value from.`, `check ${which}`),
  );
}

function identityMissing(slot: HoleSlot, row: Row): RunFailure {
  const what = row.base === null ? "the row" : `the row of ${row.base.entity}`;
  return new RunFailure(
    failure(
      "identity_missing",
      `${slot.name} takes a key, and ${what} has no identity.`,
      "leave such rows out, or give a key",
    ),
  );
}

/** A row as a value: its reference, its only column, else an object of its columns (LANG-044). */
function rowValue(row: Row, slot: HoleSlot | null): Json {
  if (slot?.type.kind === "entity_ref") {
    const identity = row.base?.identity ?? null;
    if (identity === null) throw identityMissing(slot, row);
    return referenceValue({ identity, embedded: null });
  }
  const cells = row.cells ?? row.base?.fields ?? new Map<string, Json>();
  const values = [...cells.values()];
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : Object.fromEntries(cells);
}

/** A part of a row's key: rows keep it, whatever columns they are left with (LANG-061). */
export function keyPart(path: readonly string[], row: Row): Json | undefined {
  const [part, ...rest] = path;
  const key = row.base?.identity?.key ?? {};
  return part !== undefined && rest.length === 0 && Object.hasOwn(key, part)
    ? key[part]
    : undefined;
}

/** A cell of a row, or with an empty path the row; what the row lacks is read first (RUN-057). */
async function cellOf(path: readonly string[], row: Row, use: ValueUse): Promise<Json> {
  if (path.length === 0) return rowValue(row, use.slot);
  const { base } = row;
  if (base === null) return readCell(null, row, path) ?? null;
  const { cgs } = use.engine.catalog(base.entryId);
  const known = readCell(cgs, row, path) ?? keyPart(path, row);
  if (known !== undefined) return known;
  if (row.cells === null) await loadRow(use.engine, use.feed, base, neededNames([path], [row]), []);
  return readCell(cgs, row, path) ?? null;
}

function sourceType(path: readonly string[], row: Row, use: ValueUse): ValueType {
  const { base } = row;
  if (base === null) return pathType(null, null, path, row.types);
  return pathType(use.engine.catalog(base.entryId).cgs, base.entity, path);
}

/** A cell as its slot takes it. */
async function fittedCell(path: readonly string[], row: Row, use: ValueUse): Promise<Json> {
  const cell = await cellOf(path, row, use);
  return use.slot === null ? cell : holeValue(cell, sourceType(path, row, use), use.slot);
}

function elementUse(use: ValueUse): ValueUse {
  const { slot } = use;
  if (slot === null) return use;
  return { ...use, slot: { ...slot, type: elementType(slot.type) } };
}

/** What is read with values of rows that lack something lacks it as well: for diagnostics, or cut by a budget (LANG-067). */
function passMark(reason: PartialReason | null, { feed }: ValueUse): void {
  if (reason !== null) feed.mark(reason);
}

async function fillHole(hole: Hole, use: ValueUse): Promise<Json> {
  const source = use.engine.feedOf(hole.from);
  if (hole.many) {
    await source.need("all");
    passMark(source.partial, use);
    const names = neededNames([hole.path], source.rows);
    const holding = holdRows(source.rows, (row) => isWholeAndLacks(row, names));
    const lacking = await inSlices(holding, use.engine.pause);
    const stopped = await hydrate(use.engine, use.feed, wholeBases(lacking), names, []);
    if (stopped !== null) throw stopped;
    const element = elementUse(use);
    const cells: Json[] = [];
    for (let at = 0; at < source.rows.length; at += PORTION) {
      const rows = source.rows.slice(at, at + PORTION);
      use.engine.charge(rows.length * WORK.computed);
      const fitted = await Promise.all(rows.map((row) => fittedCell(hole.path, row, element)));
      for (const cell of fitted) if (cell !== null) cells.push(cell);
      await use.engine.pause();
    }
    return bounded(use, cells);
  }
  const cut = await source.needInHand({ rows: 1 });
  const row = source.rows.at(0);
  passMark(source.partialMark, use);
  if (row !== undefined) return fittedCell(hole.path, row, use);
  if (cut !== null) throw new SourceEnded(source);
  throw noRow(use.engine, hole.from);
}

/** The row a `=>` is at, of which `_` is said. */
function currentRow(feed: Feed): Row {
  if (feed.item === null) throw new Error("a value reads the row of a for_each outside of one");
  return feed.item.row;
}

/** Fills the holes of a plan value, each by its slot's type (PLAN-064). Throws RunFailure. */
export async function resolveValue(value: PlanValue, use: ValueUse): Promise<Json> {
  if ("lit" in value) return value.lit;
  if ("dec" in value) return value.dec;
  if ("now" in value) return relativeDate(value.now, use);
  if ("from" in value) return fillHole(value, use);
  if ("row" in value) return fittedCell(value.row, currentRow(use.feed), use);
  if ("total" in value) {
    const cell = currentRow(use.feed).totals?.get(totalKey(value.total, value.of)) ?? null;
    return use.slot === null ? cell : holeValue(cell, wordType(value.type), use.slot);
  }
  if ("args" in value) return computedValue(value, use);
  if ("cell" in value) throw new Error("a cell of a row is read outside of a step over rows");
  if ("list" in value) {
    const element = elementUse(use);
    const items = value.list.map((item) => resolveValue(item, element));
    return bounded(use, await Promise.all(items));
  }
  if ("obj" in value) return resolveMembers(value.obj, { ...use, slot: null });
  const key = await resolveMembers(value.ref.key, { ...use, slot: null });
  for (const [part, cell] of Object.entries(key)) {
    if (cell === null)
      throw nullValue(use.engine, use.feed, `${value.ref.entity}(${part})`, value.ref.key[part]);
  }
  const parts = Object.values(key);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : key;
}

type Operation = Extract<PlanValue, { readonly args: unknown }>;

/** A value that an operation makes, as its slot takes it (LANG-045, LANG-048). */
async function computedValue(value: Operation, use: ValueUse): Promise<Json> {
  const { slot, work } = use;
  if (work === undefined) return countedAlone(value, use);
  const exact = await exactValue(value, { ...use, slot: null, work });
  if (exact === undefined) return null;
  const made = settled(exact);
  return slot === null ? made : holeValue(made, wordType(value.type), slot);
}

/** What an operation makes where its expression goes on; undefined, and told, where its values allow nothing. */
async function exactValue(
  value: Operation,
  use: ValueUse & { readonly work: RowWork },
): Promise<Exact | undefined> {
  const kept = keptName(value);
  if (kept !== null) return keptValue(kept, use);
  const file = namedFile(value);
  if (file !== null) return takenFile(use.engine, use.feed.id, file);
  const part = async (arg: PlanValue): Promise<Exact> =>
    "args" in arg ? ((await exactValue(arg, use)) ?? null) : resolveValue(arg, use);
  const chosen = await chosenValue(value, part);
  if (chosen !== undefined) return chosen;
  const args = await Promise.all(value.args.map(part));
  try {
    const made = computeExactly(value.op, args, value.on, use.work.spend);
    bounded(use, settled(made));
    return made;
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error;
    if (use.fault === undefined) throw impossible(value, error);
    use.fault(faultDetail(value, error));
    return undefined;
  }
}

/** A value of an earlier answer of the session, counted as what is made of others (LANG-057). */
async function keptValue(name: KeptName, use: ValueUse): Promise<Json> {
  const none = {
    problem: "This run belongs to no session with earlier answers.",
    fix: "read the value",
  };
  const found = (await use.engine.context.kept?.(name)) ?? none;
  if ("value" in found) return bounded(use, found.value);
  throw new RunFailure(failure("not_found", found.problem, found.fix));
}

/** A value of which nobody else counts what it takes: it is charged when it is there. */
async function countedAlone(value: Operation, use: ValueUse): Promise<Json> {
  const work = new RowWork();
  const made = await computedValue(value, { ...use, work });
  const pieces = work.pieces();
  use.engine.charge(pieces);
  if (pieces > 0) await use.engine.pause();
  return made;
}

/** What a choice comes to, of which nothing is computed that it leaves out; undefined for any other operation. */
async function chosenValue(
  { op, args }: Operation,
  part: (arg: PlanValue) => Promise<Exact>,
): Promise<Exact | undefined> {
  const [test, first, second] = args;
  switch (op) {
    case "if": {
      const isMet = test !== undefined && (await part(test)) === true;
      const taken = isMet ? first : second;
      return taken === undefined ? null : part(taken);
    }
    case "and":
    case "or": {
      const decides = op === "or";
      for (const arg of args) if (((await part(arg)) === true) === decides) return decides;
      return !decides;
    }
    case "coalesce": {
      for (const arg of args) {
        const found = await part(arg);
        if (found !== null) return found;
      }
      return null;
    }
    default:
      return undefined;
  }
}

function impossible(value: PlanValue, { message, fix }: ValueFault): RunFailure {
  return new RunFailure(
    failure(
      "argument_invalid",
      `${valueText(value)} has no value: ${message}.`,
      fix ??
        "leave such rows out with a condition, or give another value with if(…) or coalesce(…)",
    ),
  );
}

type Members = Readonly<Record<string, PlanValue>>;

async function fillMembers(members: Members, use: ValueUse): Promise<Members> {
  const filled = Object.entries(members).map(
    async ([name, value]) => [name, await fillShared(value, use)] as const,
  );
  return Object.fromEntries(await Promise.all(filled));
}

/**
 * A value with all that is the same for every row filled in: cells of other nodes, relative dates, and within a `=>`
 * those of its row. Only what is read of the rows to come is left open (LANG-071, PLAN-063). Throws RunFailure.
 */
export async function fillShared(value: PlanValue, use: ValueUse): Promise<PlanValue> {
  if ("from" in value || "now" in value) return { lit: await resolveValue(value, use) };
  if (("row" in value || "total" in value) && use.feed.item !== null) {
    return { lit: await resolveValue(value, use) };
  }
  if ("args" in value) {
    const kept = keptName(value);
    if (kept !== null) return { lit: await keptValue(kept, use) };
    const file = namedFile(value);
    if (file !== null) return { lit: await takenFile(use.engine, use.feed.id, file) };
    return { ...value, args: await Promise.all(value.args.map((arg) => fillShared(arg, use))) };
  }
  if ("list" in value) {
    return { list: await Promise.all(value.list.map((item) => fillShared(item, use))) };
  }
  if ("obj" in value) return { obj: await fillMembers(value.obj, use) };
  if (!("ref" in value)) return value;
  const key = await fillMembers(value.ref.key, use);
  return { ref: { entity: value.ref.entity, key } };
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
  return bounded(use, Object.fromEntries(entries));
}

/** A value made of others, unless it is more than any run may write out: what is nested in it counts each time. */
const bounded = <V extends Json>({ engine, feed }: ValueUse, value: V): V =>
  engine.rows.bound(() => rowsName(engine, feed.id), value);

import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "@plasm/core";
import { keyParts, nameList } from "@plasm/core/internal";
import type { StructuredResult } from "../../answer/answer.ts";
import { named } from "../../errors/arguments.ts";
import { fail, type Failure } from "../../errors/problem.ts";
import type { OperationKey } from "../../ports.ts";
import type {
  WatchEventRecord,
  WatchEventKind,
  WatchedRows,
  WatchState,
} from "../../records/schedules.ts";
import type { SessionView } from "../../session/session-view.ts";
import { compile } from "../plan/compile.ts";

/** Rows that a watch compares: what it keeps of them is one record. */
const MOST_ROWS = 5_000;
/** Characters of a row's key, and of a row as an event has it. */
const MOST_KEY = 300;
const MOST_ROW = 8_192;
/** Events of one reading. What else has changed is told by the next one. */
const MOST_EVENTS = 500;

const wrong = (text: string): Failure => fail("plasm-bad-request", text);

/** How a watch compares rows. */
type Comparing = Pick<WatchState, "key" | "fields">;

/**
 * The columns by which a watch knows rows again: those that are named, else the key of the entity whose rows the program gives. Throws
 * plasm-bad-request where the program does not give them (WATCH-01).
 */
export function readWatchKey(program: string, view: SessionView, given: unknown): Comparing {
  const compiled = compile(program, view);
  if (compiled.kind !== "plan") throw wrong("A watch is of a program that reads rows.");
  const { plan } = compiled;
  if (plan.summary.effects.length > 0) {
    throw wrong("A watch is of a program that only reads, and this one changes something.");
  }
  const [only, ...others] = plan.returns;
  const node = plan.nodes.find(({ id }) => id === only?.node);
  if (node === undefined || others.length > 0) {
    throw wrong(`A watch compares one result, and this program has ${plan.returns.length}.`);
  }
  const { entity: name, columns } = node.result;
  const entity = [...view.exposure.catalogs.values()]
    .map(({ cgs }) => cgs.entities.get(name ?? ""))
    .find((one) => one !== undefined);
  const known = columns?.map(([column]) => column) ?? [...(entity?.fields.keys() ?? [])];
  const key =
    given === undefined ? (entity === undefined ? [] : keyParts(entity)) : readNames(given);
  const missing = key.find((one) => !known.includes(one));
  if (key.length > 0 && missing === undefined) {
    const fields = entity !== undefined && known.every((one) => entity.fields.has(one));
    return { key, fields };
  }
  const why =
    missing === undefined
      ? "The rows of this program have no key of their own"
      : `The program does not give the column ${named(missing)}`;
  throw wrong(
    `${why}: key must name the columns by which rows are known again, of ${nameList(known, missing ?? "")}.`,
  );
}

function readNames(given: unknown): readonly string[] {
  const isList =
    Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "string");
  if (isList) return [...new Set(given as readonly string[])];
  throw wrong("key must be a list of at least one name of a column.");
}

const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, 22);

/** A row as a reading has it. */
interface ReadRow {
  readonly key: string;
  readonly digest: string;
  readonly row: JsonObject;
  /** nothing of it may be what could not be read: a change of it is one */
  readonly whole: boolean;
}

/** Rows of one key, in whatever order and however often their API gives them: one that comes twice is one. */
const digestOf = (digests: ReadonlySet<string>): string => {
  const [only = "", ...others] = [...digests].toSorted();
  return others.length === 0 ? only : hashOf([only, ...others].join());
};

/**
 * The rows of a reading by key; rows of one key are one, compared together. Of a reading that is not whole a row is where it is
 * of its entity's own fields and none of them is empty: a count may be of fewer rows than there are, and what a read did not give
 * is empty (WATCH-08). Throws Failure where they are too many, or have no key (WATCH-09).
 */
function rowsByKey(
  { rows, columns }: StructuredResult,
  { key, fields = false }: Comparing,
  isWhole: boolean,
): ReadonlyMap<string, ReadRow> {
  if (rows.length > MOST_ROWS) {
    throw fail(
      "plasm-too-large",
      `A watch compares at most ${MOST_ROWS} rows, and the program gave ${rows.length}. Let it ask for fewer.`,
    );
  }
  const unread = key.find(
    (name) => rows.length > 0 && !rows.some((row) => Object.hasOwn(row, name)),
  );
  if (unread !== undefined) {
    const what = `No row of this reading has ${named(unread)}, by which rows are known again`;
    throw fail("plasm-run-failed", `${what}: nothing can be compared.`);
  }
  const found = new Map<string, { digests: Set<string>; row: JsonObject; whole: boolean }>();
  for (const row of rows) {
    const text = canonicalJson(Object.fromEntries(key.map((name) => [name, row[name] ?? null])));
    if (text.length > MOST_KEY) {
      throw fail(
        "plasm-too-large",
        `The key of a row takes ${text.length} characters; ${MOST_KEY} may.`,
      );
    }
    const whole = isWhole || (fields && columns.every((column) => (row[column] ?? null) !== null));
    const known = found.get(text) ?? { digests: new Set(), row, whole };
    known.digests.add(hashOf(canonicalJson(row)));
    found.set(text, { ...known, whole: known.whole && whole });
  }
  const entries = [...found].map(([name, { digests, row, whole }]): [string, ReadRow] => [
    name,
    { key: name, digest: digestOf(digests), row, whole },
  ]);
  return new Map(entries);
}

/** What has become of rows since the reading before. */
export interface RowComparison {
  /** what the next reading is compared with */
  readonly kept: WatchedRows;
  readonly events: readonly WatchEventRecord[];
  readonly counts: Readonly<Record<WatchEventKind, number>>;
  /** why rows may be missing; null where none are */
  readonly partial: string | null;
}

const NONE = Object.freeze({ appeared: 0, changed: 0, vanished: 0 });

/** A number of an event as its id has it, so that ids sort as events came. */
const padded = (seq: number): string => String(seq).padStart(12, "0");

/** The id of an event's record: those of one watch stand together. */
export const eventKey = (watch: string, seq: number): string => `${watch}/${padded(seq)}`;

/** What the ids of a watch's events begin with. */
export const eventsOf = (watch: string): string => `${watch}/`;

/** Where those who follow a watch listen: no operation is there. */
export const watchPlace = (scope: string, watch: string): OperationKey => ({
  scope,
  id: `watch/${watch}`,
});

/** The number in the id of an event; null for what is none. */
export function eventNumber(id: string): number | null {
  const [, digits] = /^(\d{12})-[\w-]{22}$/u.exec(id) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * Compares a reading with the one before (WATCH-02). The first is what others are compared with, and has to be whole. A reading that is not
 * never says that a row has vanished, nor that one has changed that may not have been read whole (WATCH-08).
 */
export function compareRows(
  watch: string,
  { before, seq: last }: { readonly before: WatchedRows | null; readonly seq: number },
  result: StructuredResult,
  comparing: Comparing,
  now: number,
): RowComparison {
  const partial = result.partial ?? (result.next === null ? null : "there are more pages");
  const isWhole = partial === null;
  const found = rowsByKey(result, comparing, isWhole);
  if (before === null) {
    if (!isWhole) {
      throw fail(
        "plasm-run-failed",
        `The first reading of a watch has to be whole, and this one is not: ${partial}.`,
      );
    }
    const rows = Object.fromEntries([...found].map(([name, { digest }]) => [name, digest]));
    return { kept: { reading: 1, seq: last, rows }, events: [], counts: NONE, partial };
  }
  const reading = before.reading + 1;
  const rows = new Map(Object.entries(before.rows));
  const counts = { ...NONE } as Record<WatchEventKind, number>;
  const events: WatchEventRecord[] = [];
  const note = (kind: WatchEventKind, name: string, row: JsonObject | null): boolean => {
    if (events.length >= MOST_EVENTS) return false;
    const seq = last + events.length + 1;
    const id = `${padded(seq)}-${hashOf(canonicalJson([watch, name, reading, kind]))}`;
    const cut = row !== null && JSON.stringify(row).length > MOST_ROW;
    const shown = cut ? null : row;
    events.push({
      id,
      seq,
      watch,
      reading,
      at: now,
      kind,
      key: JSON.parse(name) as JsonObject,
      row: shown,
      cut,
    });
    counts[kind] += 1;
    return true;
  };
  for (const { key: name, digest, row, whole } of found.values()) {
    const known = rows.get(name);
    if (known === digest || (known !== undefined && !whole)) continue;
    if (note(known === undefined ? "appeared" : "changed", name, row)) rows.set(name, digest);
  }
  if (isWhole) {
    for (const name of [...rows.keys()].filter((one) => !found.has(one))) {
      if (note("vanished", name, null)) rows.delete(name);
    }
  }
  if (rows.size > 2 * MOST_ROWS) {
    throw fail(
      "plasm-too-large",
      `A watch compares at most ${MOST_ROWS} rows. Let its program ask for fewer.`,
    );
  }
  const kept = { reading, seq: last + events.length, rows: Object.fromEntries(rows) };
  return { kept, events, counts, partial };
}

/** What a reading came to, in words. */
export function comparedText({ kept, counts, partial }: RowComparison): string {
  const rows = Object.keys(kept.rows).length;
  if (kept.reading === 1) return `baseline: ${rows} rows`;
  const { appeared, changed, vanished } = counts;
  const told = `${appeared} appeared, ${changed} changed, ${vanished} vanished`;
  if (partial !== null) {
    return `${told} (partial: ${partial}): what else has changed or vanished is told by the next whole reading`;
  }
  return appeared + changed + vanished === 0 ? `nothing changed in ${rows} rows` : told;
}

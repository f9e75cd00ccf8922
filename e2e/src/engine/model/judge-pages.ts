import assert from "node:assert/strict";
import type { StructuredResult } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import { accountName } from "./people.ts";
import type { Cursor, Place } from "./place.ts";
import type { ProgramCall } from "./program-call.ts";
import { BOATS } from "./replicas.ts";
import { refName, type World } from "./world.ts";

const HANDLE = /^(s\d+)_pg([1-9]\d*)$/;

/** What becomes of a call that says a page handle, besides rows. */
export const HANDLE_CODES: readonly string[] = [
  "plasm-unknown-handle",
  "plasm-cursor-exhausted",
  "plasm-busy",
];

/** Rows that an answer gave: so many boats in order after the first so many. */
interface Given {
  readonly from: number;
  readonly to: number;
}

/** Reads the only result of an answer: boats in order, read on the account of the place's user (SURF-24). */
function givenBy({ user }: Place, results: readonly StructuredResult[]): Given {
  const [result, ...more] = results;
  assert(result !== undefined && more.length === 0);
  const ids = result.rows.map(({ id }) => Number(String(id as string).slice(1)));
  const [first = 0] = ids;
  assert.deepEqual(
    ids,
    ids.map((_, at) => first + at),
  );
  for (const { note } of result.rows) assert.equal(note, accountName(user));
  return { from: first - 1, to: first - 1 + ids.length };
}

/** Rows remain if and only if there is a handle, which stands for the same cursor as before (SESS-31). */
function checkNext(results: readonly StructuredResult[], { to }: Given, handle: string): void {
  assert.equal(results[0]?.next ?? null, to < BOATS ? handle : null);
}

/** Judges what a run gave, and notes its page handle. */
export function noteRun(world: World, { call, client, place, told }: ProgramCall): void {
  if (call.kind !== "run" || !told.ok) return;
  const { how, rows } = call.asks;
  const given = givenBy(place, told.results);
  assert.deepEqual(given, { from: 0, to: rows });
  const next = told.results[0]?.next ?? null;
  assert.equal(next !== null, how === "page_size", "rows remain of what is read by pages");
  if (next === null) return;
  const [, ref, digits] = HANDLE.exec(next) ?? [];
  assert.equal(ref, world.refs.get(refName(client, place)), "it has its reader's slot (SESS-6)");
  const n = Number(digits);
  assert(!place.cursors.has(n), "a number is given once (SESS-6)");
  place.cursors.set(n, { principal: principalOf(client), size: rows, given: new Set([rows]) });
}

/** How many rows a page call asks for. */
const sizeOf = ({ call }: ProgramCall, { size }: Cursor): number =>
  (call.kind === "page" ? call.limit : null) ?? size;

/** Where a cursor may stand after answers in this order and any of the calls that broke off. */
function endsOf(
  from: number,
  answers: readonly Given[],
  broken: readonly number[],
): readonly number[] {
  const [next, ...rest] = answers;
  const here =
    next === undefined ? [from] : next.from === from ? endsOf(next.to, rest, broken) : [];
  if (from === BOATS) return here;
  return broken.reduce<readonly number[]>((ends, size, at) => {
    const to = Math.min(BOATS, from + size);
    return [...ends, ...endsOf(to, answers, broken.toSpliced(at, 1))];
  }, here);
}

/** Judges continuations of one cursor at the same time: some order of them explains each (SESS-31). */
function judgeCursor(place: Place, n: number, cursor: Cursor, calls: readonly ProgramCall[]): void {
  const answers: Given[] = [];
  for (const made of calls) {
    const { told, handle } = made;
    if (!told.ok) continue;
    const given = givenBy(place, told.results);
    const size = Math.min(sizeOf(made, cursor), BOATS - given.from);
    assert(size > 0 && given.to - given.from === size, "a page is as long as it is asked for");
    checkNext(told.results, given, handle?.text ?? "");
    answers.push(given);
  }
  answers.sort((a, b) => a.from - b.from);
  const broken = calls.filter(({ told }) => !told.ok && told.dead);
  const sizes = broken.map((made) => sizeOf(made, cursor));
  const codes = calls.flatMap(({ told }) => (told.ok || told.dead ? [] : [told.code]));
  const exhausted = codes.includes("plasm-cursor-exhausted");
  const ends = [...cursor.given].flatMap((from) => endsOf(from, answers, sizes));
  const given = new Set(ends.filter((end) => !exhausted || end === BOATS));
  assert(given.size > 0, "pages give each row once, in order (SESS-31)");
  if (calls.length === 1) assert(!codes.includes("plasm-busy"), "a page alone is never busy");
  place.cursors.set(n, { ...cursor, given });
}

/** Judges the page calls of one place that were under way at the same time and came to its session. */
export function judgePages(place: Place, calls: readonly ProgramCall[]): void {
  for (const { told, client, handle } of calls) {
    const own = place.cursors.get(handle?.n ?? 0)?.principal === principalOf(client);
    const code = told.ok ? "ok" : told.code;
    if (told.ok || !told.dead) {
      assert.equal(code === "plasm-unknown-handle", !own, `${handle?.text}: ${code}`);
    }
  }
  for (const [n, cursor] of place.cursors) {
    const own = calls.filter(
      ({ client, handle }) => handle?.n === n && principalOf(client) === cursor.principal,
    );
    if (own.length > 0) judgeCursor(place, n, cursor, own);
  }
}

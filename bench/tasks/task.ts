import type { AnswerExpected } from "@plasm/eval";
import type { Effect } from "@plasm/sample-apis/shop";

/** What a task mostly needs of the language. */
export type TaskNeed =
  | "read"
  | "filter"
  | "paging"
  | "join"
  | "sum"
  | "computed"
  | "text"
  | "effect";

/** What a right answer has, or the writes that the server saw, in any order. Of several, one suffices. */
export type RightAnswer =
  | AnswerExpected
  | { readonly effects: readonly Effect[] }
  | { readonly oneOf: readonly RightAnswer[] };

/** A wish in a user's words, and what the data say about answers to it. */
export interface Task<World> {
  readonly id: string;
  readonly kind: TaskNeed;
  readonly ask: string;
  readonly expect: (world: World, now: Date) => RightAnswer;
}

export const rows = (list: readonly (readonly unknown[])[]): RightAnswer => ({
  rows: list,
  ordered: false,
});

/** The same rows in this order. */
export const inOrder = (list: readonly (readonly unknown[])[]): RightAnswer => ({
  rows: list,
  ordered: true,
});

export const oneNumber = (value: number, within = 1e-9): RightAnswer => ({ number: value, within });

export const oneText = (value: string): RightAnswer => ({ text: value });

export const effects = (list: readonly Effect[]): RightAnswer => ({ effects: list });

export const patched = (path: string, body: Effect["body"]): Effect => ({
  method: "PATCH",
  path,
  body,
});

export const posted = (path: string, body: Effect["body"] = {}): Effect => ({
  method: "POST",
  path,
  body,
});

export const deleted = (path: string): Effect => ({ method: "DELETE", path, body: {} });

/** Rounded to cents, halves away from 0, whatever a binary fraction makes of them. */
export const cents = (value: number): number =>
  Math.round(Number((value * 100).toPrecision(12))) / 100;

export const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

export const average = (values: readonly number[]): number => sum(values) / values.length;

/** A list by what its elements have in common, in order of first appearance. */
export function groups<T>(
  list: readonly T[],
  by: (one: T) => string,
): readonly (readonly [string, readonly T[]])[] {
  const found = new Map<string, T[]>();
  for (const one of list) {
    const key = by(one);
    const group = found.get(key);
    if (group === undefined) found.set(key, [one]);
    else group.push(one);
  }
  return [...found];
}

/** The first `count` by a number, the least first; throws if the data leave open which they are. */
export function least<T>(list: readonly T[], count: number, by: (one: T) => number): readonly T[] {
  const sorted = list.toSorted((a, b) => by(a) - by(b));
  const values = sorted.slice(0, count + 1).map(by);
  if (new Set(values).size < values.length) throw new Error(`ties among ${values.join(", ")}`);
  return sorted.slice(0, count);
}

export const greatest = <T>(
  list: readonly T[],
  count: number,
  by: (one: T) => number,
): readonly T[] => least(list, count, (one) => -by(one));

/** The element with this key, which is there. */
export function rowWhere<T>(list: readonly T[], matches: (one: T) => boolean): T {
  const found = list.find(matches);
  if (found === undefined) throw new Error("the data have no such row");
  return found;
}

import { fail } from "../errors/failure.ts";
import { refuseNoText } from "../errors/refuse-type.ts";

/** Where a run stands among those of its session: by when it began, then by name. */
export interface RunPosition {
  readonly at: number;
  readonly name: string;
}

/** Whether a run stands before another. */
export const isBefore = (a: RunPosition, b: RunPosition): boolean =>
  a.at === b.at ? a.name < b.name : a.at < b.at;

const CURSOR = /^(\d{1,16})\.([\w-]{1,100})$/;

/** A position as callers hand it back; it stands when the run itself is gone. */
export const runsCursor = ({ at, name }: RunPosition): string => `${at}.${name}`;

/** The position of a cursor; null without one. Throws plasm-bad-request for anything that is none. */
export function readRunsCursor(before: unknown): RunPosition | null {
  if (before === undefined) return null;
  const meaning = "the member next of the page before";
  if (typeof before !== "string") throw refuseNoText("before", before, meaning);
  const [, at, name] = CURSOR.exec(before) ?? [];
  if (at !== undefined && name !== undefined) return { at: Number(at), name };
  throw fail("plasm-bad-request", `before is ${meaning}, unchanged.`);
}

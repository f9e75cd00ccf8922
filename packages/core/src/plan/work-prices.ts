import type { Pred } from "./value.ts";

/** A unit of the budget `work` is about a microsecond of evaluation; prices are in tenths of one (PLAN-053). */
export const PIECES_A_UNIT = 10;

/**
 * What local work costs, in pieces of about a tenth of a microsecond each. The benchmark `work` measures them; they
 * are counted by what is done, never by a clock, so that the same run stops at the same place anywhere.
 */
export const WORK = Object.freeze({
  /** a condition tested on a row */
  condition: 1,
  /** a value of a list of `in`, before the first row */
  value: 3,
  /** a date that is read, besides */
  date: 10,
  /** a cell read as a key of a sort, a group or a distinct row */
  key: 2,
  /** two rows compared by a sort */
  comparison: 1,
  /** a cell taken into an aggregate */
  aggregate: 2,
  /** a cell of a projection, or of a row that a template sees */
  cell: 2,
  /** a part of a value of `=>` */
  computed: 10,
  /** a row that is joined */
  joined: 20,
  /** a step of a template */
  step: 2,
});

/** So many characters of a text cost a piece where conditions go through it. */
export const CHARACTERS_A_PIECE = 256;

/** What testing a predicate costs, in pieces. */
export interface PredWork {
  /** before the first row */
  readonly once: number;
  /** of each row, the characters of its texts aside */
  readonly each: number;
}

/** What conditions cost by their number, and the lists of `in` by their length, once they are known. */
export function predWork(pred: Pred): PredWork {
  let [once, each] = [0, 0];
  const visit = (part: Pred): void => {
    if ("and" in part) return part.and.forEach(visit);
    if ("or" in part) return part.or.forEach(visit);
    if ("not" in part) return visit(part.not);
    each += WORK.condition;
    once += WORK.condition;
    if ("exists" in part || part.op !== "in" || !("lit" in part.value)) return;
    const { lit } = part.value;
    if (Array.isArray(lit)) once += lit.length * WORK.value;
  };
  visit(pred);
  return { once, each };
}

/** How many times two rows are compared to bring so many in order. */
export const comparisonsOf = (rows: number): number =>
  rows < 2 ? rows : Math.ceil(rows * Math.log2(rows));

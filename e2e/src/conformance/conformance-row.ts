import type { PlanMeta } from "../harness/answers.ts";
import type { SampleData } from "../harness/sample-data.ts";

/** What a live run must answer and send. */
export interface LiveFacts {
  /** per result: its rows in order, each with at least these columns */
  readonly results?: readonly (readonly object[])[];
  /** columns of the first result, in order */
  readonly columns?: readonly string[];
  /** every row of the only result, its pages joined */
  readonly whole?: readonly object[];
  /** whether a page handle is left */
  readonly handle?: boolean;
  /**
   * Every request, in any order: a path on quay as it is on the wire, `yard:` before one on yard,
   * perhaps with query parameters that must be there.
   */
  readonly requests?: readonly string[];
  /** query parameters that no request may have */
  readonly unsent?: readonly string[];
  /** the budget or diagnostic that text and meta of the first result name */
  readonly partial?: string;
  /** the run fails with this error */
  readonly fails?: ExpectedError;
}

/** A program that is planned and run. `e(quay.Boat)` and `p(state)` stand for symbols. */
export interface Reading {
  readonly program: string;
  /** in a session that has yard, too */
  readonly yard?: true;
  /** on a server that reads one page of a list */
  readonly onePage?: true;
  /** a program with the same commit id */
  readonly sameAs?: string;
  /** a program with another commit id */
  readonly otherThan?: string;
  readonly planned?: (plan: PlanMeta["plan"], meta: PlanMeta) => void;
  readonly live: (data: SampleData) => LiveFacts;
}

/** A mistake that the program's errors must name. */
export interface ExpectedError {
  readonly code: string;
  /** what message or correction must contain */
  readonly says?: readonly string[];
  /** the program suggested, in whole */
  readonly suggests?: string;
}

/** A program that is refused, alike when planned and when run. */
export interface Refused {
  readonly program: string;
  readonly yard?: true;
  readonly onePage?: undefined;
  readonly errors: readonly ExpectedError[];
  /** how many more errors there are than are reported */
  readonly more?: number;
  /** time that planning and refusing it twice may take, in milliseconds */
  readonly within?: number;
}

/** A row of the specification's conformance table. */
export interface ConformanceRow {
  readonly id: `C-${string}`;
  readonly construct: string;
  readonly cases: readonly (Reading | Refused)[];
}

import type { PlanMeta } from "../harness/answers.ts";
import type { SampleData } from "../harness/sample-data.ts";
import type { ExpectedError, Refused } from "./conformance-row.ts";

/** A request that may change something: method, path on quay (`yard:` before one on yard), body. */
export type Write = readonly [method: string, path: string, body?: unknown];

/** A program that is planned, held back without its ref, run once under it, and answered again. */
export interface Effecting {
  readonly program: string;
  /** which session: quay and yard unless said */
  readonly in?: "boats alone" | "one page";
  /** a program with the same commit id */
  readonly sameAs?: string;
  readonly planned?: (plan: PlanMeta["plan"], meta: PlanMeta) => void;
  /** every request but reads, in order */
  readonly writes: (data: SampleData) => readonly Write[];
  /** every read, in order; not looked at if left out */
  readonly reads?: readonly string[];
  /** per result: its rows in order, each with at least these columns */
  readonly results?: (data: SampleData) => readonly (readonly object[])[];
  /** the run fails with this error */
  readonly fails?: ExpectedError;
}

/** A row of the specification's conformance table whose programs have effects. */
export interface EffectRow {
  readonly id: `C-${string}`;
  readonly construct: string;
  readonly cases: readonly (Effecting | Refused)[];
}

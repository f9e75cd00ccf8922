import type { Problem } from "@plasm/agent-core";
import type { Policy } from "@plasm/core";
import type { Answers } from "./misbehaving-api.ts";

/** A program whose run fails, what makes it fail, and what its error must say (ERR section 4). */
export interface RunErrorExample {
  readonly why: string;
  readonly program: string;
  /** what the API does; nothing is there but this */
  readonly api: Answers;
  /** the catalog of the session's `Boat` and the rest, quay unless said */
  readonly on?: "quay and yard" | "wharf";
  /** the secret that the host has for wharf, none unless said */
  readonly token?: string;
  readonly budgets?: NonNullable<Policy["budgets"]>;
  /** where the host says the APIs are, instead of where they are */
  readonly backend?: string;
  /** what a port throws, as a defect does */
  readonly defect?: Error;

  /** how the failed node is named: its id, an effect's label first */
  readonly node: string;
  /** `line:column` of the error */
  readonly at: string;
  /** the text the span covers */
  readonly marks: string;
  /** the source row it concerns */
  readonly row?: number;
  /** what message and correction hold */
  readonly says: readonly string[];
  /** what they must not hold */
  readonly omits?: readonly string[];
  readonly retryable: boolean;
  readonly problem: Problem["code"];
  readonly status: number;
  /** seconds to wait before a retry */
  readonly retryAfter?: number;
  /** method, path template and status of the request it speaks of (RUN-150) */
  readonly request?: readonly [method: string, template: string, status: number | null];
  /** what became of the effects, as the second line counts them (ERR-020) */
  readonly effects?: string;
}

import type { PeersWorld } from "./peers-world.ts";
import type { Rows } from "./transcript.ts";

export type Vendor = "github" | "quay";

export type TaskKind = "one call" | "chain of three" | "fan-out of 20" | "two vendors";

/** One request of an API, by the operation of its document: `GET /repos/{owner}/{repo}`. */
export interface RestCall {
  readonly vendor: Vendor;
  readonly operation: string;
  readonly path: Readonly<Record<string, string | number>>;
  readonly query: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * What a model does that has one tool an operation: each `yield` is a turn of calls made side by side and
 * gives their answers; what it returns is what the model has understood.
 */
export type RestScript = Generator<readonly RestCall[], unknown, readonly unknown[]>;

/** One question, answered by every side in its own way, and by the servers themselves. */
export interface PeerTask {
  readonly name: string;
  readonly kind: TaskKind;
  readonly question: string;
  /** the right answer, asked of the servers before any side works */
  readonly oracle: (world: PeersWorld) => Rows | Promise<Rows>;
  /** for a task that changes something: what the servers have afterwards, in the oracle's form */
  readonly after?: (world: PeersWorld) => Rows | Promise<Rows>;
  readonly plasm: {
    readonly seeds: readonly (readonly [api: Vendor, entity: string])[];
    readonly program: string;
    /** runs without a plan what would ask for one */
    readonly force?: true;
  };
  /** what has to be known to call the APIs, as in one document of both: `GET /quay/boats` */
  readonly operations: readonly string[];
  /** a program for codemode's `execute` */
  readonly code: string;
  readonly rest: () => RestScript;
}

type Values = Readonly<Record<string, string | number>>;

const caller =
  (vendor: Vendor) =>
  (
    operation: string,
    path: Values = {},
    more: { readonly query?: Values; readonly body?: Readonly<Record<string, unknown>> } = {},
  ): RestCall => ({ vendor, operation, path, query: {}, ...more });

export const github = caller("github");
export const quay = caller("quay");

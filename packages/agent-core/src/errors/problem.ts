import type { ProblemMeta } from "../answer/meta.ts";
import type { Json, JsonObject, ProgramError } from "@plasm/core";
import { visibleLines } from "@plasm/core/internal";
import type { RunError } from "@plasm/runtime";
import type { StructuredResult } from "../answer/answer.ts";

/** What a call throws when it answers with a problem instead of a result. */
export class Failure extends Error {
  override readonly name: string = "Failure";
  readonly problem: Problem;

  constructor(value: Problem, options?: ErrorOptions) {
    super(value.text, options);
    this.problem = value;
  }
}

/** Makes what a call throws that answers with a problem. */
export const fail = (code: ProblemCode, text: string, detail?: ProblemDetail): Failure =>
  new Failure(problem(code, text, detail));

/** One error inside a problem: of the program, or of a run (ERR-001). */
export interface ProblemError {
  readonly code: string;
  readonly message: string;
  readonly span: ProgramError["span"] | null;
  readonly snippet: string | null;
  readonly correction: string;
  readonly suggested_program: string | null;
  readonly node?: string;
  readonly row?: number | null;
  readonly retryable?: boolean;
  readonly request?: RunError["request"];
}

/** The error object of every surface (SURF-18). `text` alone suffices for a model (ERR-031). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly retryable: boolean;
  readonly text: string;
  readonly errors: readonly ProblemError[];
  /** members of the answer's meta that an error carries, too (OPS-10) */
  readonly meta: ProblemMeta;
  /** what a failed run had in hand, all rows of it (ERR-031) */
  readonly results: readonly StructuredResult[];
  /** seconds to wait before a retry, if known */
  readonly retryAfter: number | null;
  /** what a person opens to sign in, for clients that lead people there themselves; the text has it, too (RUN-128) */
  readonly signIns: readonly SignInLink[];
  /** what a person may choose instead of the model, for clients that ask them; the text has it, too (TEACH-52) */
  readonly choices: readonly SeedChoice[];
}

/** A seed whose name several entities have: one of them is meant. */
export interface SeedChoice {
  /** the name, as the seed has it */
  readonly seed: string;
  readonly options: readonly { readonly api: string; readonly entity: string }[];
}

/** An address that a person opens to sign in to an API, and what that is for. */
export interface SignInLink {
  readonly url: string;
  readonly message: string;
}

/** What a problem may have beside its code and text. */
export interface ProblemDetail {
  readonly errors?: readonly ProblemError[];
  readonly meta?: ProblemMeta;
  readonly results?: readonly StructuredResult[];
  readonly retryable?: boolean;
  readonly retryAfter?: number | null;
  readonly signIns?: readonly SignInLink[];
  readonly choices?: readonly SeedChoice[];
}

/**
 * Makes a problem from its code and text; status, title and type follow from the code. Whatever the text
 * repeats, nothing in it acts but its own line ends and TABs (SURF-13).
 */
export function problem(code: ProblemCode, text: string, detail: ProblemDetail = {}): Problem {
  const [status, title, retryable] = PROBLEMS[code];
  return {
    type: `urn:problem:${code}`,
    title,
    status,
    code,
    retryable: detail.retryable ?? retryable,
    text: visibleLines(text),
    errors: detail.errors ?? [],
    meta: detail.meta ?? {},
    results: detail.results ?? [],
    retryAfter: detail.retryAfter ?? null,
    signIns: detail.signIns ?? [],
    choices: detail.choices ?? [],
  };
}

/** Every problem code with its HTTP status, title and whether repeating may help (SURF-18, ERR-030). */
export const PROBLEMS = {
  "plasm-bad-request": [400, "Request is not understood", false],
  "plasm-principal-required": [400, "A principal is required", false],
  "plasm-graft-no-identity": [400, "Grafts need a user", false],
  "plasm-unauthenticated": [401, "No identity", false],
  "plasm-policy-denied": [403, "Policy forbids this", false],
  "plasm-insufficient-scope": [403, "The credential lacks a scope", false],
  "plasm-force-denied": [403, "Policy forbids force", false],
  "plasm-unknown-session": [404, "No such session", false],
  "plasm-unknown-handle": [404, "No such handle", false],
  "plasm-unknown-catalog": [404, "No such catalog", false],
  "plasm-unknown-snapshot": [404, "No such snapshot", false],
  "plasm-unknown-trace": [404, "No such trace", false],
  "plasm-unknown-graft": [404, "No such graft", false],
  "plasm-unknown-program": [404, "No such saved program", false],
  "plasm-unknown-route": [404, "No such route", false],
  "plasm-method-not-allowed": [405, "Method not allowed here", false],
  "plasm-not-acceptable": [406, "No acceptable format", false],
  "plasm-review-required": [409, "Plan needs review", false],
  "plasm-approval-required": [409, "An operator must approve this", false],
  "plasm-commit-used": [409, "Plan reference was used", false],
  "plasm-program-changed": [409, "A saved program is another plan now", false],
  "plasm-busy": [409, "Session is busy", true],
  "plasm-session-lost": [410, "Session is gone", false],
  "plasm-cursor-exhausted": [410, "No rows remain", false],
  "plasm-too-large": [413, "Too large", false],
  "plasm-unsupported-media": [415, "Unsupported media type", false],
  "plasm-program-invalid": [422, "Program has errors", false],
  "plasm-run-failed": [422, "Run failed", false],
  "plasm-unknown-entity": [422, "No such entity", false],
  "plasm-too-many-operations": [429, "Too many operations", true],
  "plasm-rate-limited": [429, "Too many failed attempts", true],
  "plasm-quota-exceeded": [429, "A quota is used up", false],
  "plasm-internal": [500, "Internal error", false],
  "plasm-upstream-error": [502, "A called API failed", false],
  "plasm-upstream-auth": [502, "A called API refused the credentials", false],
  "plasm-store-unavailable": [503, "Store unavailable", true],
  "plasm-upstream-timeout": [504, "A called API timed out", true],
} as const satisfies Readonly<Record<`plasm-${string}`, readonly [number, string, boolean]>>;

/** The code of a problem; its status and title follow from it. */
export type ProblemCode = keyof typeof PROBLEMS;

const errorDocument = (error: ProblemError): JsonObject =>
  Object.fromEntries(
    Object.entries(error)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value as Json]),
  );

/**
 * The error object as every surface sends it: `application/problem+json` on HTTP and
 * `_meta.plasm.error` on MCP (SURF-18). `detail` is the text that suffices for a model (ERR-031).
 */
export const problemDocument = (problem: Problem): JsonObject => ({
  type: problem.type,
  title: problem.title,
  status: problem.status,
  code: problem.code,
  retryable: problem.retryable,
  detail: problem.text,
  errors: problem.errors.map(errorDocument),
});

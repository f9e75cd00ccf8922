import type { Answer, RunAnswer } from "./answer/answer.ts";
import type {
  AcceptedMeta,
  ContextMeta,
  DiscoveryMeta,
  DryRunMeta,
  ExplanationMeta,
  FetchedGraftMeta,
  HandleMeta,
  OperationMeta,
  RunMeta,
} from "./answer/meta.ts";
import type { Problem } from "./errors/problem.ts";

/** A context that was opened or extended: its text has the tables that the caller has not been sent. */
export interface ContextOutcome extends Answer<ContextMeta> {
  readonly kind: "context";
}

/** A program that was planned under a ref. */
export interface PlannedOutcome extends Answer<DryRunMeta> {
  readonly kind: "planned";
}

/** A continuation that was planned: its handle is good, and nothing else was done (OPS-4). */
export interface HandleOutcome extends Answer<HandleMeta> {
  readonly kind: "handle";
}

/** What a dry run comes to. */
export type PlanOutcome = PlannedOutcome | HandleOutcome;

/** A run that came to its end, or a page of its rows. */
export interface FinishedOutcome extends RunAnswer<RunMeta> {
  readonly kind: "finished";
}

/** An operation that goes on by itself: HTTP's 202 (OPS-13). */
export interface AcceptedOutcome extends RunAnswer<AcceptedMeta> {
  readonly kind: "accepted";
  /** its handle */
  readonly accepted: string;
}

/** How an operation stands, which goes on or was cancelled (OPS-15, OPS-16). */
export interface OperationOutcome extends RunAnswer<OperationMeta> {
  readonly kind: "operation";
}

/** What a live run comes to. */
export type LiveOutcome = FinishedOutcome | AcceptedOutcome | OperationOutcome;

/** A plan whose reads were executed, and whose effects were not sent (OPS-38). */
export interface ExplainedOutcome extends RunAnswer<ExplanationMeta> {
  readonly kind: "explained";
}

/** What the explanation of a program comes to. */
export type ExplanationOutcome = ExplainedOutcome | (HandleOutcome & RunAnswer<HandleMeta>);

/** Entities for a goal (TEACH-36). */
export interface DiscoveryOutcome extends Answer<DiscoveryMeta> {
  readonly kind: "discovery";
}

/** A part of a graft, or of the index (GRAFT-12). */
export interface FetchedGraftOutcome extends Answer<FetchedGraftMeta> {
  readonly kind: "graft";
}

/** What any call of a tool comes to. */
export type Outcome =
  | ContextOutcome
  | PlanOutcome
  | LiveOutcome
  | ExplanationOutcome
  | DiscoveryOutcome
  | FetchedGraftOutcome;

/**
 * How a run with effects ended: what every later call under its ref is told again (OPS-3). Of a task it may be whatever
 * its call came to at once.
 */
export type EndedRun<Ended extends LiveOutcome = FinishedOutcome> =
  | { readonly kind: "answer"; readonly answer: Ended }
  | { readonly kind: "problem"; readonly problem: Problem };

import type { ContextRequest, Problem } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";

/**
 * Where a host can be made to stand still for ever: what it has done is durable, what follows is not.
 * `nth` is the place of an effect in its run, of anything else the how-manieth of its kind.
 */
export interface StopPoint {
  readonly at:
    | "ref to be consumed"
    | "accepted"
    | "claimed"
    | "output kept"
    | "effect to be written"
    | "effect written"
    | "outcome to be written"
    | "outcome written"
    | "end to be kept"
    | "end kept";
  readonly nth: number;
}

/** What is asked of a host. */
export type HostCall =
  | { readonly call: "context"; readonly request: ContextRequest }
  | { readonly call: "plan"; readonly ref: string; readonly program: string }
  | {
      readonly call: "run";
      readonly ref: string;
      readonly program: string;
      /** null for what needs none */
      readonly commit: string | null;
      readonly wait: boolean;
    }
  | { readonly call: "stop at"; readonly point: StopPoint | null }
  /** puts the store's clock so far ahead of the system's, in ms */
  | { readonly call: "put clock ahead"; readonly by: number };

export interface HostAnswer {
  readonly text: string;
  readonly meta: JsonObject;
  /** null for an answer, else what went wrong */
  readonly problem: Problem | null;
}

export interface HostQuestion {
  readonly id: number;
  readonly asked: HostCall;
}

/** What a host says: that it is up, that it stands still, or what a call is answered. */
export type HostMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "stopped" }
  | { readonly kind: "answer"; readonly id: number; readonly answer: HostAnswer };

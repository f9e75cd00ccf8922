import type { PlanNode } from "@plasm/core";
import type { HeaderPair } from "./ports.ts";

/** One request that was sent, for traces: no query, no header, no body (RUN-142). */
export interface SentRequest {
  readonly node: string;
  readonly entryId: string;
  readonly method: string;
  readonly origin: string;
  readonly pathTemplate: string;
  readonly attempt: number;
  /** null when no response came */
  readonly status: number | null;
  readonly ms: number;
}

/** A node as those see it who watch a run: no label, for that is the program's. */
export interface StartedNode {
  readonly id: string;
  readonly kind: PlanNode["kind"];
  /** the catalog it is of; null for one that only computes */
  readonly entryId: string | null;
}

/** How a node ended, or stands where its run did. */
export interface EndedNode {
  readonly status: "done" | "failed" | "skipped";
  readonly rows: number;
}

/** A request that is about to be sent. */
export type StartedRequest = Omit<SentRequest, "status" | "ms">;

/** What becomes of one request. */
export interface RequestWatch {
  /** sent with it, to tell the API whose trace it is of */
  readonly headers: readonly HeaderPair[];
  /** `status` is null when no response came */
  ended(status: number | null, ms: number): void;
}

/**
 * Who watches a run for traces (RUN-142, SURF-27): told of names, numbers and templates, never of arguments,
 * rows, headers or bodies. Must not throw.
 */
export interface RunObserver {
  /** A node of the plan begins; what it gives is called once, when that has ended or its run has. */
  node(node: StartedNode): (ended: EndedNode) => void;
  /** A request is about to be sent. */
  request(request: StartedRequest): RequestWatch;
}

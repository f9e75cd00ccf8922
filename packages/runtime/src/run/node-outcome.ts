import type { PlanNode } from "@plasm/core";
import type { RunDiagnostic } from "../base/diagnostic.ts";
import type { Feed } from "./feed.ts";
import type { NodeOutcome, NodeStatus } from "./run-types.ts";
import type { EndedNode, RunObserver } from "../ports.ts";

/** A read that was cut is done with the rows in hand; an effect is not, while one is outstanding. */
const doneInPart = (feed: Feed): boolean => feed.began && feed.reader.performs !== true;

function statusOf(feed: Feed): NodeStatus {
  switch (feed.ending.kind) {
    case "failed":
      return "failed";
    case "skipped":
      return "skipped";
    case "cut":
      return doneInPart(feed) ? "done" : "skipped";
    case "open":
    case "ended":
      return "done";
  }
}

/** A node's status and rows, for progress. */
export function nodeState(feed: Feed): { node: string; status: NodeStatus; rows: number } {
  return { node: feed.id, status: statusOf(feed), rows: feed.rows.length };
}

/** How a node ended (PLAN-070). */
export function nodeOutcome(feed: Feed): NodeOutcome {
  const { ending } = feed;
  const status = statusOf(feed);
  const reason =
    ending.kind === "skipped"
      ? ending.reason
      : ending.kind === "failed"
        ? ending.error.message
        : ending.kind === "cut" && status === "skipped"
          ? ending.by
          : null;
  return {
    id: feed.id,
    status,
    partial: status === "failed" || ending.kind === "skipped" ? null : feed.partial,
    reason,
    error: ending.kind === "failed" ? ending.error : null,
    rows: feed.rows.length,
  };
}

/** The diagnostics of a node and of all that its rows are made of. */
export function diagnosticsOf(feed: Feed): readonly RunDiagnostic[] {
  const found = new Map<string, readonly RunDiagnostic[]>();
  const visit = (each: Feed): void => {
    if (found.has(each.id)) return;
    found.set(each.id, each.log.entries());
    each.reader.sources.forEach(visit);
  };
  visit(feed);
  return [...found.values()].toReversed().flat();
}

/** The nodes of one run that have begun, for whoever watches it: each ends once. */
export interface NodeWatch {
  started(node: PlanNode): void;
  ended(id: string, how: EndedNode): void;
  /** The run is over: what has not ended stays as it stands. */
  settle(stateOf: (id: string) => EndedNode): void;
}

const QUIET: NodeWatch = Object.freeze({
  started: () => undefined,
  ended: () => undefined,
  settle: () => undefined,
});

function entryIdOf(node: PlanNode): string | null {
  if ("catalog" in node) return node.catalog.entry_id;
  return node.kind === "for_each" ? node.body.catalog.entry_id : null;
}

export function createNodeWatch(observer: RunObserver | undefined): NodeWatch {
  if (observer === undefined) return QUIET;
  const open = new Map<string, (how: EndedNode) => void>();
  const begun = new Set<string>();
  const ended = (id: string, how: EndedNode): void => {
    open.get(id)?.(how);
    open.delete(id);
  };
  return {
    started: (node) => {
      const { id, kind } = node;
      if (begun.has(id)) return;
      begun.add(id);
      open.set(id, observer.node({ id, kind, entryId: entryIdOf(node) }));
    },
    ended,
    settle: (stateOf) => {
      for (const id of open.keys()) ended(id, stateOf(id));
    },
  };
}

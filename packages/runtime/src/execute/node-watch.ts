import type { PlanNode } from "@plasm/core";
import type { EndedNode, RunObserver } from "../run-observer.ts";

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

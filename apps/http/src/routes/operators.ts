import type { Approvals, Keys, SetAsideOperations } from "@plasm/agent-core";

/** What the routes for operators work with. MCP and the engine have no part in it (OPS-36). */
export interface Operators {
  readonly keys: Pick<Keys, "recordOf">;
  readonly approvals: Approvals;
  readonly setAside: SetAsideOperations;
}

/** A deployment without operators: no key is known, so that nothing is ever decided. */
export const NO_OPERATORS: Operators = Object.freeze({
  keys: { recordOf: async () => null },
  approvals: {
    list: async () => [],
    page: async () => ({ approvals: [], total: 0, next: null, callers: [] }),
    decide: async () => {
      throw new Error("Nobody can decide here");
    },
  },
  setAside: {
    list: async () => [],
    count: async () => 0,
    retry: async () => {
      throw new Error("Nobody can decide here");
    },
  },
});

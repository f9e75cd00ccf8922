import { compileFunction } from "node:vm";
import type { Executor } from "@cloudflare/codemode";

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * The smallest executor that codemode's interface allows on Node: the program is compiled into this process,
 * without isolate, limit of time or copies of what passes in and out. Codemode's own executors need
 * Cloudflare's Workers or a browser, and cost more than this.
 */
export const nodeExecutor: Executor = {
  execute: async (code, providers) => {
    if (!Array.isArray(providers)) return { result: undefined, error: "providers are a list" };
    const names = providers.map(({ name }) => name);
    try {
      const program = compileFunction(`return (${code})();`, names) as (
        ...given: readonly unknown[]
      ) => Promise<unknown>;
      return { result: await program(...providers.map(({ fns }) => fns)) };
    } catch (error) {
      return { result: undefined, error: messageOf(error) };
    }
  },
};

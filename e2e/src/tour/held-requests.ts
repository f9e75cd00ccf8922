import type { RequestHook } from "@plasm/sample-apis";

/** Requests that an API keeps waiting. */
export interface HeldRequests {
  readonly hook: RequestHook;
  /** from now on those whose path with query matches */
  hold(target: RegExp): void;
  /** answers them, and holds no more */
  release(): void;
}

export function heldRequests(): HeldRequests {
  let held: RegExp | null = null;
  let waiting: (() => void)[] = [];
  return {
    hook: async ({ path, query }) => {
      const target = [path, new URLSearchParams(query).toString()].join("?");
      if (held?.test(target) === true) await new Promise<void>((resolve) => waiting.push(resolve));
      return undefined;
    },
    hold: (target) => {
      held = target;
    },
    release: () => {
      held = null;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

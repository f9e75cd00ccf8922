import type { Answer } from "./answer.ts";
import type { Received } from "./received.ts";

/** What a server does in place of a proper answer. */
export type Fault =
  /** says something else */
  | { readonly kind: "answer"; readonly answer: (request: Received) => Answer }
  /** resets the connection before a byte of the answer */
  | { readonly kind: "reset" }
  /** resets it in the middle of the answer's body, whose length was told before */
  | { readonly kind: "cut"; readonly sent: string; readonly missing: number }
  /** takes the request and never answers */
  | { readonly kind: "silence" }
  /** sends head and then one byte at a time, for ever */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** sends head and this much of a body, and then nothing more */
  | { readonly kind: "stall"; readonly sent: string }
  /** sends so many bytes, as fast as they are taken, without telling how many */
  | { readonly kind: "flood"; readonly bytes: number };

/** Which requests a rule is for; what is left out holds for all. */
export interface FaultPlace {
  readonly method?: string;
  /** the path without query */
  readonly path?: string | RegExp;
  /** the first so many of them that match */
  readonly first?: number;
  /** not the first so many of them that match */
  readonly after?: number;
}

/** A fault, where it happens, and whether the server behind does what was asked before it. */
export interface FaultRule {
  readonly fault: Fault;
  readonly on?: FaultPlace;
  /** `before`: what is behind never hears of the request (default); `after`: it did it */
  readonly when?: "before" | "after";
}

function placed({ method, path }: FaultPlace, request: Received): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (path === undefined) return true;
  return typeof path === "string" ? path === request.path : path.test(request.path);
}

/** The rule for each request in turn: the first one that matches, or null. */
export function faultScript(rules: readonly FaultRule[]): (request: Received) => FaultRule | null {
  const matched = rules.map(() => 0);
  return (request) => {
    for (const [at, rule] of rules.entries()) {
      const { on = {} } = rule;
      if (!placed(on, request)) continue;
      const number = (matched[at] ?? 0) + 1;
      matched[at] = number;
      const { first = Number.POSITIVE_INFINITY, after = 0 } = on;
      if (number > after && number <= after + first) return rule;
    }
    return null;
  };
}

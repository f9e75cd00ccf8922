import type { ListValue, Value } from "./value.ts";

/** The loop that a part of a template runs in. */
export interface Loop {
  readonly items: ListValue;
  /** The turn, from 0. */
  readonly at: number;
}

/** Names given by `set` and `for`, those of the parts around included. */
export interface Scope {
  readonly names: Map<string, Value>;
  readonly outer: Scope | null;
  readonly loop: Loop | null;
}

/** What a name was given, or undefined. */
export function findName(scope: Scope, name: string): Value | undefined {
  for (let each: Scope | null = scope; each !== null; each = each.outer) {
    const value = each.names.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

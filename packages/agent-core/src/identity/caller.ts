import { canonicalJson } from "@plasm/core";

/**
 * Who calls. `scope` is the tenant scope, `subject` the person or service in it; `connection`
 * names a stdio process or an MCP-Session-Id, and is null where there is neither.
 */
export interface Caller {
  readonly scope: string;
  readonly subject: string | null;
  readonly connection: string | null;
}

/** With authentication off every caller is this one (SESS-8). */
export const LOCAL: Caller = { scope: "anonymous", subject: "local", connection: null };

/** The principal (scope, subject) as one opaque text: what slots and commits are bound to. */
export const principalOf = (caller: Caller): string =>
  canonicalJson([caller.scope, caller.subject]);

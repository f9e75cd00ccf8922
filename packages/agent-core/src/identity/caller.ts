import { canonicalJson } from "@plasm/core";

/**
 * Who calls. `scope` is the tenant scope, `subject` the person or service in it; `connection`
 * names a stdio process or an MCP-Session-Id, and is null where there is neither.
 */
export interface Caller {
  readonly scope: string;
  readonly subject: string | null;
  readonly connection: string | null;
  /** its credential stands for no user, and has to be told whom it acts for (SURF-24) */
  readonly service?: boolean;
  /** other users that its credential may name as `principal` (SURF-24) */
  readonly actAs?: readonly string[];
  /** whom this very call acts for, where that is not the subject itself (SURF-24) */
  readonly actingFor?: string;
  /** reads what happened in every session of its tenant; set by the routes of operators alone (SURF-29) */
  readonly oversees?: true;
  /** proved nothing and cannot be told from others that did not: shares nothing with them (SESS-8) */
  readonly anonymous?: boolean;
}

/** With authentication off every caller is this one (SESS-8). */
export const LOCAL: Caller = { scope: "anonymous", subject: "local", connection: null };

/** With authentication off on an address that other machines reach: nobody in particular (SESS-8). */
export const NOBODY: Caller = { ...LOCAL, subject: null };

/** The principal (scope, subject) as one opaque text: what slots and commits are bound to. */
export const principalOf = (caller: Caller): string =>
  canonicalJson([caller.scope, caller.subject]);

/** The user whose credentials the calls of a caller use; null for one that stands for none (SURF-24). */
export const userOf = ({ subject, service = false, actingFor }: Caller): string | null =>
  actingFor ?? (service ? null : subject);

/** Whether a caller may have calls made for a user (SURF-24). */
export const mayActFor = (
  { subject, service = false, actAs = [] }: Caller,
  user: string,
): boolean => (user === subject && !service) || actAs.includes(user);

import { canonicalJson } from "@plasm/core";
import { fail } from "../errors/problem.ts";

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
  /**
   * its credential may not run what changes something: which scope it lacks for that, and the scopes to ask for where it can be had
   * another token with them; null where it cannot (SURF-23)
   */
  readonly readsOnly?: { readonly lacks: string; readonly stepUp: string | null } | undefined;
  /** the request that its calls came by, as logs and the audit log name it */
  readonly requestId?: string;
  /** hears the uuid of the run that a call became, for the log of calls (SURF-28) */
  readonly onRun?: ((operationUuid: string) => void) | undefined;
  /** reads what happened in every session of its tenant, and cancels what runs there; set by the routes of operators alone (SURF-29, OPS-62) */
  readonly oversees?: true;
  /** by what it proved who it is, where that is looked at again later (SAV-18) */
  readonly credential?: { readonly kind: "key"; readonly id: string } | { readonly kind: "token" };
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

/**
 * A caller as it acts for the user that its `principal` argument names: itself, or one that its credential
 * lists under `act_as` (SURF-24). Where calls do not use the credentials of users, another user's name would change
 * nothing but what is told of the call, and is refused. Throws plasm-policy-denied, or plasm-bad-request if it is no text.
 */
export function actingFor(
  caller: Caller,
  principal: unknown,
  delegation: (caller: Caller) => { readonly delegated: boolean },
): Caller {
  if (principal === undefined) return caller;
  if (typeof principal !== "string" || principal === "") {
    throw fail("plasm-bad-request", "principal is the name of a user, as text.");
  }
  if (!mayActFor(caller, principal)) {
    throw fail(
      "plasm-policy-denied",
      "This caller may not act as another principal. Leave principal out.",
    );
  }
  if (principal === caller.subject) return caller;
  if (!delegation({ ...caller, actingFor: principal }).delegated) {
    throw fail(
      "plasm-policy-denied",
      "principal is not enabled here: calls use the deployment's credentials, not those of users. Leave principal out, or let the operator set PLASM_CREDENTIALS=user.",
    );
  }
  return { ...caller, actingFor: principal };
}

import { AUDIT_KINDS, type AuditQuery, fail } from "@plasm/agent-core/internal";
import { jsonResponse } from "../wire/responses.ts";
import { operatorFor } from "./approvals.ts";
import type { Route, RouteCall } from "./route.ts";

const MOST = 1_000;
const USUAL = 100;

type Query = RouteCall["query"];

/** Returns a whole number of the query, or null where it is not there. */
function countIn(query: Query, name: string, most: number): number | null {
  const text = query.get(name);
  if (text === undefined) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw fail("plasm-bad-request", `${name} is a whole number from 1 to ${most}.`);
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Returns a time of the query in ms, or null where it is not there. */
function timeIn(query: Query, name: string): number | null {
  const text = query.get(name);
  if (text === undefined) return null;
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  const why = "is a date, or a time with its zone, such as 2026-01-05 or 2026-01-05T09:00:00Z.";
  throw fail("plasm-bad-request", `${name} ${why}`);
}

/** Returns the one of some words that the query has, or null where it is not there. */
export function wordIn<W extends string>(
  query: Query,
  name: string,
  words: readonly W[],
): W | null {
  const text = query.get(name);
  if (text === undefined) return null;
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw fail("plasm-bad-request", `${name} is one of ${words.join(", ")}.`);
}

const queryOf = (query: Query): AuditQuery => ({
  since: timeIn(query, "since"),
  until: timeIn(query, "until"),
  kind: wordIn(query, "kind", AUDIT_KINDS),
  subject: query.get("subject") ?? null,
  entryId: query.get("entry_id") ?? null,
  after: countIn(query, "after", Number.MAX_SAFE_INTEGER),
  limit: countIn(query, "limit", MOST) ?? USUAL,
  order: wordIn(query, "order", ["asc", "desc"]) ?? "desc",
});

/** A page of the audit log of the operator's tenant (OPS-42). */
export const auditLog: Route = {
  method: "GET",
  path: "/v1/audit",
  query: ["since", "until", "kind", "subject", "entry_id", "after", "limit", "order"],
  access: "own",
  handle: async (call) => {
    const { scope } = await operatorFor(call);
    return jsonResponse(await call.operators.audit.page(scope, queryOf(call.query)));
  },
};

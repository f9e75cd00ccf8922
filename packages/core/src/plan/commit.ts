import { canonicalJson, sha256Hex } from "../base/canonical-json.ts";
import type { ReadBudget } from "../policy/policy.ts";
import type { Bill, Plan, PlanBody, Reason } from "./ir.ts";

/** The commit id of a plan: SHA-256 over the RFC 8785 form of exactly its five hashed members (PLAN-012). */
export function commitOf(body: PlanBody): string {
  const { version, nodes, edges, topological_order, returns } = body;
  const hashed = { version, nodes, edges, topological_order, returns };
  return `sha256:${sha256Hex(canonicalJson(hashed))}`;
}

/** The meta of a dry run (PLAN-041), as every surface sends it. */
export interface PlanMeta {
  readonly dry_run: true;
  readonly plan_commit_ref: string;
  readonly plan_commit_expires_at: string;
  readonly dry_verdict: "ok" | "review";
  readonly dry_review: {
    readonly expensive: boolean;
    readonly reasons: readonly Reason[];
    /** where it stops when it runs without its ref (PLAN-054); left out where it does not */
    readonly stops_at?: ReadBudget;
  };
  readonly plan: PlanBody & { readonly commit: string; readonly bill: Bill };
  readonly unused_seeds: readonly string[];
}

/** Makes the meta of a dry run; `expiresAt` is RFC 3339. */
export function planMeta(plan: Plan, ref: string, expiresAt: string): PlanMeta {
  const { version, commit, nodes, edges, topological_order, returns, summary } = plan;
  const { reasons, verdict, bill, stops_at: stopsAt } = summary;
  return {
    dry_run: true,
    plan_commit_ref: ref,
    plan_commit_expires_at: expiresAt,
    dry_verdict: verdict,
    dry_review: {
      expensive: isExpensive(plan),
      reasons,
      ...(stopsAt === undefined ? {} : { stops_at: stopsAt }),
    },
    plan: { version, commit, nodes, edges, topological_order, returns, bill },
    unused_seeds: reasons.flatMap(({ code, detail }) => (code === "unused_seed" ? [detail] : [])),
  };
}

/** Whether some reason makes a run of this plan asynchronous by default (OPS-9). */
export function isExpensive(plan: Plan): boolean {
  return plan.summary.reasons.some(({ severity }) => severity === "expensive");
}

import type { Json, JsonObject, Plan } from "@plasm/core";
import type { CommitRecord } from "../records/commit-record.ts";

const isoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/** Plan members are plain JSON data by construction; the type says so here, once. */
const json = (value: unknown): Json => value as Json;

/** Ref, verdict and reasons of a plan: part of a dry run's meta and of a blocked run's (OPS-10). */
export function reviewMeta(plan: Plan, minted: CommitRecord): JsonObject {
  const { verdict, reasons } = plan.summary;
  return {
    plan_commit_ref: minted.ref,
    plan_commit_expires_at: isoTime(minted.expiresAt),
    dry_verdict: verdict,
    dry_review: {
      expensive: reasons.some((reason) => reason.severity === "expensive"),
      reasons: json(reasons),
    },
  };
}

/** `_meta.plasm` of a dry run (PLAN-041, SURF-8). */
export function planMeta(plan: Plan, minted: CommitRecord): JsonObject {
  const unused = plan.summary.reasons.filter((reason) => reason.code === "unused_seed");
  return {
    dry_run: true,
    ...reviewMeta(plan, minted),
    plan: {
      version: plan.version,
      commit: plan.commit,
      nodes: json(plan.nodes),
      edges: json(plan.edges),
      topological_order: [...plan.topological_order],
      returns: json(plan.returns),
      bill: json(plan.summary.bill),
    },
    unused_seeds: unused.map((reason) => reason.detail),
  };
}

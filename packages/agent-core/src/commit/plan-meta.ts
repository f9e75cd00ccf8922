import { planMeta, type JsonObject, type Plan } from "@plasm/core";
import type { CommitRecord } from "../records/commit-record.ts";

/** A time as answers tell it, to the second. */
export const isoTime = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");

/** A plan's meta is plain JSON data by construction; its interfaces lack the index signature. */
const asJson = (value: unknown): JsonObject => value as JsonObject;

/** `_meta.plasm` of a dry run (PLAN-041, SURF-8). */
export const dryRunMeta = (plan: Plan, minted: CommitRecord): JsonObject =>
  asJson(planMeta(plan, minted.ref, isoTime(minted.expiresAt)));

/** Ref, verdict and reasons alone: what a blocked run's answer carries (OPS-10). */
export function reviewMeta(plan: Plan, minted: CommitRecord): JsonObject {
  const meta = planMeta(plan, minted.ref, isoTime(minted.expiresAt));
  const { plan_commit_ref, plan_commit_expires_at, dry_verdict, dry_review } = meta;
  return asJson({ plan_commit_ref, plan_commit_expires_at, dry_verdict, dry_review });
}

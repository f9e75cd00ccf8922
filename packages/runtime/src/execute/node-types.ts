import type { PlanNode } from "@plasm/core";

export type ListNode = Extract<PlanNode, { kind: "query" | "search" }>;
export type GetNode = Extract<PlanNode, { kind: "get" }>;
export type RelationNode = Extract<PlanNode, { kind: "relation" }>;
export type ComputeNode = Extract<PlanNode, { kind: "compute" }>;

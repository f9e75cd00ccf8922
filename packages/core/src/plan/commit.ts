import { canonicalJson } from "../hash/canonical-json.ts";
import { sha256Hex } from "../hash/sha256-hex.ts";
import type { PlanBody } from "./plan.ts";

/** The commit id of a plan: SHA-256 over the RFC 8785 form of exactly its five hashed members (PLAN-012). */
export function commitOf(body: PlanBody): string {
  const { version, nodes, edges, topological_order, returns } = body;
  const hashed = { version, nodes, edges, topological_order, returns };
  return `sha256:${sha256Hex(canonicalJson(hashed))}`;
}

import { ALL_FEATURES } from "../src/policy/policy.ts";
import type { Figure, Plan } from "../src/plan/ir.ts";
import { renderPlan } from "../src/plan/render/render-plan.ts";
import type { Exposure } from "../src/symbols/exposure.ts";
import { quayExposure } from "./fixture-exposure.ts";
import { planOf } from "./plan-of.ts";

/** The plan of a program with everything an engine may have. */
export const fullPlan = (text: string, exposure: Exposure = quayExposure): Plan =>
  planOf(text, exposure, { features: ALL_FEATURES });

/** A figure as tables write it: `3`, `≤3`, or `?` with a reason behind it; throws if that is missing. */
export function figureText(figure: Figure | undefined): string {
  if (figure === undefined) return "none";
  if ("exact" in figure) return String(figure.exact);
  if ("max" in figure) return `≤${figure.max}`;
  if (!/^\S/.test(figure.unknown)) throw new Error("An unknown figure says why.");
  return "?";
}

/** What each node of a program is predicted to send and give: `n1 ≤2 → ≤40`. */
export function costsOf(text: string, exposure: Exposure = quayExposure): readonly string[] {
  return Object.entries(fullPlan(text, exposure).summary.bill.nodes).map(
    ([id, { requests, rows }]) => `${id} ${figureText(requests)} → ${figureText(rows)}`,
  );
}

/** Reasons but unused seeds: `expensive unbounded_read n1`. */
export function reasonsOf(text: string, exposure: Exposure = quayExposure): readonly string[] {
  return fullPlan(text, exposure)
    .summary.reasons.filter(({ code }) => code !== "unused_seed")
    .map(({ severity, code, node }) => `${severity} ${code} ${node}`);
}

/** The nodes of a dry run, a line each. */
export function linesOf(text: string, exposure: Exposure = quayExposure): readonly string[] {
  const lines = renderPlan(fullPlan(text, exposure), "pc0").split("\n");
  return lines.slice(lines.indexOf("") + 1);
}

/** The first line of a dry run, without verdict and ref. */
export function headOf(text: string, exposure: Exposure = quayExposure): string {
  const [head = ""] = renderPlan(fullPlan(text, exposure), "pc0").split("\n");
  return head.slice(head.indexOf(" · ") + 3);
}

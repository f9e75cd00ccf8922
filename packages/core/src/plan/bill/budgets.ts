import type { BudgetName, Policy } from "../../policy/policy.ts";

/** Budgets of a run by default (RUN-130). */
const DEFAULT_BUDGETS: Readonly<Record<BudgetName, number>> = Object.freeze({
  requests: 500,
  rows: 10_000,
  pages: 100,
  fan_out: 500,
  bytes: 67_108_864,
  wall: 45,
  work: 30_000_000,
});

/** The budgets of a run: policy may lower or raise them (PLAN-050). */
export function budgetsUnder(
  policy: Policy,
  defaults: Readonly<Partial<Record<BudgetName, number>>>,
): Readonly<Record<BudgetName, number>> {
  return { ...DEFAULT_BUDGETS, ...defaults, ...policy.budgets };
}

import type { Policy } from "@plasm/core";
import { HostStartError } from "./host-start-error.ts";

type Budgets = NonNullable<Policy["budgets"]>;
type BudgetName = keyof Budgets;

const NAMES: readonly BudgetName[] = [
  "requests",
  "rows",
  "pages",
  "fan_out",
  "bytes",
  "wall",
  "work",
];

const settingOf = (name: BudgetName): string => `PLASM_BUDGET_${name.toUpperCase()}`;

/**
 * The budgets of every run that a deployment sets (RUN-130, PLAN-050): `PLASM_BUDGET_REQUESTS`, `…_ROWS`,
 * `…_PAGES`, `…_FAN_OUT`, `…_BYTES`, `…_WALL` (seconds) and `…_WORK` (units); those not set keep their defaults. Throws
 * HostStartError for a value that is no whole number of at least 1.
 */
export function budgetsFromEnv(env: Readonly<Record<string, string | undefined>>): Budgets {
  const found: Partial<Record<BudgetName, number>> = {};
  for (const name of NAMES) {
    const setting = settingOf(name);
    const text = env[setting]?.trim() ?? "";
    if (text === "") continue;
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
    if (value < 1) {
      throw new HostStartError(`${setting}=${text} is no budget: a whole number from 1 on is.`);
    }
    found[name] = value;
  }
  return found;
}

import type { Plan } from "@plasm/core";
import type { RunOutcome } from "../run/run-types.ts";
import { run, type Setting } from "./fixture-run.ts";
import { planProgram } from "./run-program.ts";
import { viewCatalog, type ViewParts } from "./view-catalog.ts";

/** Runs a program on the parcels of a view catalog at a server's address. */
export async function runView(
  url: string,
  parts: ViewParts,
  text: string,
  more: Partial<Setting> = {},
): Promise<RunOutcome & { readonly setting: Setting; readonly plan: Plan }> {
  const catalog = viewCatalog(parts);
  const plan = planProgram(text, [catalog]);
  const setting = { catalogs: [catalog], backends: { parcels: url }, ...more };
  return { ...(await run(setting, plan.nodes, plan.returns)), setting, plan };
}

/** The columns of the first result's rows; a node's error fails the test. */
export function valuesOf({ results, nodes }: RunOutcome): readonly unknown[] {
  for (const { error } of nodes) if (error !== null) throw new Error(error.message);
  return results[0]?.rows.map(({ values }) => values) ?? [];
}

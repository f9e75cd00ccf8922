import type { Capability, CatalogSet, Json, JsonObject, PlanValue } from "@plasm/core";
import { type ListNode, slotsOf } from "@plasm/core/internal";
import { isArray } from "../base/json-kinds.ts";
import { failure, RunFailure } from "../base/run-failure.ts";

/** Whether a slot takes one value, so that a list for it means one call for each (RUN-111). */
function takesOne(capability: Capability, name: string): boolean {
  const input = slotsOf(capability).find((slot) => slot.name === name)?.input;
  if (input?.kind !== "value") return false;
  const { kind } = input.type;
  return kind !== "array" && kind !== "multi_select" && kind !== "json";
}

/** Whether a plan's value is a list: constants, values of other nodes, or a column (LANG-044). */
export function isListValue(value: PlanValue): boolean {
  if ("lit" in value) return isArray(value.lit);
  return "list" in value || ("from" in value && value.many);
}

/** Whether a list is read once for each of several values. */
export function readsPerValue(node: ListNode, catalogs: CatalogSet): boolean {
  const capability = catalogs.get(node.catalog.entry_id)?.cgs.capabilities.get(node.capability);
  if (capability === undefined) return false;
  return Object.entries(node.args).some(
    ([name, value]) => isListValue(value) && takesOne(capability, name),
  );
}

const distinctValues = (values: readonly Json[]): readonly Json[] =>
  [...new Map(values.map((one) => [JSON.stringify(one), one])).values()].filter(
    (one) => one !== null,
  );

/**
 * What a list is called with: its arguments or, where `in` gave several values to a slot that takes
 * one, once with each distinct value (RUN-111). Throws RunFailure for more than `most` calls.
 */
export function argumentSets(
  capability: Capability,
  args: JsonObject,
  most: number,
): readonly JsonObject[] {
  let sets: readonly JsonObject[] = [args];
  for (const [name, value] of Object.entries(args)) {
    if (!isArray(value) || !takesOne(capability, name)) continue;
    const values = distinctValues(value);
    const count = sets.length * values.length;
    if (count > most) {
      throw new RunFailure(
        failure(
          "budget_exceeded",
          `${name} has ${count} values, one request each; fan_out allows ${most}.`,
          `narrow them to ${most}, or raise the setting fan_out`,
        ),
      );
    }
    sets = sets.flatMap((set) => values.map((one) => ({ ...set, [name]: one })));
  }
  return sets;
}

import type { PlanValue } from "@plasm/core";
import { resolveValue, type ValueUse } from "./resolve-value.ts";

type Members = Readonly<Record<string, PlanValue>>;

async function fillMembers(members: Members, use: ValueUse): Promise<Members> {
  const filled = Object.entries(members).map(
    async ([name, value]) => [name, await fillShared(value, use)] as const,
  );
  return Object.fromEntries(await Promise.all(filled));
}

/**
 * A value of a `=>` with all that is the same for every row filled in: cells of other nodes, relative
 * dates. Only what is read of `_` is left open (LANG-071, PLAN-063). Throws RunFailure.
 */
export async function fillShared(value: PlanValue, use: ValueUse): Promise<PlanValue> {
  if ("from" in value || "now" in value) return { lit: await resolveValue(value, use) };
  if ("list" in value) {
    return { list: await Promise.all(value.list.map((item) => fillShared(item, use))) };
  }
  if ("obj" in value) return { obj: await fillMembers(value.obj, use) };
  if (!("ref" in value)) return value;
  const key = await fillMembers(value.ref.key, use);
  return { ref: { entity: value.ref.entity, key } };
}

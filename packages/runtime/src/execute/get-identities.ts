import { type Entity, keyParts, type PlanValue, type ValueType } from "@plasm/core";
import type { Identity } from "../decode/entity-row.ts";
import { makeIdentity } from "../decode/identity.ts";
import { isArray } from "../json-kinds.ts";
import { failure, RunFailure } from "../run-failure.ts";
import { isList } from "./argument-sets.ts";
import type { Engine } from "./engine.ts";
import type { Feed } from "./feed.ts";
import type { GetNode } from "./node-types.ts";
import { resolveKey } from "./resolve-args.ts";
import { resolveValue } from "./resolve-value.ts";

const TEXT: ValueType = Object.freeze({ kind: "string", semantics: "short" });

/** The values of a one-part key written with `in`, or null where the key is one row's. */
function listedPart(
  entity: Entity,
  key: GetNode["key"],
): { readonly part: string; readonly values: PlanValue } | null {
  const [part, ...more] = keyParts(entity);
  const values = part === undefined || more.length > 0 ? undefined : key[part];
  if (part === undefined || values === undefined) return null;
  return isList(values) ? { part, values } : null;
}

function tooMany(found: number, limit: number): RunFailure {
  return new RunFailure(
    failure(
      "budget_exceeded",
      `${found} keys are asked for, one request each; fan_out allows ${limit}.`,
      `narrow the list to ${limit} keys, or raise the setting fan_out`,
    ),
  );
}

/**
 * The identities a get asks for: its key's, or each distinct one of a list, in its order, null
 * cells left out (LANG-027). Throws RunFailure, for more than `fan_out` as well.
 */
export async function getIdentities(
  engine: Engine,
  feed: Feed,
  entity: Entity,
  key: GetNode["key"],
): Promise<readonly Identity[]> {
  const listed = listedPart(entity, key);
  if (listed === null) return [await resolveKey(engine, feed, entity, key)];
  const { part, values } = listed;
  const slot = { name: part, type: entity.fields.get(part)?.type ?? TEXT };
  const filled = await resolveValue(values, { engine, feed, slot });
  const distinct = new Map<string, Identity>();
  for (const value of isArray(filled) ? filled : [filled]) {
    const identity = makeIdentity(entity, { [part]: value });
    if (identity !== null && !distinct.has(identity.text)) distinct.set(identity.text, identity);
  }
  const { fan_out: most } = engine.budget.limits;
  if (distinct.size > most) throw tooMany(distinct.size, most);
  return [...distinct.values()];
}

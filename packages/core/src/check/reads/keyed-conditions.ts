import type { Condition, TypedKey, TypedPred, TypedValue } from "../typed-program.ts";

/** The conditions that all hold, `and` taken apart (LANG-051). */
export function conjuncts(pred: TypedPred): readonly TypedPred[] {
  return pred.kind === "and" ? pred.items.flatMap(conjuncts) : [pred];
}

/** Conditions that name a key, and the rest. */
export interface KeyedConditions {
  readonly key: TypedKey;
  /** the key is a list of keys, each read once, in order (LANG-027) */
  readonly each: boolean;
  readonly rest: readonly TypedPred[];
}

/**
 * Takes the key out of conditions: every part with `=` and a value, or a one-part key with
 * `in [..]`. Null if the key is not whole.
 */
export function keyedConditions(
  parts: readonly string[],
  conditions: readonly TypedPred[],
): KeyedConditions | null {
  const key = new Map<string, TypedValue>();
  const used = new Set<TypedPred>();
  for (const part of parts) {
    const condition = conditions.find((each) => isEquality(each, part));
    if (condition?.kind !== "condition" || condition.tested === null) break;
    key.set(part, condition.tested);
    used.add(condition);
  }
  if (key.size === parts.length) {
    return { key, each: false, rest: conditions.filter((each) => !used.has(each)) };
  }
  const [only] = parts;
  const members = conditions.find((each) => parts.length === 1 && isMembership(each, only ?? ""));
  if (members?.kind !== "condition" || members.tested === null || only === undefined) return null;
  return {
    key: new Map([[only, members.tested]]),
    each: true,
    rest: conditions.filter((each) => each !== members),
  };
}

/** Whether a condition says that a field is a value. */
export function isEquality(pred: TypedPred, name: string): pred is Condition {
  if (pred.kind !== "condition" || pred.op !== "=" || !isAt(pred, name)) return false;
  return pred.tested !== null && !(pred.tested.kind === "lit" && pred.tested.value === null);
}

function isMembership(pred: TypedPred, name: string): pred is Condition {
  return pred.kind === "condition" && pred.op === "in" && isAt(pred, name) && pred.tested !== null;
}

function isAt(condition: Condition, name: string): boolean {
  return condition.path.length === 1 && condition.path[0] === name;
}

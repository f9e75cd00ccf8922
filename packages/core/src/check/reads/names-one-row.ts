import { entityOf } from "../../federation/entity-of.ts";
import { keyParts } from "../../schema/key-parts.ts";
import type { CheckContext } from "../check-context.ts";
import type { FilterRows, ListRows, Rows } from "../typed-program.ts";
import { conjuncts, isEquality } from "./keyed-conditions.ts";
import { isReadByKey } from "./keyed-read.ts";
import { isTestable } from "./list-candidates.ts";

/** What the filters over a list say of its key, up to one of them. */
interface KeyTold {
  readonly list: ListRows;
  /** parts of the key that no condition names yet */
  readonly missing: readonly string[];
  /** whether every other condition can be tested on a row */
  readonly testable: boolean;
}

/** Of each filter once: what filters of a long chain say together is not gathered at every one anew. */
const told = new WeakMap<FilterRows, KeyTold | null>();

/**
 * Whether the conditions on a list, of this filter and those below it, name the whole key of one row
 * (LANG-027, LANG-060). It costs what the filter's own conditions cost, however many there are below.
 */
export function namesOneRow(context: CheckContext, rows: FilterRows): boolean {
  if (rows.type.card !== "many" || rows.overJoin) return false;
  const known = keyTold(context, rows);
  if (known === null || known.missing.length > 0 || !known.testable) return false;
  return isReadByKey(context, known.list);
}

function keyTold(context: CheckContext, top: FilterRows): KeyTold | null {
  const chain: FilterRows[] = [];
  let at: Rows = top;
  while (at.kind === "filter" && !told.has(at)) {
    chain.push(at);
    at = at.source;
  }
  let known = at.kind === "filter" ? (told.get(at) ?? null) : untold(context, at);
  for (const each of chain.toReversed()) {
    known = known === null ? null : withConditions(known, each);
    told.set(each, known);
  }
  return known;
}

const untold = (context: CheckContext, rows: Rows): KeyTold | null =>
  rows.kind === "list"
    ? {
        list: rows,
        missing: keyParts(entityOf(context.exposure.catalogs, rows.entity)),
        testable: true,
      }
    : null;

function withConditions(known: KeyTold, { pred }: FilterRows): KeyTold {
  let { missing, testable } = known;
  for (const condition of conjuncts(pred)) {
    const part = missing.find((name) => isEquality(condition, name));
    if (part === undefined) testable &&= isTestable(condition);
    else missing = missing.filter((name) => name !== part);
  }
  return { list: known.list, missing, testable };
}

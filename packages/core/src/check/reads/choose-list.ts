import { catalogOf, type EntityKey, entityOf } from "../../catalog/federation.ts";
import type { DroppedPart } from "../../mapping/template.ts";
import { defaultList, droppedDefault, isOpenList } from "../../mapping/open-lists.ts";
import { shownDropped } from "../../policy/may-use.ts";
import type { Capability } from "../../model/model.ts";
import { type AccessRules, deniedCapabilities, usableCapabilities } from "../access.ts";
import {
  candidateLists,
  isTestable,
  type ListCandidate,
  listCandidate,
  type ListQuestion,
  queryParameters,
} from "./list-candidates.ts";
import type {
  TypedCondition,
  ListRows,
  TypedKey,
  TypedPred,
  TypedValue,
} from "../typed-program.ts";
import { keyParts } from "../../model/lookups.ts";
import type { CheckContext } from "../check-context.ts";
import { getsByKey } from "./gets-by-key.ts";

/** Which list serves a question (RUN-110), or why none does. */
export type ListChoice =
  | { readonly kind: "chosen"; readonly list: ListCandidate }
  | { readonly kind: "none" }
  /** one that was taught would serve, and policy forbids it since (SURF-25) */
  | { readonly kind: "denied"; readonly capability: Capability }
  /** what the bare name means was left out of the catalog; `lists` would serve, and are others */
  | {
      readonly kind: "dropped";
      readonly part: DroppedPart;
      readonly lists: readonly ListCandidate[];
    }
  | { readonly kind: "tie"; readonly lists: readonly ListCandidate[] }
  | { readonly kind: "unsatisfied"; readonly lists: readonly ListCandidate[] }
  | { readonly kind: "refused"; readonly lists: readonly ListCandidate[] };

/** A list that would serve if policy had not come to forbid it: what the bare name means first. */
function deniedList(
  rules: AccessRules,
  entity: EntityKey,
  question: ListQuestion,
  meant: Capability | null,
): Capability | null {
  const kinds = question.search === null ? (["query"] as const) : (["search"] as const);
  const denied = deniedCapabilities(rules, entity, kinds);
  if (meant !== null && denied.includes(meant)) return meant;
  return denied.find((each) => serves(rules, entity, each, question)) ?? null;
}

/** Whether a list can take all that is asked, and lacks nothing. */
function serves(
  rules: AccessRules,
  entity: EntityKey,
  list: Capability,
  question: ListQuestion,
): boolean {
  const { refused, missing } = listCandidate(rules, entity, list, question);
  return refused.length === 0 && missing.length === 0;
}

/** The default list that was left out of the catalog, as far as the caller may know of it, or null. */
function lostDefault(
  { exposure }: AccessRules,
  key: EntityKey,
  { search }: ListQuestion,
): DroppedPart | null {
  const catalog = catalogOf(exposure.catalogs, key.entryId);
  const entity = entityOf(exposure.catalogs, key);
  const found = droppedDefault(catalog, entity, search === null ? "query" : "search");
  return found !== null && shownDropped(exposure.policy, catalog).includes(found) ? found : null;
}

/** The default list, forbidden since or not, if it serves the question; else null. */
function defaultFor(
  rules: AccessRules,
  entity: EntityKey,
  question: ListQuestion,
): Capability | null {
  const { catalogs } = rules.exposure;
  const taught = [
    ...usableCapabilities(rules, entity),
    ...deniedCapabilities(rules, entity, ["query", "search"]),
  ];
  const hasQuery = taught.some(({ kind }) => kind === "query");
  const kind = question.search === null && hasQuery ? "query" : "search";
  const catalog = catalogOf(catalogs, entity.entryId);
  const found = defaultList(catalog, entityOf(catalogs, entity), kind, taught);
  return found !== null && serves(rules, entity, found, question) ? found : null;
}

/**
 * Chooses the list capability: `named` by its label or by a relation, else of those that can take all
 * conditions (LANG-026) the one with most required parameters bound, then most optional, then fewest
 * declared. Of lists that need nothing, only the default is asked as long as it can take all conditions:
 * the others have rows of their own, so that a condition may not choose among them.
 */
export function chooseList(
  rules: AccessRules,
  entity: EntityKey,
  question: ListQuestion,
  named: Capability | null,
): ListChoice {
  const capabilities =
    named === null ? candidateLists(rules, entity, question.search !== null) : [named];
  const lost = named === null ? lostDefault(rules, entity, question) : null;
  if (capabilities.length === 0) {
    return lost === null ? { kind: "none" } : { kind: "dropped", part: lost, lists: [] };
  }
  const all = capabilities.map((each) => listCandidate(rules, entity, each, question));
  const able = all.filter(({ refused }) => refused.length === 0);
  const considered = able.length > 0 ? able : all;
  const bound = considered.filter(({ missing }) => missing.length === 0);
  const serving = able.length > 0 ? bound : [];
  const meant = named === null ? defaultFor(rules, entity, question) : null;
  const catalog = catalogOf(rules.exposure.catalogs, entity.entryId);
  const isRival = (list: Capability): boolean => list !== meant && isOpenList(catalog, list);
  const contending = serving.filter(
    ({ capability }) => (meant === null && lost === null) || !isRival(capability),
  );
  if (contending.length === 0 && lost !== null) {
    return { kind: "dropped", part: lost, lists: serving };
  }
  if (contending.length === 0 && named === null) {
    const denied = deniedList(rules, entity, question, meant);
    if (denied !== null) return { kind: "denied", capability: denied };
  }
  if (able.length === 0) return { kind: "refused", lists: bound.length > 0 ? bound : all };
  if (bound.length === 0) return { kind: "unsatisfied", lists: considered };
  const best = contending.toSorted(byFit)[0];
  if (best === undefined) return { kind: "none" };
  const tied = contending.filter((each) => byFit(each, best) === 0);
  return tied.length === 1 ? { kind: "chosen", list: best } : { kind: "tie", lists: tied };
}

function byFit(a: ListCandidate, b: ListCandidate): number {
  return (
    b.boundRequired - a.boundRequired ||
    b.boundOptional - a.boundOptional ||
    a.declared - b.declared
  );
}

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
function keyedConditions(
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
export function isEquality(pred: TypedPred, name: string): pred is TypedCondition {
  if (pred.kind !== "condition" || pred.op !== "=" || !isAt(pred, name)) return false;
  return pred.tested !== null && !(pred.tested.kind === "lit" && pred.tested.value === null);
}

function isMembership(pred: TypedPred, name: string): pred is TypedCondition {
  return pred.kind === "condition" && pred.op === "in" && isAt(pred, name) && pred.tested !== null;
}

function isAt(condition: TypedCondition, name: string): boolean {
  return condition.path.length === 1 && condition.path[0] === name;
}

/**
 * The get that conditions on a list are (LANG-027): they are exactly the key on an entity with a get,
 * no part of it a parameter of its queries, and otherwise only what can be tested on the row. Else null.
 */
export function keyedRead(
  context: CheckContext,
  list: ListRows,
  conditions: readonly TypedPred[],
): KeyedConditions | null {
  const parts = keyParts(entityOf(context.exposure.catalogs, list.entity));
  const keyed = keyedConditions(parts, conditions);
  if (keyed === null || !keyed.rest.every(isTestable)) return null;
  return isReadByKey(context, list) ? keyed : null;
}

/** Whether a list is a get where conditions name its whole key: of an entity with one, none of its parts sent. */
export function isReadByKey(context: CheckContext, list: ListRows): boolean {
  if (list.search !== null || list.by !== null) return false;
  if (getsByKey(context, list.entity).length === 0) return false;
  const parameters = queryParameters(context, list.entity);
  const parts = keyParts(entityOf(context.exposure.catalogs, list.entity));
  return !parts.some((part) => parameters.has(part));
}

import { catalogOf, type EntityKey } from "../../catalog/federation.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import { namesAnotherRow, searchSlot } from "../../mapping/open-lists.ts";
import type { Capability } from "../../model/model.ts";
import type { Slot } from "../../model/input.ts";
import { type AccessRules, usableCapabilities } from "../access.ts";
import type { TypedCondition, TypedArgs, TypedPred, TypedValue } from "../typed-program.ts";
import { isControl } from "../types.ts";
import type { CheckContext } from "../check-context.ts";
import type { Span } from "../../base/span.ts";
import type { Json } from "../../values/value-type.ts";
import { cellPaths, predValues } from "../values/typed-parts.ts";
import { sendableLists } from "../conditions/name-condition.ts";

/** What a list is asked: all its conditions hold, the search text if there is one. */
export interface ListQuestion {
  readonly conditions: readonly TypedPred[];
  readonly search: TypedValue | null;
  /** arguments given by label or bound by a relation's anchor */
  readonly args: TypedArgs;
  /** parameters a relation binds to its source row: they are given, but not as arguments */
  readonly anchored: ReadonlySet<string>;
}

/** A list that may serve, with what it would be sent and what is left to test. */
export interface ListCandidate {
  readonly capability: Capability;
  readonly args: TypedArgs;
  readonly local: readonly TypedPred[];
  /** conditions it can neither send nor test */
  readonly refused: readonly TypedPred[];
  /** those of them that would be tested without the rows that it leaves out */
  readonly beyond: ReadonlyMap<TypedPred, Unlisted>;
  /** required slots nothing binds */
  readonly missing: readonly Slot[];
  readonly boundRequired: number;
  readonly boundOptional: number;
  readonly declared: number;
  /** the parameter that takes one value of many per request (RUN-111) */
  readonly each: string | null;
  /** whether a condition, search text or anchor is sent that bounds the read (OPS-6) */
  readonly bounded: boolean;
}

/** The lists RUN-110 chooses from: queries; searches for search text or where there is no query. */
export function candidateLists(
  rules: AccessRules,
  entity: EntityKey,
  search: boolean,
): readonly Capability[] {
  const usable = usableCapabilities(rules, entity);
  const queries = usable.filter(({ kind }) => kind === "query");
  if (!search && queries.length > 0) return queries;
  return usable.filter(({ kind }) => kind === "search");
}

/** What a capability would do with a question (RUN-110, RUN-111). */
export function listCandidate(
  rules: AccessRules,
  entity: EntityKey,
  capability: Capability,
  question: ListQuestion,
): ListCandidate {
  const catalog = catalogOf(rules.exposure.catalogs, entity.entryId);
  const { slots } = capabilitySlots(catalog, capability);
  const args = new Map(question.args);
  if (question.search !== null) args.set(searchSlot(slots)?.name ?? "q", question.search);
  const pushed = pushedConditions(capability, question, args);
  for (const [name, { value }] of pushed.sent) args.set(name, value);
  const isGiven = (name: string): boolean => args.has(name) || question.anchored.has(name);
  const given = (slot: Slot): boolean => isGiven(slot.name);
  const required = slots.filter((slot) => slot.required);
  const bound = slots.filter(given);
  const only = listsOnly(capability, isGiven);
  const beyond = new Map(
    pushed.rest.flatMap((pred) => {
      const found = isTestable(pred) ? unlisted(only, pred) : null;
      return found === null ? [] : [[pred, found] as const];
    }),
  );
  const isServed = (pred: TypedPred): boolean => isTestable(pred) && !beyond.has(pred);
  const controls = new Set(slots.filter(isControl).map((slot) => slot.name));
  return {
    capability,
    args,
    local: pushed.rest.filter(isServed),
    refused: pushed.rest.filter((pred) => !isServed(pred)),
    beyond,
    missing: required.filter((slot) => !given(slot)),
    boundRequired: bound.filter((slot) => slot.required).length,
    boundOptional: bound.filter((slot) => !slot.required).length,
    declared: slots.length,
    each: pushed.each,
    bounded: question.anchored.size > 0 || [...args.keys()].some((name) => !controls.has(name)),
  };
}

interface Pushed {
  readonly sent: ReadonlyMap<string, { readonly value: TypedValue }>;
  readonly rest: readonly TypedPred[];
  readonly each: string | null;
}

/** Conditions that are sent: each on its own parameter, not where two values contend (RUN-111). */
function pushedConditions(
  capability: Capability,
  question: ListQuestion,
  given: TypedArgs,
): Pushed {
  const bySlot = new Map<string, TypedCondition[]>();
  for (const pred of question.conditions) {
    if (pred.kind !== "condition" || !pred.sendable.has(capability.name)) continue;
    const name = pred.path[0] ?? "";
    if (given.has(name) || question.anchored.has(name)) continue;
    bySlot.set(name, [...(bySlot.get(name) ?? []), pred]);
  }
  const sent = new Map<string, { readonly value: TypedValue }>();
  const used = new Set<TypedPred>();
  let each: string | null = null;
  for (const [name, conditions] of bySlot) {
    const condition = contender(conditions, capability, each === null);
    const sendable = condition?.sendable.get(capability.name);
    if (condition === null || sendable === undefined) continue;
    sent.set(name, sendable);
    if (!sendable.rechecked) used.add(condition);
    if (sendable.by === "each") each = name;
  }
  return { sent, rest: question.conditions.filter((pred) => !used.has(pred)), each };
}

/** The condition a parameter is sent: the only equality, else the only `in`; at most one fan-out a read. */
function contender(
  conditions: readonly TypedCondition[],
  capability: Capability,
  fanOut: boolean,
): TypedCondition | null {
  const by = (how: "one" | "each"): readonly TypedCondition[] =>
    conditions.filter(({ sendable }) => sendable.get(capability.name)?.by === how);
  const one = by("one");
  const [equality] = one;
  if (equality !== undefined) return one.length === 1 ? equality : null;
  const each = by("each");
  const [member] = each;
  return member !== undefined && each.length === 1 && fanOut ? member : null;
}

/** A column that a condition tests, of which a list gives the rows with one value alone (CAT-146). */
export interface Unlisted {
  readonly name: string;
  readonly value: Json;
  /** where the condition stands; null of `exists` */
  readonly span: Span | null;
}

/** The columns of which a list gives the rows with one value alone, with what it is sent (CAT-146). */
export const listsOnly = (
  capability: Capability,
  isGiven: (name: string) => boolean,
): ReadonlyMap<string, Json> =>
  new Map([...(capability.listsOnly ?? [])].filter(([name]) => !isGiven(name)));

/**
 * Why a condition may hold for rows that a list leaves out (RUN-112), by the values of those that it gives; null where it
 * does not. What is tested here would be tested on the others alone. Only that a column has the value of the rows that
 * come is sure.
 */
export function unlisted(only: ReadonlyMap<string, Json>, pred: TypedPred): Unlisted | null {
  const literal =
    pred.kind === "condition" && pred.op === "=" && pred.tested?.kind === "lit"
      ? pred.tested.value
      : undefined;
  const found = firstUnlisted(only, pred);
  return found !== null && literal === found.value ? null : found;
}

function firstUnlisted(only: ReadonlyMap<string, Json>, pred: TypedPred): Unlisted | null {
  const among = (paths: readonly (readonly string[])[], span: Span | null): Unlisted | null => {
    const name = paths.map(([first = ""]) => first).find((one) => only.has(one));
    const value = only.get(name ?? "");
    return name === undefined || value === undefined ? null : { name, value, span };
  };
  switch (pred.kind) {
    case "and":
    case "or":
      return (
        pred.items.map((item) => firstUnlisted(only, item)).find((one) => one !== null) ?? null
      );
    case "not":
      return firstUnlisted(only, pred.pred);
    case "exists":
      return among([pred.path], null);
    case "test":
      return among(cellPaths(pred.value), pred.span);
    case "condition":
      return among([pred.path, ...predValues(pred).flatMap(cellPaths)], pred.nameSpan);
    case "bad":
      return null;
  }
}

/** Whether every part of a condition can be tested on a row. */
export function isTestable(pred: TypedPred): boolean {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.every(isTestable);
    case "not":
      return isTestable(pred.pred);
    case "exists":
    case "test":
    case "bad":
      return true;
    case "condition":
      return pred.tested !== null;
  }
}

/** Whether some part of a condition is in error. */
export function isFaulty(pred: TypedPred): boolean {
  switch (pred.kind) {
    case "and":
    case "or":
      return pred.items.some(isFaulty);
    case "not":
      return isFaulty(pred.pred);
    case "bad":
      return true;
    case "exists":
    case "test":
    case "condition":
      return false;
  }
}

/**
 * The parameters of an entity's queries, searches where there is none: what LANG-027 leaves to the list. One that
 * is called like the key and means another row is none of them.
 */
export function queryParameters(context: CheckContext, entity: EntityKey): ReadonlySet<string> {
  const usable = usableCapabilities(context, entity);
  const hasQuery = usable.some(({ kind }) => kind === "query");
  const lists = sendableLists(context, entity).filter(
    ({ capability }) => !hasQuery || capability.kind === "query",
  );
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const named = lists.flatMap(({ capability, slots }) =>
    [...slots.values()].filter((slot) => !namesAnotherRow(catalog, capability, slot)),
  );
  return new Set(named.map(({ name }) => name));
}

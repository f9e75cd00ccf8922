import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf, entityOf } from "../../federation/entity-of.ts";
import type { DroppedPart } from "../../mapping/dropped-part.ts";
import { defaultList, droppedDefault, isOpenList } from "../../mapping/open-lists.ts";
import { shownDropped } from "../../policy/may-use.ts";
import type { Capability } from "../../schema/capability.ts";
import { type AccessRules, deniedCapabilities, usableCapabilities } from "../access.ts";
import {
  candidateLists,
  type ListCandidate,
  listCandidate,
  type ListQuestion,
} from "./list-candidates.ts";

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

import type { AccessRules } from "../../check/access.ts";
import { getsByKey } from "../../check/reads/gets-by-key.ts";
import { catalogOf } from "../../catalog/federation.ts";
import { canonicalJson } from "../../base/canonical-json.ts";
import { innerCapabilities } from "../../mapping/capability-views.ts";
import type { NumberedNodes } from "../lower/number-nodes.ts";
import type { Catalog } from "../../mapping/template.ts";
import { countingCapability } from "../../model/lookups.ts";
import type { ForEachBody, JoinNode, PlanNode, PlanValue } from "../ir.ts";
import type { Estimate } from "./estimation.ts";

/** The time of a catalog that a stage is in: how many stages before it have an effect on that catalog. */
export type TimeOf = (entryId: string, stage: number) => number;

/** What was read of a catalog is known for the rest of its time: an effect on it ends that (RUN-062). */
export function timesIn(nodes: readonly PlanNode[]): TimeOf {
  const effects = new Map<string, Set<number>>();
  for (const node of nodes) {
    if (node.effect_class !== "write" && node.effect_class !== "side_effect") continue;
    const called = node.kind === "for_each" ? node.body : node;
    if (!("catalog" in called)) continue;
    const { entry_id: entryId } = called.catalog;
    effects.set(entryId, (effects.get(entryId) ?? new Set()).add(node.stage));
  }
  return (entryId, stage) =>
    [...(effects.get(entryId) ?? [])].filter((before) => before < stage).length;
}

/**
 * Reads that promise requests another read may have sent already, with no effect on their catalog between them: equal
 * ones are sent once (RUN-023), so their figures are at most what they were (PLAN-020). What reads on from a node comes
 * after it, and takes nothing from it.
 */
export function coinciding(
  rules: AccessRules,
  { nodes, edges }: Pick<NumberedNodes, "nodes" | "edges">,
  estimates: ReadonlyMap<string, Estimate>,
  timeOf: TimeOf,
): readonly PlanNode[] {
  const readers = nodes
    .filter(({ effect_class: effect }) => effect === "read")
    .map((node) => {
      const by = readsBy(rules, node, estimates.get(node.id), ownerOf(nodes, node));
      const named = by.map(
        ({ entryId, name }) => `${entryId} ${timeOf(entryId, node.stage)} ${name}`,
      );
      return { node, by: new Set(named) };
    })
    .filter(({ by }) => by.size > 0);
  const promising = readers.filter(({ node }) => isPromise(estimates.get(node.id)));
  return promising
    .filter(({ node, by }) => {
      const later = new Set([node.id]);
      for (const { from, to } of edges) if (later.has(from)) later.add(to);
      return readers.some(
        (other) =>
          !later.has(other.node.id) &&
          [...by].some((name) => other.by.has(name)) &&
          !areDistinct(node, other.node),
      );
    })
    .map(({ node }) => node);
}

/** Requests or pages that are promised: a list whose rows are completed promises its pages alone. */
const isPromise = (estimate: Estimate | undefined): boolean =>
  estimate !== undefined &&
  [estimate.requests, estimate.pages].some((figure) => "exact" in figure && figure.exact > 0);

/** The entity of the rows that a join starts from. */
function ownerOf(nodes: readonly PlanNode[], node: PlanNode): string | null {
  if (node.kind !== "join") return null;
  return nodes.find(({ id }) => id === node.source)?.result.entity ?? null;
}

/** The capabilities that a node may read by: its own, those of its view, the gets that complete its rows. */
function readsBy(
  rules: AccessRules,
  node: PlanNode,
  estimate: Estimate | undefined,
  joinedOwner: string | null = null,
): readonly { readonly entryId: string; readonly name: string }[] {
  const called = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in called)) return [];
  const { entry_id: entryId, entity } = called.catalog;
  const catalog = catalogOf(rules.exposure.catalogs, entryId);
  const completing = estimate?.hydration ? getsByKey(rules, { entryId, entity }) : [];
  const owner = called.kind === "relation" ? called.owner : (joinedOwner ?? entity);
  const parents = estimate?.parents ? getsByKey(rules, { entryId, entity: owner }) : [];
  const own = readNames(catalog, called).map((name) => ({ name }));
  const all = [...own, ...completing, ...parents].flatMap((each) => [
    each,
    ...innerCapabilities(catalog, each),
  ]);
  return all.map(({ name }) => ({ entryId, name }));
}

type Called = ForEachBody | JoinNode;

/** What a node calls: its capability or the one that counts in its place, and the list that gives several rows at once. */
function readNames({ cgs }: Catalog, node: Called): readonly string[] {
  const { capability } = node;
  if (capability === null) return [];
  const isCounted =
    ("count" in node && node.count === true) || ("totals" in node && node.totals?.count === true);
  const batch = "batch" in node && node.batch !== undefined ? [node.batch] : [];
  return [isCounted ? countingCapability(cgs, capability) : capability, ...batch];
}

/** Whether two nodes are calls of one capability with different values that are written out. */
function areDistinct(a: PlanNode, b: PlanNode): boolean {
  if (a.kind !== b.kind || a.kind === "data" || a.kind === "compute") return false;
  const [one, two] = [sentBy(a), sentBy(b)];
  return one !== null && two !== null && one.by === two.by && one.values !== two.values;
}

/** What a get or a list sends, or null if that depends on rows, or is a request per value. */
function sentBy(node: PlanNode): { readonly by: string; readonly values: string } | null {
  if (node.kind !== "get" && node.kind !== "query" && node.kind !== "search") return null;
  const values = node.kind === "get" ? { ...node.args, ...node.key } : node.args;
  if (!Object.values(values).every(isWritten)) return null;
  return { by: node.capability, values: canonicalJson(values) };
}

function isWritten(value: PlanValue): boolean {
  if ("lit" in value) return !Array.isArray(value.lit);
  return "ref" in value && Object.values(value.ref.key).every(isWritten);
}

import { innerCapabilities, type Catalog, type Plan } from "@plasm/core";

type Nodes = Pick<Plan, "nodes">;

/** Entry id → digest of each catalog that a plan names: those of what `=>` does per row, too. */
export function digestsOf({ nodes }: Nodes): Readonly<Record<string, string>> {
  const catalogs = nodes.flatMap((node) => {
    if (node.kind === "for_each") return [node.body.catalog];
    return "catalog" in node ? [node.catalog] : [];
  });
  return Object.fromEntries(catalogs.map(({ entry_id: id, digest }) => [id, digest]));
}

/** The capability that a node calls, or that `=>` calls per row, with its catalog; null where none is called. */
function calledBy(node: Plan["nodes"][number]) {
  const called = node.kind === "for_each" ? node.body : node;
  if (!("capability" in called) || called.capability === null) return null;
  return { entryId: called.catalog.entry_id, name: called.capability };
}

/**
 * The capabilities that a plan's rows are made by, each once, as `entry_id/capability`: those that views are
 * made of, too.
 */
export function usesOf(
  { nodes }: Nodes,
  catalogs: ReadonlyMap<string, Catalog>,
): readonly string[] {
  const uses = nodes.flatMap((node) => {
    const called = calledBy(node);
    if (called === null) return [];
    const { entryId, name } = called;
    const catalog = catalogs.get(entryId);
    const inner = catalog === undefined ? [] : innerCapabilities(catalog, { name });
    return [name, ...inner.map((one) => one.name)].map((one) => `${entryId}/${one}`);
  });
  return [...new Set(uses)];
}

/** The catalogs that a plan names, each once. */
export const entryIdsOf = (plan: Nodes): readonly string[] => Object.keys(digestsOf(plan));

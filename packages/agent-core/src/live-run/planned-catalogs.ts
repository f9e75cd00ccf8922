import type { Plan } from "@plasm/core";

type Nodes = Pick<Plan, "nodes">;

/** Entry id → digest of each catalog that a plan names: those of what `=>` does per row, too. */
export function digestsOf({ nodes }: Nodes): Readonly<Record<string, string>> {
  const catalogs = nodes.flatMap((node) => {
    if (node.kind === "for_each") return [node.body.catalog];
    return "catalog" in node ? [node.catalog] : [];
  });
  return Object.fromEntries(catalogs.map(({ entry_id: id, digest }) => [id, digest]));
}

/** The catalogs that a plan names, each once. */
export const entryIdsOf = (plan: Nodes): readonly string[] => Object.keys(digestsOf(plan));

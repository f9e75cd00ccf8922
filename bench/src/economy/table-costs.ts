import { tokenCounter } from "@plasm/agent-core/internal";
import { CATALOG_NAMES, catalogDirectory } from "@plasm/catalogs";
import { type Catalog, CURRENT_FEATURES, exposeSeeds } from "@plasm/core";
import { loadCatalogDirectory } from "@plasm/runtime";
import { fixtureCatalogDir, fixtureCatalogNames } from "@plasm/testkit";
import { entitiesOf } from "../quay.ts";
import { capabilityTools } from "@plasm/eval";

/** What a catalog's tables cost beside tools, in o200k tokens, all its entities seeded at once (TEACH-41). */
export interface TableCost {
  readonly catalog: string;
  readonly published: boolean;
  readonly capabilities: number;
  /** the rows of its tables, without header, heading and contract */
  readonly rows: number;
  /** one compact tool per capability, minified */
  readonly tools: number;
  /** the same tools, each with the fields that it answers with */
  readonly tools_with_outputs: number;
}

/** The rows of a catalog's table as they are sent, one a line. */
function rowsOf(catalog: Catalog): string {
  const { waves } = exposeSeeds({
    exposure: null,
    seeds: [{ entryId: catalog.entryId, entities: entitiesOf(catalog) }],
    catalogs: new Map([[catalog.entryId, catalog]]),
    notation: "symbols",
    policy: {},
    features: CURRENT_FEATURES,
  });
  const lines = waves.flatMap(({ text }) => text.split("\n"));
  const rows = lines.slice(lines.indexOf("```tsv") + 2, lines.lastIndexOf("```"));
  return `${rows.join("\n")}\n`;
}

/** The catalogs that are published, then those of tests. */
export async function measureTables(): Promise<readonly TableCost[]> {
  const count = await tokenCounter();
  const published = CATALOG_NAMES.map(catalogDirectory);
  const registry = await loadCatalogDirectory([
    ...published,
    ...fixtureCatalogNames.map(fixtureCatalogDir),
  ]);
  const [broken] = registry.skipped;
  if (broken !== undefined) throw new Error(`${broken.entryId} does not load`);
  const costs = registry.list().map(({ catalog, path }): TableCost => {
    const [bare, full] = [false, true].map((outputs) =>
      count(JSON.stringify(capabilityTools(catalog, { outputs }))),
    );
    return {
      catalog: catalog.entryId,
      published: published.includes(path),
      capabilities: capabilityTools(catalog).length,
      rows: count(rowsOf(catalog)),
      tools: bare ?? 0,
      tools_with_outputs: full ?? 0,
    };
  });
  return costs.toSorted((a, b) => Number(b.published) - Number(a.published));
}

/** All published catalogs together. */
export function sumOfPublished(costs: readonly TableCost[]): TableCost {
  const published = costs.filter((cost) => cost.published);
  const sum = (figure: (cost: TableCost) => number): number =>
    published.reduce((total, cost) => total + figure(cost), 0);
  return {
    catalog: "all published",
    published: true,
    capabilities: sum(({ capabilities }) => capabilities),
    rows: sum(({ rows }) => rows),
    tools: sum(({ tools }) => tools),
    tools_with_outputs: sum((cost) => cost.tools_with_outputs),
  };
}

/** Rows as a share of tools. */
export const shareOf = ({ rows, tools }: Pick<TableCost, "rows" | "tools">): number => rows / tools;

/** Rows as a share of tools that also say what they answer with, as rows do. */
export const shareOfAll = (cost: TableCost): number => cost.rows / cost.tools_with_outputs;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The costs as lines a reader compares at a glance. */
export function tablesText(costs: readonly TableCost[]): string {
  const line = (cells: readonly (string | number)[], name: string): string =>
    [...cells.map((cell) => String(cell).padStart(10)), `  ${name}`].join("");
  const head = line(["methods", "rows", "tools", "share", "+outputs", "share"], "catalog, tokens");
  const lines = [...costs, sumOfPublished(costs)].map((cost) =>
    line(
      [
        cost.capabilities,
        cost.rows,
        cost.tools,
        percent(shareOf(cost)),
        cost.tools_with_outputs,
        percent(shareOfAll(cost)),
      ],
      cost.catalog,
    ),
  );
  return [head, ...lines].join("\n");
}

import { tokenCounter } from "@plasm/agent-core/internal";
import { CATALOG_NAMES, catalogDirectory } from "@plasm/catalogs";
import { type Catalog, CURRENT_FEATURES, exposeSeeds, type Notation } from "@plasm/core";
import { loadCatalogDirectory } from "@plasm/runtime";
import { entitiesOf } from "../quay.ts";

/** What tables of one entity each cost by what they call things, in o200k tokens. */
export interface NotationCost {
  readonly catalog: string;
  readonly entities: number;
  readonly symbols: number;
  readonly names: number;
  /** names, and a symbol in place of each that costs less so, if a conversation writes it three times */
  readonly mixed: number;
  /** how many names gave way */
  readonly replaced: number;
  /** what programs save besides, if each of these is written three times */
  readonly saved_in_programs: number;
}

const USES = 3;

function rowsIn(catalog: Catalog, entity: string, notation: Notation): string {
  const { waves } = exposeSeeds({
    exposure: null,
    seeds: [{ entryId: catalog.entryId, entities: [entity] }],
    catalogs: new Map([[catalog.entryId, catalog]]),
    notation,
    policy: {},
    features: CURRENT_FEATURES,
  });
  const lines = waves.flatMap(({ text }) => text.split("\n"));
  const rows = lines.slice(lines.indexOf("```tsv") + 2, lines.lastIndexOf("```"));
  return `${rows.join("\n")}\n`;
}

type Count = (text: string) => number;

/** A word of a table wherever it stands as a name: not within another one, nor in quotes. */
const asName = (word: string): RegExp => new RegExp(`(?<![\\w."'-])${word}(?![\\w"'-])`, "g");

/** The names that rows of slots define, as these rows begin. */
const definedIn = (rows: string): readonly string[] => [
  ...new Set(
    rows.split("\n").flatMap((row) => {
      const [, name] = /^(\w+)\t/.exec(row) ?? [];
      return name === undefined ? [] : [name];
    }),
  ),
];

/** What replacing a name by a symbol saves in a table, its definition paid, and in one use of a program. */
function savingOf(rows: string, name: string, symbol: string, count: Count) {
  const defined = rows.replace(new RegExp(`^${name}\\t`, "m"), `${symbol} / ${name}\t`);
  const [first = "", ...rest] = defined.split(`${symbol} / ${name}\t`);
  const replaced = [first, ...rest].map((part) => part.replaceAll(asName(name), symbol));
  const text = replaced.join(`${symbol} / ${name}\t`);
  return { text, table: count(rows) - count(text), use: count(`,${name}`) - count(`,${symbol}`) };
}

function mixedOf(names: string, count: Count) {
  let [rows, replaced, saved] = [names, 0, 0];
  for (const [at, name] of definedIn(names).entries()) {
    const { text, table, use } = savingOf(rows, name, `p${at + 1}`, count);
    if (table + USES * use <= 0) continue;
    rows = text;
    replaced += 1;
    saved += USES * use;
  }
  return { tokens: count(rows), replaced, saved };
}

/** Tables of each entity of the published catalogs alone, as sessions that need one are taught it. */
export async function measureNotations(): Promise<readonly NotationCost[]> {
  const count = await tokenCounter();
  const registry = await loadCatalogDirectory(CATALOG_NAMES.map(catalogDirectory));
  return registry.list().map(({ catalog }) => {
    const costs = entitiesOf(catalog).map((entity) => {
      const names = rowsIn(catalog, entity, "names");
      const symbols = count(rowsIn(catalog, entity, "symbols"));
      return { names: count(names), symbols, ...mixedOf(names, count) };
    });
    const sum = (of: (cost: (typeof costs)[number]) => number): number =>
      costs.reduce((total, cost) => total + of(cost), 0);
    return {
      catalog: catalog.entryId,
      entities: costs.length,
      symbols: sum((cost) => cost.symbols),
      names: sum((cost) => cost.names),
      mixed: sum((cost) => cost.tokens),
      replaced: sum((cost) => cost.replaced),
      saved_in_programs: sum((cost) => cost.saved),
    };
  });
}

/** The costs as lines. */
export const notationsText = (costs: readonly NotationCost[]): string =>
  [
    "   symbols     names     mixed  replaced  programs  tables of one entity, tokens",
    ...costs.map(
      ({ catalog, symbols, names, mixed, replaced, saved_in_programs: saved }) =>
        [symbols, names, mixed, replaced, saved].map((one) => String(one).padStart(10)).join("") +
        `  ${catalog}`,
    ),
  ].join("\n");

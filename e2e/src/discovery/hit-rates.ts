import { discover, type Catalog } from "@plasm/core";
import { isHit, type DiscoveryIntent } from "@plasm/testkit";

/** How many rows a caller looks at. */
const LOOKED_AT = [1, 3, 8] as const;

/** How many intents found all they need among the first rows. */
export interface HitRates {
  readonly intents: number;
  /** of all, in the order of `LOOKED_AT` */
  readonly hits: readonly number[];
  /** the same of the intents of one kind */
  readonly byKind: ReadonlyMap<
    string,
    { readonly intents: number; readonly hits: readonly number[] }
  >;
}

/** The rows of an intent, `api.Entity` each, as many as a caller looks at most. */
function rowsOf({ intent }: DiscoveryIntent, catalogs: readonly Catalog[]): readonly string[] {
  const found = discover({ intent, limit: Math.max(...LOOKED_AT) }, catalogs, {});
  if (!found.ok) throw new Error(found.message);
  return found.options.map(({ api, entity }) => `${api}.${entity}`);
}

/** Looks for every intent among all catalogs together. */
export function hitRates(
  intents: readonly DiscoveryIntent[],
  catalogs: readonly Catalog[],
): HitRates {
  const found = intents.map((intent) => {
    const rows = rowsOf(intent, catalogs);
    return { intent, isHitAt: LOOKED_AT.map((first) => isHit(intent, rows.slice(0, first))) };
  });
  const tally = (of: typeof found) => ({
    intents: of.length,
    hits: LOOKED_AT.map((_, at) => of.filter(({ isHitAt }) => isHitAt[at]).length),
  });
  const kinds = [...new Set(intents.map(({ kind }) => kind))];
  const byKind = kinds.map(
    (kind) => [kind, tally(found.filter(({ intent }) => intent.kind === kind))] as const,
  );
  return { ...tally(found), byKind: new Map(byKind) };
}

/** A line for each kind and for all: figures only, never a sentence. */
export function hitTable(name: string, rates: HitRates): string {
  const lines = [...rates.byKind, ["all", rates] as const].map(([kind, { intents, hits }]) => {
    const shares = hits.map((hit, at) => {
      const share = ((100 * hit) / intents).toFixed(1);
      return `@${LOOKED_AT[at]} ${hit} (${share} %)`;
    });
    return `${name}, ${kind}, ${intents}: ${shares.join(", ")}`;
  });
  return lines.join("\n");
}

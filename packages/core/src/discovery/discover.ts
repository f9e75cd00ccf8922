import type { Catalog } from "../mapping/template.ts";
import { CURRENT_FEATURES, type Features, type Policy } from "../policy/policy.ts";
import { effectKind } from "../policy/may-use.ts";
import { cleanText } from "../teaching/clean-text.ts";
import { discoveryIndex, type EntityDocument, listNames } from "./index-catalogs.ts";
import { matchIntent } from "./match-intent.ts";
import { rankDocuments } from "./score.ts";
import { permittedCatalogs, resolveApi } from "./resolve-entity.ts";

/** A search for seeds: a goal, and where to look (TEACH-36). */
export interface DiscoverInput {
  /** one sentence; it is not stored */
  readonly intent: string;
  /** names of catalogs to look in; all permitted ones without */
  readonly apis?: readonly string[];
  /** 1 to 32, default 8 */
  readonly limit?: number;
}

/** A seed worth asking for (TEACH-39). */
export interface DiscoverOption {
  readonly api: string;
  readonly entity: string;
  readonly description: string;
}

/** What a search found, as data and as text; or the name that it could not resolve (TEACH-40). */
export type Discovered =
  | {
      readonly ok: true;
      readonly options: readonly DiscoverOption[];
      /** how many more matched */
      readonly omitted: number;
      readonly text: string;
    }
  /** a name in `apis` that is unknown or ambiguous (TEACH-40) */
  | { readonly ok: false; readonly message: string };

const DEFAULT_LIMIT = 8;
const DESCRIPTION_LIMIT = 120;

/**
 * The entities that fit an intent, best first, among what the caller may use; policy is applied before
 * anything is scored (TEACH-36 to TEACH-39).
 */
export function discover(
  input: DiscoverInput,
  catalogs: Iterable<Catalog>,
  policy: Policy,
  features: Features = CURRENT_FEATURES,
): Discovered {
  const permitted = permittedCatalogs(catalogs, policy);
  const wanted = new Set<string>();
  for (const api of input.apis ?? []) {
    const found = resolveApi(api, permitted, policy);
    if (!found.ok) return { ok: false, message: found.message };
    wanted.add(found.entryId);
  }
  const scope = permitted.filter(({ entryId }) => wanted.size === 0 || wanted.has(entryId));
  const indexed = scope.map((catalog) => ({
    catalog,
    index: discoveryIndex(catalog, policy, features),
  }));
  const ranked = rankDocuments(matchIntent(input.intent, indexed, wanted.size > 0));
  const shown = ranked.slice(0, input.limit ?? DEFAULT_LIMIT);
  const options = shown.map(({ document }) => optionOf(document));
  const omitted = ranked.length - shown.length;
  const ids = scope.map(({ entryId }) => entryId);
  return { ok: true, options, omitted, text: optionsText(options, omitted, ids) };
}

function optionOf({ api, entity, capabilities }: EntityDocument): DiscoverOption {
  const described = cleanText(entity.description, DESCRIPTION_LIMIT);
  const labels = EFFECT_ORDER.flatMap((kind) =>
    capabilities.filter((each) => effectKind(each.kind) === kind).map(({ label }) => label),
  ).join(" ");
  const said = [described, labels].filter((text) => text !== "").join(" · ");
  const description = said === "" ? entity.name : said;
  return { api, entity: entity.name, description };
}

const EFFECT_ORDER = ["create", "action", "update", "delete"] as const;

function optionsText(
  options: readonly DiscoverOption[],
  omitted: number,
  ids: readonly string[],
): string {
  if (options.length === 0) return `No match. Catalogs: ${listNames(ids)}`;
  const rows = options.map(({ api, entity, description }) => `${api}\t${entity}\t${description}`);
  const more = omitted === 0 ? [] : [`${omitted} more: pass apis or a narrower intent`];
  return ["```tsv", "api\tentity\tdescription", ...rows, "```", ...more].join("\n");
}

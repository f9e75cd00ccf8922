import type { Catalog } from "../mapping/catalog.ts";
import { CURRENT_FEATURES, type Features } from "../policy/features.ts";
import { effectKind } from "../policy/may-use.ts";
import type { Policy } from "../policy/policy.ts";
import { cleanText } from "../teaching/clean-text.ts";
import { indexedDocuments } from "./discovery-index.ts";
import type { EntityDocument } from "./entity-document.ts";
import { askedKinds } from "./intent-verbs.ts";
import { listNames } from "./list-names.ts";
import { rankDocuments, type ScoredDocument } from "./rank.ts";
import { namesOf, permittedCatalogs, resolveApi } from "./resolve-api.ts";
import { scoreDocuments } from "./score.ts";
import { plainWords, tokenize } from "./tokenize.ts";

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
const VERB_BOOST = 1.2;
const NAMED_BOOST = 2;

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
  const ranked = rankDocuments(scored(input.intent, scope, policy, features));
  const shown = ranked.slice(0, input.limit ?? DEFAULT_LIMIT);
  const options = shown.map(({ document }) => optionOf(document));
  const omitted = ranked.length - shown.length;
  const ids = scope.map(({ entryId }) => entryId);
  return { ok: true, options, omitted, text: optionsText(options, omitted, ids) };
}

function scored(
  intent: string,
  catalogs: readonly Catalog[],
  policy: Policy,
  features: Features,
): readonly ScoredDocument[] {
  const documents = catalogs.flatMap((catalog) => indexedDocuments(catalog, policy, features));
  const terms = tokenize(intent);
  const asked = askedKinds(terms);
  const named = new Set(
    catalogs.filter((catalog) => isNamed(catalog, intent)).map(({ entryId }) => entryId),
  );
  return scoreDocuments(documents, terms).map((score, at) => {
    const document = documents[at];
    if (document === undefined) throw new Error("A score without a document.");
    const can = asked.filter((kinds) =>
      document.capabilities.some(({ kind }) => kinds.includes(kind)),
    );
    const boost = VERB_BOOST ** can.length * (named.has(document.api) ? NAMED_BOOST : 1);
    return { document, score: score * boost };
  });
}

/** Whether an intent names a catalog, by id, label or alias, as a whole word or words (TEACH-37). */
function isNamed(catalog: Catalog, intent: string): boolean {
  const said = ` ${plainWords(intent).join(" ")} `;
  const tags = new Set(catalog.cgs.tags.map((tag) => tag.trim().toLowerCase()));
  return namesOf(catalog).some((name) => {
    const words = plainWords(name).join(" ");
    return !tags.has(name) && words !== "" && said.includes(` ${words} `);
  });
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

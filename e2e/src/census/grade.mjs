/** Grades one import by the rubric: what became of each operation that a person would look for. */
import { CURRENT_FEATURES, exposeSeeds, openCatalog } from "@plasm/core";
import { tokenCounter } from "@plasm/agent-core/internal";
import { parse } from "yaml";
import { keysOf } from "./measure.mjs";
import { CRITERIA } from "./rubric.mjs";

/** A table of this many tokens is as large as it may be; one of twice as many is worth nothing. */
const TABLE_TOKENS = 1_500;

const share = (part, whole) => (whole === 0 ? 1 : part / whole);
const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;

/** The letter of a mean; one criterion below a half is no B. */
const letterOf = (score, worst) => {
  if (score >= 0.9 && worst >= 0.5) return "A";
  if (score >= 0.8 && worst >= 0.5) return "B";
  if (score >= 0.7) return "C";
  return score >= 0.6 ? "D" : "F";
};

const isFree = (fields) => Object.keys(fields).every((name) => name === "answer");

/** The words that a capability is best called by, by what it does. */
const LABELS = {
  list: /^(?:query|search|list)$|^(?:query|search|of)_/,
  get: /^get$|^info$/,
  create: /^(?:create|add|new|post)(?:_|$)|^post_message$/,
  update: /^(?:update|replace|patch|rename)(?:_|$)/,
};

/** How a mapping goes on: by an address, by what an answer or its last row holds, or counted. */
function formOf(pagination) {
  if (pagination === undefined) return null;
  if (["link_header", "response_next_url"].includes(pagination.location)) return "link";
  const all = Object.values(pagination.params ?? {});
  if (all.some((one) => "size" in one)) return null;
  return all.some((one) => "from_response" in one || "from_last" in one) ? "token" : "counter";
}

function measureThing(catalog, { things, goesOnBy }) {
  const { domain, byKey, tokensOf } = catalog;
  return (one) => {
    const made = (key) => (key === null ? null : (byKey.get(key) ?? { missing: true }));
    const [list, get, create, update] = [one.list, one.get, one.create, one.update].map(made);
    const said = [get, list, create, update].find((each) => each !== null && !each?.missing);
    const entity = get?.entity ?? list?.entity ?? said?.entity;
    const fields = domain.entities[entity]?.fields ?? {};
    const own = (each) => (each.entity === entity || one.names.includes(each.entity) ? 1 : 0.5);
    const scores = {};
    if (list !== null) {
      const isList = ["query", "search"].includes(list.kind);
      scores.list = isList
        ? own(list) * (isFree(domain.entities[list.entity].fields) ? 0.5 : 1)
        : 0;
      if (one.pages) scores.paging = goesOnBy.includes(formOf(list.pagination)) ? 1 : 0;
    }
    if (get !== null)
      scores.get = get.kind === "get" ? (isFree(fields) ? 0.5 : 1) : get.missing ? 0 : 0.5;
    if (create !== null) {
      const kind = create.kind === "create" ? 1 : 0.5;
      const answers = create.provides !== undefined || create.output?.entity_type === entity;
      scores.create = create.missing ? 0 : kind * (answers ? 1 : 0.5) * own(create);
    }
    if (update !== null) {
      const kind = ["update", "action"].includes(update.kind) ? 1 : 0.5;
      scores.update = update.missing ? 0 : kind * own(update);
    }
    if (one.from !== null) {
      const owner = things.find(({ names }) => names.includes(one.from));
      const from = domain.entities[byKey.get(owner?.get)?.entity ?? one.from];
      const leads = Object.values(from?.relations ?? {}).some(({ target }) => target === entity);
      scores.relation = leads ? 1 : 0;
    }
    const labels = Object.entries({ list, get, create, update }).filter(
      ([, each]) => each !== null && !each.missing,
    );
    const called = labels.filter(([what, { label }]) => LABELS[what].test(label));
    const isNamed = one.names.includes(entity);
    scores.names = (Number(isNamed) + share(called.length, labels.length)) / 2;
    const tokens = entity === undefined ? null : tokensOf(entity);
    if (tokens !== null)
      scores.table = Math.max(0, Math.min(1, (2 * TABLE_TOKENS - tokens) / TABLE_TOKENS));
    return {
      thing: one.names[0],
      entity: entity ?? null,
      labels: Object.fromEntries(
        labels.map(([what, { label, kind }]) => [what, `${label} (${kind})`]),
      ),
      tokens,
      scores,
    };
  };
}

/** What a catalog has, by the operations of its document. */
async function opened(entryId, texts) {
  const domain = parse(texts.domain);
  const mappings = parse(texts.mappings);
  const byKey = new Map();
  for (const [name, mapping] of Object.entries(mappings)) {
    const said = domain.capabilities[name];
    const label = name.slice(said.entity.length + 1);
    for (const key of keysOf(mapping))
      byKey.set(key, { ...said, label, pagination: mapping.pagination });
  }
  const { catalog, diagnostics } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: texts.domain },
    mappings: { file: "mappings.yaml", text: texts.mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics.slice(0, 3)));
  const count = await tokenCounter();
  const tokensOf = (entity) => {
    try {
      const { waves } = exposeSeeds({
        exposure: null,
        seeds: [{ entryId, entities: [entity] }],
        catalogs: new Map([[entryId, catalog]]),
        notation: "symbols",
        policy: {},
        features: CURRENT_FEATURES,
      });
      return count(waves.map(({ text }) => text).join("\n"));
    } catch {
      return null;
    }
  };
  return { domain, byKey, tokensOf };
}

/** The grade of an import: of each criterion the mean of all things, and the letter of all. */
export async function gradeImport(rubric, entryId, texts) {
  const { api, things } = rubric;
  const catalog = await opened(entryId, texts);
  const measured = things.map(measureThing(catalog, rubric));
  const means = Object.fromEntries(
    Object.keys(CRITERIA).map((criterion) => {
      const all = measured.flatMap(({ scores }) => scores[criterion] ?? []);
      return [criterion, all.length === 0 ? null : Number(mean(all).toFixed(2))];
    }),
  );
  const told = Object.values(means).filter((one) => one !== null);
  const score = Number(mean(told).toFixed(2));
  return { api, letter: letterOf(score, Math.min(...told)), score, ...means, things: measured };
}

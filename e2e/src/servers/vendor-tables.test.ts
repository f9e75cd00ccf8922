import { tokenCounter } from "@plasm/agent-core/internal";
import { openPublishedCatalogs } from "@plasm/catalogs";
import { CURRENT_FEATURES, exposeSeeds } from "@plasm/core";
import { expect, test } from "vitest";

/** What an agent reads of an entity when it asks for that one alone. */
const MOST_TOKENS = 1_500;

test.each(["digitalocean", "gitlab", "notion", "slack", "stripe"] as const)(
  "each entity of %s is taught in less than 1,500 tokens (TEACH-41)",
  async (name) => {
    const count = await tokenCounter();
    const catalog = (await openPublishedCatalogs([name])).get(name)?.catalog;
    if (catalog === undefined) throw new Error(`no catalog ${name}`);
    const sizes = [...catalog.cgs.entities.values()].map((entity) => {
      const { waves } = exposeSeeds({
        exposure: null,
        seeds: [{ entryId: name, entities: [entity.name] }],
        catalogs: new Map([[name, catalog]]),
        notation: "symbols",
        policy: {},
        features: CURRENT_FEATURES,
      });
      const lines = waves.flatMap(({ text }) => text.split("\n"));
      const table = lines.slice(lines.indexOf("```tsv"), lines.lastIndexOf("```"));
      return { entity: entity.name, tokens: count(table.join("\n")) };
    });
    expect(sizes.filter(({ tokens }) => tokens >= MOST_TOKENS)).toEqual([]);
  },
);

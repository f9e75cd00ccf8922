import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { jsonTools } from "../../test/json-tools.ts";
import { teach } from "../../test/teach.ts";
import type { Catalog } from "../mapping/catalog.ts";
import { ALL_FEATURES, CURRENT_FEATURES } from "../policy/features.ts";
import { CONTRACT_PARTS, contractText } from "./contract.ts";

const catalogs = fixtureCatalogs();

/** Tokens of a catalog's rows and of the same as JSON tools, all entities seeded at once. */
function costOf(catalog: Catalog): { readonly rows: number; readonly tools: number } {
  const entities = [...catalog.cgs.entities.values()]
    .filter((entity) => !entity.abstract)
    .map((entity) => entity.name);
  const { waves } = teach(new Map([[catalog.entryId, catalog]]), [
    [[catalog.entryId, ...entities]],
  ]);
  const rows = countTokens(tableOf(waves[0]?.text ?? "", 2));
  return { rows, tools: countTokens(jsonTools(catalog, entities)) };
}

/** The lines between the fences of a wave; `from` is 1 with the header, 2 without. */
function tableOf(text: string, from: 1 | 2): string {
  const lines = text.split("\n");
  return `${lines.slice(lines.indexOf("```tsv") + from, -2).join("\n")}\n`;
}

test("the contract with all parts takes at most 600 tokens (TEACH-41)", () => {
  for (const features of [ALL_FEATURES, CURRENT_FEATURES]) {
    for (const notation of ["symbols", "names"] as const) {
      const text = CONTRACT_PARTS.map((part) => contractText(part, features, notation)).join("\n");
      const tokens = countTokens(text);
      console.info(
        `contract, ${notation}, ${features.effects ? "all" : "current"}: ${tokens} tokens`,
      );
      expect(tokens).toBeLessThanOrEqual(600);
    }
  }
});

test("the table of the worked example's wave 1 takes the 178 tokens it is said to (section 5)", () => {
  const { waves } = teach(catalogs, [[["orchard", "Tree"]]]);
  expect(countTokens(tableOf(waves[0]?.text ?? "", 1))).toBe(178);
});

test("rows against JSON tools of the same catalog (TEACH-41, P28)", () => {
  const share = new Map(
    [...catalogs.values()].map((catalog) => {
      const { rows, tools } = costOf(catalog);
      console.info(`${catalog.entryId}: ${rows} of ${tools} tokens`);
      return [catalog.entryId, rows / tools] as const;
    }),
  );
  // Rows also teach fields and relations, which tools leave out: a catalog with few methods pays for
  // them without the slots that methods share.
  expect(share.get("orchard")).toBeLessThanOrEqual(0.6);
  expect(share.get("depot")).toBeLessThanOrEqual(0.75);
  expect(share.get("yard")).toBeLessThanOrEqual(0.75);
  expect(share.get("quay")).toBeLessThanOrEqual(0.75);
});

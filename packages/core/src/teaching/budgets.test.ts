import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { teach } from "../../test/teach.ts";
import { ALL_FEATURES, CURRENT_FEATURES } from "../policy/policy.ts";
import { CONTRACT_PARTS, contractText } from "./contract.ts";

const catalogs = fixtureCatalogs();

/** The lines between the fences of a wave; `from` is 1 with the header, 2 without. */
function tableOf(text: string, from: 1 | 2): string {
  const lines = text.split("\n");
  return `${lines.slice(lines.indexOf("```tsv") + from, lines.lastIndexOf("```")).join("\n")}\n`;
}

test("the contract with all parts takes at most 640 tokens (TEACH-41)", () => {
  for (const features of [ALL_FEATURES, CURRENT_FEATURES]) {
    for (const notation of ["symbols", "names"] as const) {
      const text = CONTRACT_PARTS.map((part) => contractText(part, features, notation)).join("\n");
      const tokens = countTokens(text);
      console.info(
        `contract, ${notation}, ${features.effects ? "all" : "current"}: ${tokens} tokens`,
      );
      expect(tokens).toBeLessThanOrEqual(640);
    }
  }
});

test("the table of the worked example's wave 1 takes the 178 tokens it is said to (section 5)", () => {
  const { waves } = teach(catalogs, [[["orchard", "Tree"]]]);
  expect(countTokens(tableOf(waves[0]?.text ?? "", 1))).toBe(178);
});

import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import type { WaveEntry } from "../symbols/waves.ts";
import { CONTRACT_PARTS, contractText } from "./contract.ts";
import { exposeSeeds } from "./expose-seeds.ts";
import type { WaveText } from "./wave-text.ts";

/** The calls of the worked example, section 5 of the teaching specification. */
const CALLS = [
  [{ entryId: "orchard", entities: ["Tree"] }],
  [{ entryId: "orchard", entities: ["Harvest"] }],
  [{ entryId: "depot", entities: ["Harvest", "Crate"] }],
];

const catalogs = fixtureCatalogs("orchard", "depot");

function taughtWaves(notation: "symbols" | "names"): readonly WaveText[] {
  let log: readonly WaveEntry[] = [];
  return CALLS.flatMap((seeds) => {
    const before = { log };
    const exposed = exposeSeeds({
      exposure: before,
      catalogs,
      seeds,
      notation,
      policy: {},
      features: ALL_FEATURES,
    });
    log = exposed.log;
    return exposed.waves;
  });
}

const waves = taughtWaves("symbols");

/** A wave's text from its heading on: the line above the fence. */
const tableOf = (wave: WaveText | undefined): string => {
  const lines = wave?.text.split("\n") ?? [];
  return lines.slice(lines.indexOf("```tsv") - 1).join("\n");
};

test.each([1, 2, 3])(
  "worked example, wave %i, byte for byte (A7, A33, TEACH-14, TEACH-27)",
  async (n) => {
    await expect(tableOf(waves[n - 1])).toMatchFileSnapshot(
      `../../test/golden/worked-example-wave-${n}.txt`,
    );
  },
);

test("worked example: the parts of the contract, each with the wave that calls for it (TEACH-32)", () => {
  expect(waves.map(({ parts }) => parts)).toEqual([
    ["core", "search", "effects", "continuations"],
    ["text"],
    [],
  ]);
});

test("worked example: modes and symbol ranges (SURF-7)", () => {
  expect(
    waves.map(({ n, mode, entryId, entities, e, m, p }) => ({
      n,
      mode,
      entryId,
      entities,
      e,
      m,
      p,
    })),
  ).toEqual([
    { n: 1, mode: "open", entryId: "orchard", entities: ["Tree"], e: [1, 1], m: [1, 7], p: [1, 8] },
    {
      n: 2,
      mode: "expand",
      entryId: "orchard",
      entities: ["Harvest"],
      e: [2, 2],
      m: [8, 10],
      p: [9, 13],
    },
    {
      n: 3,
      mode: "federate",
      entryId: "depot",
      entities: ["Crate", "Harvest"],
      e: [3, 4],
      m: [11, 15],
      p: [14, 17],
    },
  ]);
  expect(waves.every(({ untaught }) => untaught.length === 0)).toBe(true);
});

test("worked example: a wave is its parts, a heading and the table (TEACH-27)", () => {
  const contract = ["core", "search", "effects", "continuations"] as const;
  const above = contract.map((part) => contractText(part, ALL_FEATURES, "symbols")).join("\n");
  expect(waves[0]?.text).toBe(`${above}\n\n${tableOf(waves[0])}`);
  expect(waves[2]?.text).toBe(tableOf(waves[2]));
});

test("worked example in names, whole text (TEACH-26)", async () => {
  const text = taughtWaves("names")
    .map((wave) => wave.text)
    .join("\n");
  await expect(text).toMatchFileSnapshot("../../test/golden/worked-example-names.txt");
});

test("the contract with all features on is a golden text (TEACH-33)", async () => {
  const text = CONTRACT_PARTS.map(
    (part) => `[${part}]\n${contractText(part, ALL_FEATURES, "symbols")}`,
  ).join("\n");
  await expect(`${text}\n`).toMatchFileSnapshot("../../test/golden/contract.txt");
});

import { expect, test } from "vitest";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { type Call, teach } from "../../test/teach.ts";
import { CURRENT_FEATURES } from "../policy/policy.ts";
import { promptText } from "./wave-text.ts";

const catalogs = fixtureCatalogs("quay", "yard");

/** Boats first, then all else of both catalogs: waves of each mode, with gained rows. */
const CALLS: readonly Call[] = [
  [["quay", "Boat"]],
  [
    ["quay", "Person", "Visit", "Log", "Paper", "Office", "Digest", "Stats"],
    ["yard", "Boat", "Part"],
  ],
];

test.each(["symbols", "names"] as const)(
  "quay and yard as this engine teaches them today, in %s (TEACH-14, TEACH-26)",
  async (notation) => {
    const { waves } = teach(catalogs, CALLS, { notation, features: CURRENT_FEATURES });
    expect(waves.map(({ mode }) => mode)).toEqual(["open", "expand", "federate"]);
    const file = `../../test/golden/quay-and-yard-${notation}.txt`;
    await expect(promptText(waves)).toMatchFileSnapshot(file);
  },
);

import { servedProperty } from "@plasm/testkit";
import fc from "fast-check";
import { judgeSeed } from "./judge-seed.ts";
import { serveWorlds, type Worlds } from "./serve-worlds.ts";

/** A world and its programs are drawn of one number and shrunk by the oracle itself. */
const seed = fc.noShrink(fc.noBias(fc.integer({ min: 0, max: 2 ** 31 - 1 })));

async function check(worlds: Worlds, drawn: number): Promise<void> {
  const finding = await judgeSeed(worlds, drawn);
  if (finding !== null) throw new Error(finding);
}

export const oracleHolds = servedProperty({
  key: "P30-oracle",
  says: "programs on APIs that nobody knew answer what their data says, or say that they are partial, and leave the state that effects make",
  runs: 300,
  start: serveWorlds,
  end: (worlds) => worlds.close(),
  holds: (worlds) => fc.asyncProperty(seed, (drawn) => check(worlds, drawn)),
});

export const properties = [oracleHolds];

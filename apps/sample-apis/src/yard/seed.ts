import type { Part, YardData } from "./data.ts";

const docks = ["dry 1", "dry 2", "slip", null, "hall"] as const;
const boatCount = 45;

const parts: readonly Part[] = [
  { maker: "a", no: 1, lines: ["propeller", "three blades"] },
  { maker: "a", no: 2, lines: ["shaft"] },
  { maker: "b & sons", no: 1, lines: ["winch", "hand driven", "with brake"] },
  { maker: "a/b", no: 7, lines: [] },
];

/** Yard's first data, the same at every call. */
export const seedYard = (): YardData => ({
  format: 1,
  boats: Array.from({ length: boatCount }, (_none, index) => ({
    id: index + 1,
    dock: docks[index % docks.length] ?? null,
  })),
  parts,
});

import type { Property } from "@plasm/testkit";
import fc from "fast-check";
import { arbitraryFamily, arbitrarySize } from "../growth/families.ts";
import { Trials } from "../growth/trials.ts";

/** Reads the texts in a thread of its own, whose heap ends where one text takes too much; many are drawn there, too. */
export const boundedReading: Property = Object.freeze({
  key: "growth",
  says: "no program, template, catalog or intent takes more than 1 s of CPU or 64 MB, or throws (LANG-001, RUN-101)",
  runs: 400,
  served: false,
  open: () => {
    const trials = new Trials();
    const holds = fc.asyncProperty(arbitraryFamily, arbitrarySize, async (family, size) => {
      await trials.read(family, size);
    });
    return Promise.resolve({
      holds: holds as fc.IRawProperty<unknown, boolean>,
      close: () => trials.close(),
    });
  },
  async tryMany(runs: number, seed: number) {
    const trials = new Trials();
    try {
      return await trials.readMany(runs, seed);
    } finally {
      await trials.close();
    }
  },
});

export const properties = [boundedReading];

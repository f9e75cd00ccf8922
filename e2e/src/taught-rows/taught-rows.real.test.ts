import type { Notation } from "@plasm/core";
import { openCatalog } from "@plasm/core";
import { expect, it } from "vitest";
import { githubFrom, wholeDocument } from "../openapi/github-catalog.ts";
import { sweepCatalog } from "./sweep-catalog.ts";

// It takes a minute, so the part of it in taught-rows.test.ts stands for it where time counts.
it.each<Notation>(["symbols", "names"])(
  "17.16 TEACH-19 each row of the catalog of GitHub's whole document, filled from the printed table alone, in %s",
  async (notation) => {
    const { domain, mappings } = await githubFrom(wholeDocument());
    const { catalog } = openCatalog({
      entryId: "hub",
      domain: { file: "domain.yaml", text: domain },
      mappings: { file: "mappings.yaml", text: mappings },
    });
    if (catalog === null) throw new Error("the catalog does not open");
    const { rows, programs, faults } = sweepCatalog(catalog, notation);
    console.info(`${rows} rows, ${programs} programs, ${faults.length} faults`);
    expect(faults).toEqual([]);
    expect(rows).toBeGreaterThan(1400);
  },
  300_000,
);

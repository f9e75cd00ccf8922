import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { catalogFromOpenApi } from "./catalog-from-open-api.ts";
import { arbitraryDocument } from "@plasm/testkit";

/** The same documents at each run; as many others as PLASM_DOCUMENTS says, where somebody looks for more. */
const MORE = process.env["PLASM_DOCUMENTS"];
const RUNS = MORE === undefined ? { numRuns: 40, seed: 83 } : { numRuns: Number(MORE) };

// Whether a document is valid is the library's to say, which takes its time over it.
const made = (document: unknown, form: "yaml" | "json" = "yaml") =>
  catalogFromOpenApi(document, { entryId: "harbour", validate: false, form });

const opened = ({ domain, mappings }: { domain: string; mappings: string }) =>
  openCatalog({
    entryId: "harbour",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });

/** The same with the members of each object in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, one]) => [key, turned(one)]));
}

it("whatever a document holds, its catalog loads without a word, and is the same in any order", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDocument, async (document) => {
      const texts = await made(document);
      const { diagnostics } = opened(texts);
      const told = diagnostics
        // The document may name no server.
        .filter(({ code }) => code !== "CAT021")
        .map((one) =>
          formatCatalogDiagnostic(one, one.file === "domain.yaml" ? texts.domain : texts.mappings),
        );
      expect(told).toEqual([]);
      expect(await made(turned(document))).toEqual(texts);
    }),
    RUNS,
  );
});

it("CAT-012: as JSON the catalog of a document is what it is as YAML", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryDocument, async (document) => {
      const texts = await made(document, "json");
      expect(() => [JSON.parse(texts.domain), JSON.parse(texts.mappings)]).not.toThrow();
      const digest = opened(texts).catalog?.digest;
      expect(digest).toMatch(/^sha256:/);
      expect(digest).toBe(opened(await made(document)).catalog?.digest);
    }),
    RUNS,
  );
});

import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type CatalogTexts, catalogFromOpenApi } from "./catalog-from-open-api.ts";
import { OpenApiError } from "./open-api-error.ts";
import { arbitraryDocument } from "./testing/arbitrary-document.ts";

/** What is made of a document, null where it is refused with its reason. */
async function made(document: unknown): Promise<CatalogTexts | null> {
  try {
    return await catalogFromOpenApi(document, { entryId: "harbour", validate: false });
  } catch (error) {
    if (error instanceof OpenApiError) {
      if (process.env["WHY"]) console.log(error.message.slice(0, 300));
      return null;
    }
    throw error;
  }
}

/** The same with the members of each object in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).toReversed();
  return Object.fromEntries(members.map(([key, one]) => [key, turned(one)]));
}

it(
  "whatever a document holds, its catalog loads without an error",
  { timeout: 120_000 },
  async () => {
    let loaded = 0;
    const runs = Number(process.env["RUNS"] ?? 60);
    await fc.assert(
      fc.asyncProperty(arbitraryDocument, async (document) => {
        const texts = await made(document);
        if (texts === null) return;
        const { diagnostics } = openCatalog({
          entryId: "harbour",
          domain: { file: "domain.yaml", text: texts.domain },
          mappings: { file: "mappings.yaml", text: texts.mappings },
        });
        const told = diagnostics
          .filter(({ code }) => code !== "CAT021")
          .map((one) =>
            formatCatalogDiagnostic(
              one,
              one.file === "domain.yaml" ? texts.domain : texts.mappings,
            ),
          );
        expect(told).toEqual([]);
        loaded += 1;
        expect(await made(turned(document))).toEqual(texts);
      }),
      { numRuns: runs },
    );
    expect(loaded).toBeGreaterThan(runs / 4);
  },
);

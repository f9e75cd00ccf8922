import assert from "node:assert/strict";
import fc from "fast-check";
import { pureProperty } from "@plasm/testkit";
import { stringify } from "yaml";
import { openCatalog } from "../../src/catalog/open/open-catalog.ts";
import { CURRENT_FEATURES } from "../../src/policy/policy.ts";
import { arbitraryCatalogSpec } from "../arbitrary-catalog.ts";
import { type CatalogDocuments, catalogDocuments } from "../build-catalog.ts";
import { corruption, struck } from "../corruption.ts";
import { formatCatalogs } from "../format-catalogs.ts";
import { misplaced } from "../misplaced.ts";
import { rowFaults } from "../row-faults.ts";
import { taughtOf } from "../taught-of.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same value with the entries of every map in another order, as `turn` says. */
function reordered(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => reordered(item, turn));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const from = entries.length === 0 ? 0 : turn % entries.length;
  const turned = [...entries.slice(from), ...entries.slice(0, from)];
  const order = turn % 2 === 0 ? turned : turned.toReversed();
  return Object.fromEntries(order.map(([key, member]) => [key, reordered(member, turn + 1)]));
}

const opened = (write: (value: unknown) => string, { domain, mappings }: CatalogDocuments) =>
  openCatalog({
    entryId: "wood",
    domain: { file: "domain.yaml", text: write(domain) },
    mappings: { file: "mappings.yaml", text: write(mappings) },
  });

const validFiles = pureProperty({
  key: "catalogs-files",
  says: "a valid catalog loads however it is written, teaches in both notations, and every row of it plans",
  runs: 12,
  holds: () =>
    fc.property(arbitraryCatalogSpec(), fc.nat(100), (spec, turn) => {
      const documents = catalogDocuments(spec);
      const plain = opened((value) => JSON.stringify(value), documents);
      const block = opened((value) => stringify(reordered(value, turn)), documents);
      const errors = block.diagnostics.filter(({ severity }) => severity === "error");
      assert.deepEqual(errors, []);
      assert(plain.catalog !== null && block.catalog !== null);
      // CAT-015, RUN-170: the order of keys has no meaning, nor has the style.
      assert.equal(block.catalog.digest, plain.catalog.digest);
      for (const notation of ["symbols", "names"] as const) {
        const taught = taughtOf(block.catalog, notation);
        assert.deepEqual(
          taught.waves.map(({ text }) => text),
          taughtOf(plain.catalog, notation).waves.map(({ text }) => text),
        );
        assert.deepEqual(rowFaults(taught.exposure, CURRENT_FEATURES), []);
      }
    }),
});

const corruptFiles = pureProperty({
  key: "catalogs-corrupt",
  says: "however a catalog is damaged, opening it ends, and every fault points into its file",
  runs: 150,
  holds: () => {
    const sources = formatCatalogs();
    const damage = fc.array(corruption, { maxLength: 3 });
    return fc.property(fc.constantFrom(...sources), damage, damage, (source, first, second) => {
      const texts = new Map([[source.domain.file, first.reduce(struck, source.domain.text)]]);
      const { domain, mappings } = source;
      if (mappings) texts.set(mappings.file, second.reduce(struck, mappings.text));
      const file = (name: string) => ({ file: name, text: texts.get(name) ?? "" });
      const { catalog, diagnostics } = openCatalog({
        ...source,
        domain: file(domain.file),
        ...(mappings === undefined ? {} : { mappings: file(mappings.file) }),
      });
      const faulty = diagnostics.some(({ severity }) => severity === "error");
      assert.equal(catalog === null, faulty);
      for (const each of diagnostics) {
        assert.equal(misplaced(each, texts.get(each.file)), null, JSON.stringify(each));
        assert.doesNotMatch(each.message, /undefined|\[object|\{\w+\}/);
      }
      if (catalog !== null) taughtOf(catalog, "symbols");
    });
  },
});

export const properties = [validFiles, corruptFiles];

import { fixtureCatalogNames, patchedCatalog, readFixtureCatalog } from "@plasm/testkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCatalogDiagnostic } from "../load/format-diagnostic.ts";
import { openCatalog } from "./open-catalog.ts";

const files = (domain: string, mappings: string) => ({
  entryId: "parcels",
  domain: { file: "domain.yaml", text: domain },
  mappings: { file: "mappings.yaml", text: mappings },
});

test.each(fixtureCatalogNames)("the fixture catalog %s is clean in strict mode", (name) => {
  const { domain, mappings } = readFixtureCatalog(name);
  const opened = openCatalog({ ...files(domain, mappings), entryId: name }, { strict: true });
  expect(opened.diagnostics.map((each) => formatCatalogDiagnostic(each))).toEqual([]);
  expect(opened.omitted).toBe(0);
  expect(opened.catalog?.entryId).toBe(name);
});

test("strict mode turns every warning into an error", () => {
  const { domain, mappings } = patchedCatalog({ version: "0" });
  const lenient = openCatalog(files(domain, mappings));
  expect(lenient.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["CAT022", "warning"],
  ]);
  expect(lenient.catalog).not.toBeNull();
  const strict = openCatalog(files(domain, mappings), { strict: true });
  expect(strict.diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
  expect(strict.catalog).toBeNull();
});

test("both files are checked completely, in file order; after 200, a count", () => {
  const bad = Array.from({ length: 230 }, (_, at) => `f${at}: {value_ref: none${at}}`).join("\n");
  const { domain, mappings } = patchedCatalog({ fields: bad, mappings: "lost: {}" });
  const { diagnostics, omitted, catalog } = openCatalog(files(domain, mappings));
  expect(diagnostics).toHaveLength(200);
  expect(omitted).toBe(31);
  expect(catalog).toBeNull();
  const starts = diagnostics.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test("a diagnostic as text has place, key path, code frame and message", () => {
  const { domain, mappings } = patchedCatalog({ fields: "extra: {value_ref: «dpot»}" });
  const [first] = openCatalog(files(domain, mappings)).diagnostics;
  expect(first && formatCatalogDiagnostic(first, domain)).toBe(
    [
      "CAT005 error at domain.yaml:16:26 (entities.Parcel.fields.extra.value_ref)",
      "      extra: {value_ref: dpot}",
      "                         ^^^^",
      "There is no value dpot (nearest: depot). There are: text, count, when, stage, depot, free.",
    ].join("\n"),
  );
});

/** One blow to a text: a stretch removed, doubled or replaced. */
const blow = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 40 }),
  instead: fc.oneof(
    fc.constantFrom(
      "",
      ": ",
      "- ",
      "{",
      "}",
      "[",
      "]",
      "&a ",
      "*a",
      "!x ",
      "null",
      "\n",
      "\t",
      "'",
      '"',
      "|",
      "<<: ",
      "---\n",
      "#",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  ),
  double: fc.boolean(),
});

test("no corruption makes it throw, and every finding points into its file", () => {
  const catalogs = fixtureCatalogNames.map((name) => readFixtureCatalog(name));
  const strike = (
    text: string,
    { at, length, instead, double }: typeof blow extends fc.Arbitrary<infer B> ? B : never,
  ) => {
    const from = Math.floor(at * text.length);
    const cut = text.slice(from, from + length);
    return text.slice(0, from) + instead + (double ? cut + cut : "") + text.slice(from + length);
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...catalogs),
      fc.array(blow, { maxLength: 3 }),
      fc.array(blow, { maxLength: 3 }),
      (catalog, domainBlows, mappingBlows) => {
        const domain = domainBlows.reduce(strike, catalog.domain);
        const mappings = mappingBlows.reduce(strike, catalog.mappings);
        const opened = openCatalog(files(domain, mappings));
        const texts: Readonly<Record<string, string>> = {
          "domain.yaml": domain,
          "mappings.yaml": mappings,
        };
        const errors = opened.diagnostics.filter(({ severity }) => severity === "error");
        expect(opened.catalog === null).toBe(errors.length > 0);
        for (const each of opened.diagnostics) {
          const text = texts[each.file] ?? "";
          expect(each.line).toBeLessThanOrEqual(text.split("\n").length);
          expect(each.end).toBeLessThanOrEqual(text.length);
          expect(each.start).toBeLessThanOrEqual(each.end);
          expect(each.message).not.toMatch(/undefined|\[object/);
          expect(formatCatalogDiagnostic(each, text)).toContain(each.message);
        }
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

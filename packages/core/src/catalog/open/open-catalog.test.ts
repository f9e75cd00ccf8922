import { fixtureCatalogNames, patchedCatalog, readFixtureCatalog } from "@plasm/testkit";
import { expect, test } from "vitest";
import { formatCatalogDiagnostic } from "../reporter.ts";
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
  const { diagnostics, omitted, catalog } = openCatalog(files(domain, mappings), { strict: true });
  expect(diagnostics).toHaveLength(200);
  expect(omitted).toBe(31);
  expect(catalog).toBeNull();
  const starts = diagnostics.map(({ start }) => start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

test("a diagnostic as text has place, key path, code frame and message", () => {
  const { domain, mappings } = patchedCatalog({ fields: "extra: {value_ref: «dpot»}" });
  const [first] = openCatalog(files(domain, mappings), { strict: true }).diagnostics;
  expect(first && formatCatalogDiagnostic(first, domain)).toBe(
    [
      "CAT005 error at domain.yaml:16:26 (entities.Parcel.fields.extra.value_ref)",
      "      extra: {value_ref: dpot}",
      "                         ^^^^",
      "There is no value dpot (nearest: depot). There are: text, count, when, stage, depot, free.",
    ].join("\n"),
  );
});

import { schema as published } from "@octokit/graphql-schema";
import { catalogFromGraphql } from "@plasm/importers";
import { formatCatalogDiagnostic, openCatalog } from "@plasm/core";
import { buildASTSchema, parse, validate } from "graphql";
import { expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { seedsOf, sweepCatalog } from "../taught-rows/sweep-catalog.ts";

type Mappings = Readonly<
  Record<
    string,
    { readonly body: { readonly fields: readonly (readonly [string, { value: string }])[] } }
  >
>;

/** All of it takes some seconds (docs/adr/0134). */
const PART = [
  "repository",
  "search",
  "user",
  "viewer",
  "organization",
  "createIssue",
  "closeIssue",
  "addComment",
];

it("makes a part of GitHub's own schema a catalog, whose operations are all valid", async () => {
  const text = published.idl;
  const made = await catalogFromGraphql(text, {
    entryId: "hub",
    server: "https://api.github.com/graphql",
    validate: false,
    only: PART,
  });
  expect([made.operations > 8, made.reached]).toEqual([true, made.operations]);
  expect(made.left).toEqual([
    expect.stringMatching(
      /^SearchResultItem: it has too many values, and these are not asked for: /,
    ),
  ]);
  const { diagnostics, catalog } = openCatalog(
    {
      entryId: "hub",
      domain: { file: "domain.yaml", text: made.domain },
      mappings: { file: "mappings.yaml", text: made.mappings },
    },
    { strict: true },
  );
  expect(diagnostics.map((one) => formatCatalogDiagnostic(one))).toEqual([]);
  if (catalog === null) throw new Error("no catalog");
  const schema = buildASTSchema(parse(text), { assumeValid: true, assumeValidSDL: true });
  const mappings = parseYaml(made.mappings) as Mappings;
  const faults = Object.entries(mappings).flatMap(([name, { body }]) => {
    const query = body.fields.find(([key]) => key === "query")?.[1].value ?? "";
    return validate(schema, parse(query)).map(({ message }) => `${name}: ${message}`);
  });
  expect(faults).toEqual([]);
  const seeds = ["Repository", "Issue", "User", "Organization", "SearchResultItem"];
  expect(seedsOf(catalog)).toEqual(expect.arrayContaining(seeds));
  expect(sweepCatalog(catalog, "names", seeds).faults).toEqual([]);
});

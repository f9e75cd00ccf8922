import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Catalog, openCatalog } from "@plasm/core";
import { fixtureCatalogDir, fixtureCatalogNames, isAnyText, suiteTexts } from "@plasm/testkit";
import { expect, it } from "vitest";

function opened(entryId: (typeof fixtureCatalogNames)[number]): Catalog {
  const file = (name: string) => ({
    file: name,
    text: readFileSync(join(fixtureCatalogDir(entryId), name), "utf8"),
  });
  const files = { domain: file("domain.yaml"), mappings: file("mappings.yaml") };
  const { catalog } = openCatalog({ entryId, ...files });
  if (catalog === null) throw new Error(`${entryId} does not open`);
  return catalog;
}

/** Names of the sample catalogs that are words of the product, too, or of the language its readers write. */
const ORDINARY =
  "built day id label length login logs lost meta n name no note owner packed person received slug species state text tree".split(
    " ",
  );

const namesOf = ({ entryId, cgs }: Catalog): readonly string[] => [
  entryId,
  ...cgs.capabilities.keys(),
  ...[...cgs.entities.values()].flatMap(({ name, fields, relations }) => [
    name,
    ...relations.keys(),
    ...[...fields.values()].flatMap((field) => [
      field.name,
      ...(field.type.kind === "select" ? field.type.options : []),
    ]),
  ]),
];

const NAMES = new Set(fixtureCatalogNames.map(opened).flatMap(namesOf));
for (const word of ORDINARY) NAMES.delete(word);

/** The names of sample catalogs that a text has. */
const namedIn = (text: string): readonly string[] =>
  (text.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => NAMES.has(word));

/** What is shipped; the samples themselves and what tests need are not. */
const SHIPPED = [
  "packages/core/src",
  "packages/runtime/src",
  "packages/agent-core/src",
  "packages/store/src",
  "packages/importers/src",
  "packages/host/src",
  "apps/mcp/src",
  "apps/http/src",
  "apps/cli/src",
  "plugins",
];

it("17.18 ERR-006 no message, help or diagnostic of the product names what only the sample catalogs have", () => {
  // `plasm try` is what starts the samples: its options name them. The tables of everyday words are in no message.
  const isShipped = (name: string): boolean =>
    name.endsWith(".ts") &&
    !name.endsWith("commands/try.ts") &&
    !/discovery\/(?:everyday|trade|api-noun)-words\.ts$/.test(name) &&
    !/\.test\.ts$|(?:^|\/)(?:testing|test|node_modules|dist)\//.test(name);
  const texts = suiteTexts(SHIPPED, isShipped, isAnyText);
  for (const room of SHIPPED)
    expect(suiteTexts([room], isShipped, isAnyText).length, room).toBeGreaterThan(0);
  expect(texts.length).toBeGreaterThan(7500);
  expect(NAMES.size).toBeGreaterThan(65);
  expect(texts.filter((text) => namedIn(text).length > 0)).toEqual([]);
});

it.each([
  ["such as quay:Boat", ["quay", "Boat"]],
  ["plasm run -e 'ENTITY{state=moored}'", ["moored"]],
  ["the note of an owner", []],
])("finds in %j the names %j", (text, names) => {
  expect(namedIn(text)).toEqual(names);
});

import type { InputType } from "@plasm/core";
import { type HttpTemplate, slotsOf } from "@plasm/core/internal";
import { expect, test } from "vitest";
import { githubCatalog, httpTemplates } from "./github-catalog.ts";
import { officialDocument } from "./official-document.ts";
import { Operations } from "./operations.ts";
import { keysOf, wireKeyOf } from "./wire-keys.ts";

/** GitHub answers for the root folder as for any other; its document has no path for it. */
const NOT_IN_DOCUMENT = ["content_query"];

/** The one thing that only GitHub's GraphQL API has: the text of a file as text. */
const NOT_OF_THE_DOCUMENT = ["content_text"];

const catalog = githubCatalog();
const operations = new Operations(officialDocument().document);
const requests = [...httpTemplates(catalog)].flatMap(([name, template]) => {
  const operation = operations.of(template);
  return operation === undefined ? [] : [{ name, template, operation }];
});

const pageKeys = ({ pagination }: HttpTemplate): readonly string[] =>
  (pagination?.params ?? []).map(({ name }) => name);

test("every capability is an operation of GitHub's document that is not on its way out", () => {
  const all = [...httpTemplates(catalog).keys()];
  const others = [...catalog.cgs.capabilities.keys()].filter((name) => !all.includes(name));
  expect(others).toEqual(NOT_OF_THE_DOCUMENT);
  const found = requests.map(({ name }) => name);
  expect(all.filter((name) => !found.includes(name))).toEqual(NOT_IN_DOCUMENT);
  const old = requests.filter(({ operation }) => operation.deprecated);
  expect(old.map(({ name }) => name)).toEqual([]);
});

test("every query parameter and member of a body is one that GitHub's document has", () => {
  const unknown = requests.flatMap(({ name, template, operation }) => {
    const members = operation.body === null ? {} : operations.schema(operation.body).properties;
    return [
      ...[...keysOf(template.query), ...pageKeys(template)].filter(
        (key) => !operation.query.has(key),
      ),
      ...keysOf(template.body).filter((key) => !(key in members)),
    ].map((key) => `${name}: ${operation.name} has no ${key}`);
  });
  expect(unknown).toEqual([]);
});

function optionsOf(input: InputType): readonly string[] {
  if (input.kind !== "value") return [];
  const type = input.type.kind === "array" ? input.type.items : input.type;
  return type.kind === "select" || type.kind === "multi_select" ? type.options : [];
}

test("every option of a select is one that GitHub's document lists where it is sent", () => {
  let compared = 0;
  const wrong = requests.flatMap(({ name, template, operation }) => {
    const capability = catalog.cgs.capabilities.get(name);
    return (capability === undefined ? [] : slotsOf(capability)).flatMap((slot) => {
      const inQuery = operation.query.get(wireKeyOf(template.query, slot.name) ?? "");
      const members = operation.body === null ? {} : operations.schema(operation.body).properties;
      const part = inQuery ?? members[wireKeyOf(template.body, slot.name) ?? ""] ?? {};
      const schema = operations.schema(part);
      const allowed = schema.enum ?? operations.schema(schema.items ?? {}).enum;
      if (allowed === undefined) return [];
      compared += 1;
      return optionsOf(slot.input)
        .filter((option) => !allowed.includes(option))
        .map((option) => `${name}: ${slot.name} may not be ${option}, but ${allowed.join(", ")}`);
    });
  });
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(50);
});

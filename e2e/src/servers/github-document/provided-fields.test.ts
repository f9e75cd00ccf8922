import type { Capability } from "@plasm/core";
import { type HttpTemplate, keyParts } from "@plasm/core/internal";
import { expect, test } from "vitest";
import { githubCatalog, httpTemplates } from "./github-catalog.ts";
import { officialDocument, type Part } from "./official-document.ts";
import { Operations, type Schema } from "./operations.ts";

const catalog = githubCatalog();
const operations = new Operations(officialDocument().document);

/** Where the rows of an answer are, by the mapping's own words. */
function rowOf(answer: Part, { response }: HttpTemplate): Schema {
  let schema = operations.schema(answer);
  const { items, itemsPath = items === undefined ? [] : [items] } = response;
  for (const key of itemsPath) {
    const inner = schema.properties[key];
    if (inner === undefined) break;
    schema = operations.schema(inner);
  }
  const row = schema.items === undefined ? schema : operations.schema(schema.items);
  const inside = row.properties[response.itemInnerKey ?? ""];
  return inside === undefined ? row : operations.schema(inside);
}

function has(row: Schema, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  const member = row.properties[key];
  if (member === undefined) return false;
  const schema = operations.schema(member);
  return has(schema.items === undefined ? schema : operations.schema(schema.items), rest);
}

/** The keys that lead to what a capability fills: a field, or the rows of a relation. */
function pathOf({ entity }: Capability, name: string): readonly string[] {
  const found = catalog.cgs.entities.get(entity);
  const field = found?.fields.get(name);
  if (field !== undefined) return field.path ?? [name];
  const materialize = found?.relations.get(name)?.materialize;
  if (materialize?.kind !== "from_parent_get")
    throw new Error(`${entity}.${name} is read by itself`);
  return materialize.path.flatMap((step) => ("key" in step ? [step.key] : []));
}

function absent(name: string, capability: Capability, template: HttpTemplate): readonly string[] {
  const [, answers = []] =
    [...(operations.of(template)?.answers ?? [])].find(([status]) => status < 300) ?? [];
  const rows = answers
    .flatMap((answer) => [answer, ...operations.alternatives(answer)])
    .map((answer) => rowOf(answer, template));
  if (rows.length === 0) return [];
  const entity = catalog.cgs.entities.get(capability.entity);
  const keys = entity === undefined ? [] : keyParts(entity);
  return (capability.provides ?? [])
    .filter((field) => !keys.includes(field))
    .filter((field) => !rows.some((row) => has(row, pathOf(capability, field))))
    .map((field) => `${name} says it provides ${field}`);
}

/** What a capability provides and its answer lacks would be told as null (RUN-035). Key parts come from the request. */
test("every field that a capability provides is in the answer that GitHub's document has", () => {
  const wrong = [...httpTemplates(catalog)].flatMap(([name, template]) => {
    const capability = catalog.cgs.capabilities.get(name);
    return capability === undefined ? [] : absent(name, capability, template);
  });
  expect(wrong).toEqual([]);
});

import type { JsonObject } from "@plasm/core";
import { evaluateRequest } from "@plasm/core/internal";
import { getVariableValues, Kind, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { githubCatalog } from "../github-document/github-catalog.ts";
import { githubSchema } from "./schema.ts";

const template = githubCatalog().cml.get("content_text");

/** The one operation of the catalog github that is GraphQL, asked for a file. */
function operationOf(args: JsonObject): { readonly query: string; readonly variables: JsonObject } {
  if (template?.transport !== "graphql") throw new Error("content_text is no GraphQL");
  const request = evaluateRequest(template, {
    bindings: new Map(Object.entries({ owner: "octo", repo: "hello", path: "docs/a.md", ...args })),
    optional: new Set(["ref"]),
    functions: new Map(),
  });
  if (!request.ok || request.value.body?.format !== "json")
    throw new Error(JSON.stringify(request));
  return request.value.body.value as unknown as ReturnType<typeof operationOf>;
}

test.each([
  ["of the default branch", {}, "HEAD:docs/a.md"],
  ["as of a ref", { ref: "v1" }, "v1:docs/a.md"],
])("the text of a file %s is asked as GitHub's schema allows", (_, args, at) => {
  const { query, variables } = operationOf(args);
  expect(variables).toEqual({ owner: "octo", repo: "hello", at });
  const document = parse(query);
  expect(validate(githubSchema(), document)).toEqual([]);
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
  const declared = definition.variableDefinitions ?? [];
  expect(getVariableValues(githubSchema(), declared, variables)).not.toHaveProperty("errors");
});

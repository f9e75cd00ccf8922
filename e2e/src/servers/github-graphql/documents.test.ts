import type { Capability, JsonObject } from "@plasm/core";
import { evaluateRequest, slotsOf } from "@plasm/core/internal";
import { getVariableValues, Kind, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { githubProjects } from "./catalog.ts";
import { sampleArguments } from "./sample-variables.ts";
import { githubSchema } from "./schema.ts";

const catalog = githubProjects();
const schema = githubSchema();
const capabilities = [...catalog.cgs.capabilities.values()];

/** What identity, splat and preflight bind besides the arguments. */
const BOUND = {
  id: "x",
  login: "x",
  owner: "x",
  name: "x",
  ownerId: "x",
  repositoryId: "x",
  userId: "x",
  contentId: "x",
  number: 3,
};

interface Operation {
  readonly query: string;
  readonly variables?: JsonObject;
}

/** The operation of a call, as its first request has it. */
function operationOf(capability: Capability, args: JsonObject): Operation {
  const template = catalog.cml.get(capability.name);
  if (template?.transport !== "graphql") throw new Error(`${capability.name} is no GraphQL`);
  const declared = slotsOf(capability);
  const union = capability.inputSchema?.input;
  const members = union?.kind === "union" ? union.variants.flatMap(({ fields }) => fields) : [];
  const optional = [...declared.filter(({ required }) => !required), ...members];
  const request = evaluateRequest(template, {
    bindings: new Map(Object.entries({ ...BOUND, ...args })),
    optional: new Set(optional.map(({ name }) => name)),
    functions: new Map(),
  });
  if (!request.ok) throw new Error(JSON.stringify(request.errors));
  const { body } = request.value;
  if (body?.format !== "json") throw new Error("no JSON body");
  const { query, variables = {} } = body.value as unknown as Operation;
  const paged = template.pagination === undefined ? {} : { first: 50, after: "x" };
  return { query, variables: { ...variables, ...paged } };
}

/** What GitHub's schema has against an operation and its variables. */
function faultsOf({ query, variables = {} }: Operation): readonly string[] {
  const document = parse(query);
  const faults = validate(schema, document).map(({ message }) => message);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return ["the operation does not come first"];
  const declared = operation.variableDefinitions ?? [];
  const names = new Set(declared.map(({ variable }) => variable.name.value));
  const unknown = Object.keys(variables).filter((name) => !names.has(name));
  const coerced = getVariableValues(schema, declared, { ...variables });
  return [
    ...faults,
    ...unknown.map((name) => `${name} is no variable`),
    ...(coerced.errors ?? []).map(({ message }) => message),
  ];
}

describe("every operation is one of GitHub's published schema, whatever arguments it has", () => {
  test.each(capabilities.map((each) => [each.name, each] as const))("%s", (_name, capability) => {
    for (const { what, args } of sampleArguments(capability)) {
      expect(faultsOf(operationOf(capability, args)), what).toEqual([]);
    }
  });
});

test("each is named after its capability, so that the server's log tells them apart", () => {
  const names = capabilities.map((capability) => {
    const [sample] = sampleArguments(capability);
    const [, name] =
      /^(?:query|mutation) (\w+)/.exec(operationOf(capability, sample?.args ?? {}).query) ?? [];
    return [capability.name.replaceAll("_", ""), name?.toLowerCase()];
  });
  for (const [capability, operation] of names) expect(operation).toBe(capability);
});

test("effects are mutations, and reads are queries", () => {
  const reads = new Set(["query", "search", "get"]);
  for (const capability of capabilities) {
    const [sample] = sampleArguments(capability);
    const { query } = operationOf(capability, sample?.args ?? {});
    expect(query.startsWith("query "), capability.name).toBe(reads.has(capability.kind));
  }
});

test.each([
  ["a field that is not there", { query: "query A { viewer { logn } }", variables: {} }, "logn"],
  [
    "a variable of another type",
    { query: "query A($id: Int!) { node(id: $id) { id } }", variables: { id: 1 } },
    '"$id" of type "Int!"',
  ],
  [
    "a member that is missing",
    {
      query:
        "mutation A($input: AddUpvoteInput!) { addUpvote(input: $input) { clientMutationId } }",
      variables: { input: {} },
    },
    "subjectId",
  ],
  [
    "a variable nobody declared",
    { query: "query A { viewer { id } }", variables: { x: 1 } },
    "x is no",
  ],
])("%s would be found", (_what, operation, said) => {
  expect(faultsOf(operation).join("\n")).toContain(said);
});

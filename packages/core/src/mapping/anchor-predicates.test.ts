import fc from "fast-check";
import { expect, test } from "vitest";
import type { Capability, Entity } from "../model/model.ts";
import { exemplarRequiresAnchor, invokeRequiresAnchor } from "./anchors.ts";
import type { Expression, HttpTemplate } from "./template.ts";

const entity: Entity = {
  name: "WorkItem",
  description: "",
  idField: "slug",
  hasKey: true,
  keyVars: ["team", "slug"],
  implicitRequestIdentity: false,
  fields: new Map(),
  relations: new Map(),
  aliases: [],
  abstract: false,
  domainProjectionExamples: true,
  discoveryNames: [],
  qualifierNames: [],
};

const capability = (kind: Capability["kind"], needsIdentity = true): Capability => ({
  name: "c",
  label: "c",
  kind,
  needsIdentity,
  entity: "WorkItem",
  description: "",
  operationTerms: [],
  targetTerms: [],
  parameters: [],
  preflight: [],
  preconditions: [],
  scopeAggregateKeyPolicy: "retain",
});

const variable: Expression = { type: "var", name: "whatever" };
const constant: Expression = { type: "const", value: 1 };
const object = (fields: Readonly<Record<string, Expression>>): Expression => ({
  type: "object",
  fields: Object.entries(fields),
});

const request = (
  transport: "http" | "graphql",
  path: "plain" | "variable",
  body?: Expression,
): HttpTemplate => ({
  transport,
  method: "POST",
  path:
    path === "plain"
      ? [{ type: "literal", value: "graphql" }]
      : [{ type: "var", name: "x", suffix: "", encode: "segment" }],
  bodyFormat: "json",
  response: { single: true, wrapRootScalar: false, declared: true },
  ...(body === undefined ? {} : { body }),
});
const variables = (fields: Readonly<Record<string, Expression>>): Expression =>
  object({ query: constant, variables: object(fields) });

/** Template, exemplar anchor, invoke anchor. */
const table: readonly [string, HttpTemplate, boolean, boolean][] = [
  ["path variable", request("http", "variable"), true, true],
  ["path variable, graphql", request("graphql", "variable"), true, true],
  ["nothing", request("http", "plain"), false, false],
  ["id", request("graphql", "plain", variables({ id: variable })), true, true],
  ["id field", request("graphql", "plain", variables({ slug: variable })), true, true],
  ["key variable", request("graphql", "plain", variables({ team: variable })), true, true],
  ["<entity>Id", request("graphql", "plain", variables({ workItemId: variable })), true, true],
  ["<entity>_id", request("graphql", "plain", variables({ work_item_id: variable })), true, true],
  [
    "id among others",
    request("graphql", "plain", variables({ input: variable, id: variable })),
    true,
    true,
  ],
  ["another variable", request("graphql", "plain", variables({ input: variable })), false, true],
  [
    "nested variable",
    request("graphql", "plain", variables({ input: object({ id: variable }) })),
    false,
    true,
  ],
  [
    "another entity's id",
    request("graphql", "plain", variables({ userId: variable })),
    false,
    true,
  ],
  [
    "id bound to a constant",
    request("graphql", "plain", variables({ id: constant })),
    false,
    false,
  ],
  ["whole block", request("graphql", "plain", object({ variables: variable })), false, true],
  ["empty block", request("graphql", "plain", variables({})), false, false],
  ["outside the block", request("graphql", "plain", object({ id: variable })), false, false],
  ["http body", request("http", "plain", variables({ id: variable })), false, false],
];

test.each(table)("A12, A13: %s", (_name, template, exemplar, invoke) => {
  for (const kind of ["get", "update", "delete", "action"] as const) {
    expect(exemplarRequiresAnchor(entity, capability(kind), template)).toBe(exemplar);
    expect(invokeRequiresAnchor(capability(kind), template)).toBe(invoke);
  }
});

test.each(table)(
  "TEACH-35: creates, lists and singletons never need an anchor (%s)",
  (_name, template) => {
    const without = [
      capability("create", false),
      capability("query", false),
      capability("search", false),
    ];
    for (const each of [...without, capability("get", false)]) {
      expect(exemplarRequiresAnchor(entity, each, template)).toBe(false);
      expect(invokeRequiresAnchor(each, template)).toBe(false);
    }
  },
);

test("TEACH-35: the first implies the second", () => {
  const members = fc.dictionary(
    fc.constantFrom("id", "slug", "input", "userId", "workItemId"),
    fc.constantFrom(variable, constant),
  );
  fc.assert(
    fc.property(
      fc.constantFrom("http" as const, "graphql" as const),
      fc.constantFrom("plain" as const, "variable" as const),
      members,
      (transport, path, fields) => {
        const template = request(transport, path, variables(fields));
        const exemplar = exemplarRequiresAnchor(entity, capability("get"), template);
        expect(!exemplar || invokeRequiresAnchor(capability("get"), template)).toBe(true);
      },
    ),
  );
});
